// SPDX-License-Identifier: BSD-3-Clause
// Syntax: UCC user guide, "CLs and TLs". Names: those that UCC 1.5 to 1.7 let a tune string choose
// for TL/UCP (src/components/tl/ucp/*/*.c); an unknown one makes UCC drop the whole string. Units:
// ucc_coll_args_msgsize of these versions. Where the end of a range is the next one's begin, that
// size is the next one's.
#include "tuner/emit/ucc.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <regex>

#include "tuner/emit/areas.hpp"
#include "tuner/emit/head.hpp"
#include "tuner/emit/translation.hpp"

namespace breakeven {

namespace {

constexpr std::array kEquivalents{
    Equivalent{Collective::allgather, "bruck", "bruck"},
    Equivalent{Collective::allgather, "neighbor_exchange", "neighbor"},
    Equivalent{Collective::allgather, "recursive_doubling", "knomial"},
    Equivalent{Collective::allgather, "ring", "ring"},
    Equivalent{Collective::allgather, "sparbit", "sparbit"},
    Equivalent{Collective::allgatherv, "recursive_doubling", "knomial"},
    Equivalent{Collective::allgatherv, "ring", "ring"},
    Equivalent{Collective::allreduce, "rabenseifner", "sra_knomial"},
    Equivalent{Collective::allreduce, "recursive_doubling", "knomial"},
    Equivalent{Collective::alltoall, "bruck", "bruck"},
    Equivalent{Collective::alltoall, "pairwise", "pairwise"},
    Equivalent{Collective::alltoallv, "pairwise", "pairwise"},
    Equivalent{Collective::bcast, "binomial", "knomial"},
    Equivalent{Collective::bcast, "knomial", "knomial"},
    Equivalent{Collective::bcast, "scatter_recursive_doubling", "sag_knomial"},
    Equivalent{Collective::reduce, "binomial", "knomial"},
    Equivalent{Collective::reduce, "rabenseifner", "srg"},
    Equivalent{Collective::reduce_scatter, "ring", "ring"},
    Equivalent{Collective::reduce_scatter_block, "recursive_halving", "knomial"},
    Equivalent{Collective::reduce_scatter_block, "ring", "ring"},
};

/// Bytes of the destination, which is one block of a reduce_scatter_block.
std::int64_t bytes_of(const Case& what) {
  if (knows_no_size(what.collective)) return 0;
  const bool one_block = what.collective == Collective::reduce_scatter_block;
  return (one_block ? what.message : total_bytes(what)).value;
}

constexpr std::string_view kPrefix = "ucc";
constexpr std::string_view kBegin = "export UCC_TL_UCP_TUNE=\"\\";

/// What UCC calls the collective.
std::string_view name_of(Collective collective) {
  if (collective == Collective::reduce_scatter) return "reduce_scatterv";
  if (collective == Collective::reduce_scatter_block) return "reduce_scatter";
  return kCollectives.of(collective);
}

std::string token_of(const Area& area) {
  const std::string end = area.to_bytes == kAllBytes ? "inf" : fmt::format("{}", area.to_bytes + 1);
  return fmt::format("{}:{}-{}:host:[{}-{}]:@{}", name_of(area.collective), area.from_bytes, end,
                     area.first_procs, area.last_procs,
                     std::string_view{area.variant}.substr(kPrefix.size() + 1));
}

/// One, or none where there is nothing to set.
std::vector<std::string> settings_of(const std::vector<CollectiveRanges>& ranges) {
  std::vector<std::string> tokens;
  for (const Area& area : areas_of(ranges)) tokens.push_back(token_of(area));
  if (tokens.empty()) return {};
  return {fmt::format("{}\n{}\"\n", kBegin, fmt::join(tokens, "#\\\n"))};
}

std::vector<std::string> directions_of(const std::vector<CollectiveRanges>&) {
  return {"Names of UCC 1.5 to 1.7; what yours has: ucc_info -A. Those with knomial in their names",
          "have the radix that UCC_TL_UCP_*_KN_RADIX says, which a tune string can't set.",
          "Sizes are UCC's: bytes of the destination, of allgather all blocks.",
          "To apply it, in the shell that starts the job:",
          "  . /path/to/ucc_tune.sh",
          "and for MPI by Open MPI, where it has coll/ucc:",
          "  export OMPI_MCA_coll_ucc_enable=1 OMPI_MCA_coll_ucc_priority=100",
          "To see what UCC took: UCC_LOG_LEVEL=info. To undo it:",
          "  unset UCC_TL_UCP_TUNE OMPI_MCA_coll_ucc_enable OMPI_MCA_coll_ucc_priority"};
}

std::vector<Area> read_settings(std::string_view text, int number,
                                std::vector<ReadTable::Fault>& faults) {
  static const std::regex kToken{
      R"re(([a-z_]+):(\d{1,18})-(\d{1,18}|inf):host:\[(\d{1,9})-(\d{1,9})\]:@([a-z_]+)(#\\|"))re"};
  std::vector<Area> areas;
  bool inside = false;
  for (const std::string_view each : lines_of(text)) {
    const int line = number++;
    const std::string word{each};
    std::smatch match;
    if (!inside && (word.empty() || word.front() == '#')) continue;
    if (!inside && word == kBegin) {
      inside = true;
    } else if (inside && std::regex_match(word, match, kToken)) {
      inside = match[7] != "\"";
      const auto known = std::ranges::find_if(kEquivalents, [&](const Equivalent& equivalent) {
        return name_of(equivalent.collective) == match[1].str() &&
               equivalent.name == match[6].str();
      });
      if (known == kEquivalents.end()) {
        faults.push_back(
            {line, fmt::format("UCC has no {} '{}' that Breakeven knows: it would drop "
                               "the whole string",
                               match[1].str(), match[6].str())});
        continue;
      }
      areas.push_back({.collective = known->collective,
                       .first_procs = std::stoi(match[4]),
                       .last_procs = std::stoi(match[5]),
                       .from_bytes = std::stoll(match[2]),
                       .to_bytes = match[3] == "inf" ? kAllBytes : std::stoll(match[3]) - 1,
                       .variant = fmt::format("{}:{}", kPrefix, match[6].str()),
                       .line = line});
    } else {
      faults.push_back({line, fmt::format("'{}' is no token", word)});
    }
  }
  if (inside) faults.push_back({number - 1, "no closing quote: was the file cut?"});
  return areas;
}

constexpr OtherLibrary kUcc{.format = "ucc",
                            .name = "UCC",
                            .prefix = kPrefix,
                            .equivalents = kEquivalents,
                            .bytes = bytes_of,
                            .directions = directions_of,
                            .settings = settings_of,
                            .read = read_settings};

}  // namespace

Emitted ucc(const Table& table, const Provenance& provenance) {
  return emit_translation(table, provenance, kUcc);
}

ReadTable read_ucc(std::string_view text) { return read_translation(text, kUcc); }

}  // namespace breakeven
