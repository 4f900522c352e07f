// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/library_algorithm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/error.hpp"
#include "core/unknown.hpp"
#include "kernels/params.hpp"
#include "libraries/conditions.hpp"
#include "libraries/mpich_compositions.hpp"

namespace breakeven::libraries {

namespace {

using namespace library_params;

/// Every parameter is one that the algorithm takes, and a number.
void require_params(const Case& what, const LibraryAlgorithm& algorithm) {
  const kernels::Params params = kernels::Params::parse(what.variant.params());
  for (const kernels::Params::Entry& entry : params.entries()) {
    if (algorithm.find_param(entry.key) == nullptr) {
      std::vector<std::string_view> known;
      for (const LibraryParam& param : algorithm.params) known.push_back(param.key);
      throw UsageError(
          fmt::format("{} takes {}", to_text(what), unknown("parameter", entry.key, known)));
    }
    static_cast<void>(params.find_number(entry.key, entry.key == kRadix ? 2 : 1));
  }
}

}  // namespace

std::string_view demand_text(Demand demand) {
  switch (demand) {
    case Demand::commuting: return "operations that do not commute";
    case Demand::built_in: return "operations of users";
    case Demand::equal_counts: return "unequal counts";
    case Demand::not_in_place: return "buffers in place";
    case Demand::power_of_two: return "p other than a power of two";
    case Demand::same_types: return "datatypes that differ by rank";
    case Demand::same_counts: return "datatypes that differ between what is sent and received";
    case Demand::types_without_gaps: return "datatypes with gaps";
    case Demand::not_below: return "datatypes with a negative lower bound";
    case Demand::not_persistent: return "persistent calls";
    case Demand::not_empty: return "persistent calls without data";
    case Demand::no_idup: return "MPI_Comm_idup";
    case Demand::known: return "kinds of calls that are not known";
  }
  return {};
}

bool LibraryAlgorithm::demands(Demand demand) const {
  return std::ranges::find(requirements, demand, &Requirement::demand) != requirements.end();
}

const LibraryParam* LibraryAlgorithm::find_param(std::string_view key) const {
  const auto found = std::ranges::find(params, key, &LibraryParam::key);
  return found == params.end() ? nullptr : &*found;
}

std::span<const KnownLibrary> known_libraries() {
  static const std::array kLibraries{
      KnownLibrary{"mpich", mpich_algorithms(), mpich_nonblocking()},
      KnownLibrary{"openmpi", openmpi_algorithms(), openmpi_nonblocking()}};
  return kLibraries;
}

LibraryCapabilities known_capabilities(std::string_view library) {
  LibraryCapabilities capabilities;
  for (const KnownLibrary& each : known_libraries()) {
    if (each.name != library) continue;
    for (const CallForm form : {CallForm::blocking, CallForm::nonblocking}) {
      for (const LibraryAlgorithm& algorithm : each.of(form)) {
        capabilities.of(form).push_back(
            {.collective = algorithm.collective, .name = std::string{algorithm.name}});
      }
    }
  }
  return capabilities;
}

const LibraryAlgorithm* find_library_algorithm(const Case& what) {
  const LibraryOwn* const own = what.variant.library();
  if (own == nullptr) return nullptr;
  for (const KnownLibrary& library : known_libraries()) {
    if (library.name != own->library) continue;
    for (const LibraryAlgorithm& algorithm : library.of(what.form)) {
      if (algorithm.collective == what.collective && algorithm.name == own->name) {
        return &algorithm;
      }
    }
  }
  return nullptr;
}

std::vector<Requirement> requirements_of(const Case& what) {
  if (!what.variant.is<LibraryOwn>()) return {};
  const LibraryAlgorithm* algorithm = find_library_algorithm(what);
  if (algorithm == nullptr) return {{Demand::known, "may do harm"}};
  const kernels::Params params = kernels::Params::parse(what.variant.params());
  std::vector<Requirement> all;
  std::ranges::copy_if(algorithm->requirements, std::back_inserter(all),
                       [&](const Requirement& each) {
                         return each.with.empty() || params.find(each.with).has_value();
                       });
  return all;
}

bool can_guard(const Case& what, Demand demand) {
  // Open MPI's rules ask for sizes alone.
  if (what.variant.library()->library != "mpich") return false;
  switch (demand) {
    case Demand::commuting:
      return reduces(what.collective) && what.collective != Collective::scan &&
             what.collective != Collective::exscan;
    case Demand::built_in:
      return (what.collective == Collective::allreduce || what.collective == Collective::reduce) &&
             !mpich::is_composition(what.variant.library()->name);
    case Demand::equal_counts: return what.collective == Collective::reduce_scatter;
    case Demand::not_in_place: return personalised(what.collective);
    case Demand::power_of_two: return true;
    case Demand::not_empty: return what.collective == Collective::alltoall;  // by its size
    default: return false;
  }
}

std::vector<Requirement> unguarded(const Case& what) {
  std::vector<Requirement> left = requirements_of(what);
  std::erase_if(left, [&](const Requirement& each) { return can_guard(what, each.demand); });
  return left;
}

bool takes_one_algorithm(const Case& what) {
  const LibraryOwn* const own = what.variant.library();
  return own != nullptr && own->library == "openmpi" && what.form != CallForm::blocking;
}

std::string algorithm_name(Case what) {
  what.variant = what.variant.with_params({});
  return algorithm_text(what);
}

bool is_safe(const Case& what, const AlgorithmNames& allowed) {
  return unguarded(what).empty() || allowed.contains(algorithm_name(what));
}

std::string harm_of(std::span<const Requirement> requirements) {
  std::vector<std::string> words;
  for (const Requirement& each : requirements) {
    words.push_back(fmt::format("{} for {}", each.otherwise, demand_text(each.demand)));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

std::optional<std::string> refusal(const Case& what) {
  const LibraryAlgorithm* algorithm = find_library_algorithm(what);
  if (algorithm != nullptr) require_params(what, *algorithm);
  // Alone, a process needs no algorithm, and the libraries don't get as far.
  if (what.procs == 1) return "needs p > 1";
  if (algorithm == nullptr) {
    if (what.variant.params().empty()) return std::nullopt;
    return "takes no parameters that are known";
  }
  if (algorithm->runs.met(what)) return std::nullopt;
  return fmt::format("needs {}", algorithm->runs.text);
}

std::vector<std::string> library_variants(const Case& what) {
  const LibraryAlgorithm* algorithm = find_library_algorithm(what);
  if (algorithm == nullptr) return {""};
  // A segment of the whole message is none, and pipelines of a few segments hide little. A fan-out
  // of 1 is a pipeline. With a radix of p a tree has one level: rooted collectives have that as an
  // algorithm of its own, the others' exchange of one round has no other name.
  const int most_radix = rooted(what.collective) ? what.procs - 1 : what.procs;
  constexpr std::array kSegments{1024, 8192, 65536};
  constexpr std::array kFanouts{2, 8};
  constexpr std::array kRadices{2, 4, 8};
  constexpr std::array kRequests{4, 16, 64};
  std::vector<std::string> texts{""};
  const auto multiply = [&](std::string_view key, auto values, auto sensible) {
    const LibraryParam* const param = algorithm->find_param(key);
    if (param == nullptr) return;
    const std::vector<std::string> before = texts;
    for (const int value : values) {
      if (value == param->usual || !sensible(value)) continue;
      for (const std::string& text : before) {
        texts.push_back(fmt::format("{}{}{}={}", text, text.empty() ? "" : ",", key, value));
      }
    }
  };
  multiply(kFanout, kFanouts, [&](int fanout) { return fanout < what.procs - 1; });
  multiply(kRadix, kRadices, [&](int radix) { return radix <= most_radix; });
  multiply(kSegmentBytes, kSegments,
           [&](int segment) { return 2 * segment <= what.message.value; });
  // Only alltoall has more requests under way than segments: one for each process.
  if (what.collective == Collective::alltoall) {
    multiply(kMaxRequests, kRequests, [&](int requests) { return requests < what.procs - 1; });
  }
  return texts;
}

}  // namespace breakeven::libraries
