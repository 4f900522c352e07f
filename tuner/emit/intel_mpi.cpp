// SPDX-License-Identifier: BSD-3-Clause
// Numbers, syntax and units: Intel MPI Library Developer Reference for Linux, 2021.8, "I_MPI_ADJUST
// Family Environment Variables"; the numbers of later releases stand for the same algorithms.
#include "tuner/emit/intel_mpi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <regex>

#include "tuner/emit/areas.hpp"
#include "tuner/emit/head.hpp"
#include "tuner/emit/translation.hpp"

namespace breakeven {

namespace {

constexpr std::array kEquivalents{
    Equivalent{Collective::allgather, "recursive_doubling", "1"},
    Equivalent{Collective::allgather, "bruck", "2"},
    Equivalent{Collective::allgather, "ring", "3"},
    Equivalent{Collective::allgatherv, "recursive_doubling", "1"},
    Equivalent{Collective::allgatherv, "bruck", "2"},
    Equivalent{Collective::allgatherv, "ring", "3"},
    Equivalent{Collective::allreduce, "recursive_doubling", "1"},
    Equivalent{Collective::allreduce, "rabenseifner", "2"},
    Equivalent{Collective::allreduce, "reduce_bcast", "3"},
    Equivalent{Collective::allreduce, "ring", "8"},
    Equivalent{Collective::alltoall, "bruck", "1"},
    Equivalent{Collective::alltoall, "linear", "2"},
    Equivalent{Collective::alltoall, "pairwise", "3"},
    Equivalent{Collective::alltoallv, "linear", "1"},
    Equivalent{Collective::barrier, "dissemination", "1"},
    Equivalent{Collective::barrier, "recursive_doubling", "2"},
    Equivalent{Collective::bcast, "binomial", "1"},
    Equivalent{Collective::bcast, "scatter_recursive_doubling", "2"},
    Equivalent{Collective::bcast, "scatter_ring", "3"},
    Equivalent{Collective::bcast, "knomial", "8"},
    Equivalent{Collective::gather, "binomial", "1"},
    Equivalent{Collective::gatherv, "linear", "1"},
    Equivalent{Collective::reduce, "binomial", "2"},
    Equivalent{Collective::reduce, "rabenseifner", "5"},
    Equivalent{Collective::reduce_scatter, "recursive_halving", "1"},
    Equivalent{Collective::reduce_scatter, "pairwise", "2"},
    Equivalent{Collective::reduce_scatter, "recursive_doubling", "3"},
    Equivalent{Collective::scatter, "binomial", "1"},
    Equivalent{Collective::scatterv, "linear", "1"},
};

std::int64_t bytes_of(const Case& what) {
  if (knows_no_size(what.collective)) return 0;
  const bool all_blocks =
      what.collective == Collective::allgatherv || what.collective == Collective::reduce_scatter;
  return (all_blocks ? what.procs : 1) * what.message.value;
}

constexpr std::string_view kPrefix = "intel_mpi";

/// Sizes are numbers of 31 bits.
constexpr std::int64_t kGreatest = INT_MAX;

std::string variable_of(Collective collective) {
  std::string name = fmt::format("I_MPI_ADJUST_{}", kCollectives.of(collective));
  std::ranges::transform(name, name.begin(),
                         [](unsigned char each) { return static_cast<char>(std::toupper(each)); });
  return name;
}

std::string preset_of(const Area& area) { return area.variant.substr(kPrefix.size() + 1); }

/// Presets in the order in which they are used first, each with all its conditions.
std::string setting_of(const std::vector<Area>& areas) {
  std::vector<std::string> presets;
  std::vector<std::string> lines;
  for (const Area& area : areas) {
    const std::string preset = preset_of(area);
    const auto known = std::ranges::find(presets, preset);
    const auto at = static_cast<std::size_t>(known - presets.begin());
    const std::string condition =
        fmt::format("{}-{}@{}-{}", area.from_bytes, std::min(area.to_bytes, kGreatest),
                    area.first_procs, area.last_procs);
    if (known == presets.end()) {
      presets.push_back(preset);
      lines.push_back(preset + ':' + condition);
    } else {
      lines[at] += ',' + condition;
    }
  }
  std::string text = fmt::format("export {}=\"\\\n", variable_of(areas.front().collective));
  for (const std::string& line : lines) {
    text += line;
    text += &line == &lines.back() ? "\"\n" : ";\\\n";
  }
  return text;
}

std::vector<std::string> settings_of(const std::vector<CollectiveRanges>& ranges) {
  std::vector<std::string> settings;
  for (const CollectiveRanges& each : ranges) settings.push_back(setting_of(areas_of({each})));
  return settings;
}

std::vector<std::string> directions_of(const std::vector<CollectiveRanges>& ranges) {
  std::string unset = ranges.empty() ? "  nothing is set" : "  unset";
  for (const CollectiveRanges& each : ranges) unset += ' ' + variable_of(each.collective);
  return {
      "Numbers of the Developer Reference 2021.8, \"I_MPI_ADJUST Family Environment Variables\".",
      "Sizes are as its formulas have them: the vector, or the block that a process passes; of",
      "allgatherv and reduce_scatter all blocks.",
      "To apply it, in the shell that starts the job:",
      "  . /path/to/intel_mpi.sh",
      "To undo it:",
      std::move(unset)};
}

/// Takes the settings apart again.
class Reader {
 public:
  explicit Reader(std::vector<ReadTable::Fault>& faults) : faults_{faults} {}

