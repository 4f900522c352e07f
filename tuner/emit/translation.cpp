// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "tuner/emit/head.hpp"

namespace breakeven {

namespace {

/// One structure, and what this project and the libraries that can be measured call it.
struct Named {
  Collective collective;
  std::string_view structure;
  std::string_view ours;
  std::string_view mpich;
  std::string_view openmpi;
};

constexpr std::array kNamed{
    Named{Collective::allgather, "bruck", "bruck", "mpich:brucks", "openmpi:bruck"},
    Named{Collective::allgather, "neighbor_exchange", "neighbor_exchange", "", "openmpi:neighbor"},
    Named{Collective::allgather, "recursive_doubling", "recursive_doubling",
          "mpich:recursive_doubling", "openmpi:recursive_doubling"},
    Named{Collective::allgather, "ring", "ring", "mpich:ring", "openmpi:ring"},
    Named{Collective::allgather, "sparbit", "", "", "openmpi:sparbit"},
    Named{Collective::allreduce, "rabenseifner", "halving_doubling",
          "mpich:reduce_scatter_allgather", "openmpi:rabenseifner"},
    Named{Collective::allreduce, "recursive_doubling", "recursive_doubling",
          "mpich:recursive_doubling", "openmpi:recursive_doubling"},
    Named{Collective::allreduce, "reduce_bcast", "reduce_bcast", "", "openmpi:nonoverlapping"},
    Named{Collective::allreduce, "ring", "ring", "mpich:ring", "openmpi:ring"},
    Named{Collective::alltoall, "bruck", "", "mpich:brucks", "openmpi:modified_bruck"},
    Named{Collective::alltoall, "linear", "", "", "openmpi:linear"},
    Named{Collective::alltoall, "linear", "", "", "openmpi:basic_linear"},
    Named{Collective::alltoall, "pairwise", "", "mpich:pairwise", "openmpi:pairwise"},
    Named{Collective::barrier, "dissemination", "dissemination", "mpich:dissemination",
          "openmpi:bruck"},
    Named{Collective::barrier, "recursive_doubling", "", "", "openmpi:recursive_doubling"},
    Named{Collective::bcast, "binomial", "binomial", "mpich:binomial", "openmpi:binomial"},
    Named{Collective::bcast, "knomial", "", "", "openmpi:knomial"},
    Named{Collective::bcast, "scatter_recursive_doubling", "scatter_recursive_doubling",
          "mpich:scatter_recursive_doubling_allgather", "openmpi:scatter_allgather"},
    Named{Collective::bcast, "scatter_ring", "scatter_ring", "mpich:scatter_ring_allgather",
          "openmpi:scatter_allgather_ring"},
    Named{Collective::gather, "binomial", "binomial", "mpich:binomial", "openmpi:binomial"},
    Named{Collective::gather, "linear", "linear", "mpich:linear", ""},
    Named{Collective::reduce, "binomial", "binomial", "mpich:binomial", "openmpi:binomial"},
    Named{Collective::reduce, "rabenseifner", "halving_doubling", "mpich:reduce_scatter_gather",
          "openmpi:rabenseifner"},
    Named{Collective::reduce_scatter_block, "pairwise", "pairwise", "mpich:pairwise", ""},
    Named{Collective::reduce_scatter_block, "recursive_doubling", "", "mpich:recursive_doubling",
          "openmpi:recursive_doubling"},
    Named{Collective::reduce_scatter_block, "recursive_halving", "recursive_halving",
          "mpich:recursive_halving", "openmpi:recursive_halving"},
    Named{Collective::reduce_scatter_block, "ring", "ring", "", "openmpi:ring"},
    Named{Collective::scatter, "binomial", "binomial", "mpich:binomial", "openmpi:binomial"},
    Named{Collective::scatter, "linear", "linear", "mpich:linear", ""},
};

const Equivalent* equivalent_of(const OtherLibrary& library, const Case& choice) {
  const std::string_view structure = structure_of(choice);
  const auto found = std::ranges::find_if(library.equivalents, [&](const Equivalent& each) {
    return each.collective == choice.collective && each.structure == structure;
  });
  return found == library.equivalents.end() ? nullptr : &*found;
}

}  // namespace

std::string_view structure_of(const Case& choice) {
  if (!choice.params.empty()) return {};
  const auto* const found = std::ranges::find_if(kNamed, [&](const Named& named) {
    return named.collective == regular(choice.collective) &&
           (named.ours == choice.algorithm || named.mpich == choice.algorithm ||
            named.openmpi == choice.algorithm);
  });
  return found == kNamed.end() ? std::string_view{} : found->structure;
}

namespace {

struct Translated {
  std::vector<CollectiveRanges> ranges{};
  std::vector<std::string> degraded{};
};

Translated translate(const Table& table, const OtherLibrary& library) {
  Translated translated;
  std::set<std::pair<Collective, std::string>> unknown;
  std::set<Collective> several_sizes;
  const auto say = [&](const Case& choice) {
    if (const Equivalent* found = equivalent_of(library, choice)) {
      return fmt::format("{}:{}", library.prefix, found->name);
    }
    unknown.emplace(choice.collective, variant_text(choice));
    return std::string{kNative};
  };
  const auto amend = [&](Collective collective, int, std::vector<SizeRange>& sizes) {
    if (!knows_no_size(collective) || sizes.size() == 1) return;
    several_sizes.insert(collective);
    sizes = {{0, std::string{kNative}}};
  };
  translated.ranges = ranges_of(
      table, {.format = library.format, .say = say, .bytes = library.bytes, .amend = amend});
  for (const auto& [collective, variant] : unknown) {
    translated.degraded.push_back(
        fmt::format("{}: {} has no documented equivalent in {}, which decides where it was chosen",
                    kCollectives.of(collective), variant, library.name));
  }
  for (const Collective collective : several_sizes) {
    translated.degraded.push_back(
        fmt::format("{}: {} knows no message sizes of it, and decides where the choice depends on "
                    "them",
                    kCollectives.of(collective), library.name));
  }
  return translated;
}

std::vector<std::string> describe_translation(const OtherLibrary& library,
                                              const Translated& translated) {
  std::vector<std::string> lines{
      fmt::format("Measured was the library above, not {}. Algorithms are translated by what they",
                  library.name),
      "do, and sizes are those of the other measurement: a first guess, to be measured. Outside of",
      fmt::format("the process counts measured, and where nothing is set, {} decides.",
                  library.name)};
  if (!translated.degraded.empty()) lines.emplace_back("What this file can't say:");
  for (const std::string& line : translated.degraded) lines.push_back("  " + line);
  return lines;
}

/// How many follow, so that a file that was cut between two of them is found out.
constexpr std::string_view kSettings = "# Settings: ";

std::string body_of(const std::vector<std::string>& settings) {
  return fmt::format("{}{}\n{}", kSettings, settings.size(), fmt::join(settings, ""));
}

}  // namespace

bool knows_no_size(Collective collective) {
  switch (collective) {
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::barrier:
    case Collective::gatherv:
    case Collective::scatterv: return true;
    default: return false;
  }
}

Emitted emit_translation(const Table& table, const Provenance& provenance,
                         const OtherLibrary& library) {
  Translated translated = translate(table, library);
  const std::string text =
      fmt::format("# Breakeven's choice among the algorithms of collectives, for {}.\n#\n",
                  library.name) +
      commented("#  ", describe(table, provenance)) + "#\n" +
      commented("#", describe_translation(library, translated)) + "#\n" +
      commented("#", library.directions(translated.ranges)) + "#\n" +
      body_of(library.settings(translated.ranges));
  return {.text = text, .degraded = std::move(translated.degraded)};
}

ReadTable read_translation(std::string_view text, const OtherLibrary& library) {
  ReadTable read;
  if (!head_value(text, "machine")) {
    read.faults.push_back({0,
                           "no comment says on which machine was measured, as in all of "
                           "Breakeven's files"});
  }
  const std::size_t begin = text.find(kSettings);
  if (begin == std::string_view::npos) {
    read.faults.push_back(
        {0, fmt::format("no line '{}N': cut, or not written by Breakeven", kSettings)});
    return read;
  }
  const std::string_view body = text.substr(begin);
  const int first_line = line_at(text, begin);
  const std::vector<Area> areas = library.read(body, first_line, read.faults);
  const std::vector<CollectiveRanges> ranges = ranges_of(areas, read.faults);
  if (!read.faults.empty()) return read;
  if (auto fault = first_difference(body, body_of(library.settings(ranges)), first_line)) {
    read.faults.push_back(*std::move(fault));
    return read;
  }
  read.answer = [ranges, bytes = library.bytes](const Case& problem) {
    return answer(ranges, problem, bytes);
  };
  return read;
}

}  // namespace breakeven
