// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/rules.hpp"
#include "tables/formats/openmpi/tuned.hpp"

namespace breakeven::formats::openmpi {

using namespace libraries::library_params;

LibraryCapabilities tuned_numbers(std::string_view text, int major) {
  LibraryCapabilities capabilities;
  std::set<Collective> listed_ones;
  const std::string before = fmt::format("#   {:<10} ", kIds);
  for (const std::string_view line : lines_of(text)) {
    if (!line.starts_with(before)) continue;
    std::istringstream words{std::string{line.substr(before.size())}};
    std::string name;
    words >> name;
    const auto collective = kCollectives.find(name);
    if (!collective) continue;
    listed_ones.insert(*collective);
    ListedAlgorithm listed{.collective = *collective};
    while (words >> listed.value >> listed.name) capabilities.algorithms.push_back(listed);
  }
  if (const auto version = version_in(text)) major = version->major;
  // libraries/ lists them in the order of their numbers.
  std::map<Collective, int> last;
  for (const libraries::LibraryAlgorithm& known : libraries::openmpi_algorithms()) {
    if (listed_ones.contains(known.collective) || libraries::openmpi::is_han(known.name)) continue;
    if (!known.is_in(major)) continue;
    capabilities.algorithms.push_back(
        {known.collective, std::string{known.name}, ++last[known.collective]});
  }
  return capabilities;
}

const ListedAlgorithm* find_tuned(const LibraryCapabilities& capabilities, Collective collective,
                                  int number) {
  const auto found =
      std::ranges::find_if(capabilities.algorithms, [&](const ListedAlgorithm& each) {
        return each.collective == collective && each.value == number;
      });
  return found == capabilities.algorithms.end() ? nullptr : &*found;
}

void check_tuned(Collective collective, const Range& procs, int line, std::string_view head,
                 libraries::openmpi::RuledAlgorithm& algorithm, ReadTable& read) {
  Case what{.collective = collective,
            .variant = libraries::openmpi::variant_of(collective, algorithm),
            .procs = static_cast<int>(std::max<std::int64_t>(procs.first, 2))};
  const auto add = [&](std::vector<ReadTable::Fault>& faults, std::string_view reason) {
    faults.push_back(
        {line, fmt::format("{} '{}' {}", kCollectives.of(collective), algorithm.name, reason)});
  };
  const libraries::LibraryAlgorithm* const known = libraries::find_library_algorithm(what);
  if (known == nullptr) {
    return add(read.advice, "is no algorithm that Breakeven knows of Open MPI");
  }
  const libraries::LibraryParam* const fanout = libraries::openmpi::fanout_param(what);
  if (fanout == nullptr && std::exchange(algorithm.fanout, 0) != 0) {
    add(read.advice, "takes no fan-out, and the library passes over this one");
  } else if (fanout != nullptr && fanout->key == kRadix && algorithm.fanout < 2) {
    add(read.faults, fmt::format("with fan-out {} hangs or does nothing: it needs at least 2",
                                 algorithm.fanout));
  } else if (fanout != nullptr && algorithm.fanout == 0) {
    algorithm.fanout = 1;
    add(read.advice, "with fan-out 0 has but one chain, and is a pipeline");
  }
  if (known->find_param(kSegmentBytes) == nullptr &&
      std::exchange(algorithm.segment_bytes, 0) != 0) {
    add(read.advice, "takes no segments, and the library passes over their size");
  }
  if (known->find_param(kMaxRequests) == nullptr &&
      std::exchange(algorithm.max_requests, {}).value_or(0) != 0) {
    add(read.advice, "takes no limit of requests, and the library passes over this one");
  }
  if (algorithm.name == "two_proc" && (procs.first != 2 || procs.last != 2)) {
    add(read.faults, fmt::format("ends a program on other than 2 processes; this rule holds for {}",
                                 to_text(procs)));
  }
  what.variant = libraries::openmpi::variant_of(collective, algorithm);
  if (const auto harm = unsafe_rule(head, what)) {
    (head_value(head, "unsafe") ? read.faults : read.advice).push_back({line, *harm});
  }
}

}  // namespace breakeven::formats::openmpi