  std::vector<Area> all(std::string_view text, int number) {
    for (const std::string_view each : lines_of(text)) line(std::string{each}, number++);
    if (inside_) {
      faults_.push_back({number - 1, "a setting without its closing quote: was the file cut?"});
    }
    return std::move(areas_);
  }

 private:
  void line(const std::string& line, int number) {
    static const std::regex kBegin{R"(export I_MPI_ADJUST_([A-Z_]+)="\\)"};
    static const std::regex kPreset{R"((\d{1,3}):([-\d@,]+)(;\\|"))"};
    if (!inside_ && (line.empty() || line.front() == '#')) return;
    std::smatch match;
    if (!inside_ && std::regex_match(line, match, kBegin)) {
      begin(match[1], number);
    } else if (inside_ && std::regex_match(line, match, kPreset)) {
      preset(match[1], match[2], number);
      inside_ = match[3] != "\"";
    } else {
      faults_.push_back({number, fmt::format("'{}' is no part of a setting", line)});
    }
  }

  void begin(std::string name, int number) {
    std::ranges::transform(name, name.begin(), [](unsigned char each) {
      return static_cast<char>(std::tolower(each));
    });
    const auto* const known =
        std::ranges::find(kCollectives.entries, name, &decltype(kCollectives)::Entry::name);
    inside_ = true;
    if (known != kCollectives.entries.end()) {
      collective_ = known->value;
    } else {
      faults_.push_back({number, fmt::format("'{}' is no collective", name)});
    }
  }

  void preset(const std::string& id, const std::string& conditions, int number) {
    const bool known = std::ranges::any_of(kEquivalents, [&](const Equivalent& each) {
      return each.collective == collective_ && each.name == id;
    });
    if (!known) {
      faults_.push_back({number, fmt::format("{} has no preset {} that Breakeven knows",
                                             kCollectives.of(collective_), id)});
    }
    static const std::regex kCondition{R"((\d{1,10})-(\d{1,10})@(\d{1,9})-(\d{1,9}))"};
    std::size_t first = 0;
    while (first <= conditions.size()) {
      const std::size_t end = std::min(conditions.find(',', first), conditions.size());
      const std::string condition = conditions.substr(first, end - first);
      first = end + 1;
      std::smatch match;
      if (!std::regex_match(condition, match, kCondition)) {
        faults_.push_back({number, fmt::format("'{}' is no condition: l-m@p-q", condition)});
        continue;
      }
      const std::int64_t to = std::stoll(match[2]);
      areas_.push_back({.collective = collective_,
                        .first_procs = std::stoi(match[3]),
                        .last_procs = std::stoi(match[4]),
                        .from_bytes = std::stoll(match[1]),
                        .to_bytes = to == kGreatest ? kAllBytes : to,
                        .variant = fmt::format("{}:{}", kPrefix, id),
                        .line = number});
    }
  }

  std::vector<ReadTable::Fault>& faults_;
  std::vector<Area> areas_{};
  Collective collective_ = Collective::allreduce;
  bool inside_ = false;
};

constexpr OtherLibrary kIntelMpi{
    .format = "intel_mpi",
    .name = "Intel MPI",
    .prefix = kPrefix,
    .equivalents = kEquivalents,
    .bytes = bytes_of,
    .directions = directions_of,
    .settings = settings_of,
    .read = [](std::string_view text, int first_line, std::vector<ReadTable::Fault>& faults) {
      return Reader{faults}.all(text, first_line);
    }};

}  // namespace

Emitted intel_mpi(const Table& table, const Provenance& provenance) {
  return emit_translation(table, provenance, kIntelMpi);
}

ReadTable read_intel_mpi(std::string_view text) { return read_translation(text, kIntelMpi); }

}  // namespace breakeven
