// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/mpich_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "kernels/params.hpp"

namespace breakeven::libraries::mpich {

namespace {

using namespace library_params;

constexpr Parameter kSinglePhase{"single_phase_recv", 0, "RECEXCH_SINGLE_PHASE_RECV"};
constexpr Parameter kNonBlocking{"is_non_blocking", 1, "IS_NON_BLOCKING"};
constexpr Parameter kTreeRadix{"k", 2, "TREE_KVAL", kRadix};

constexpr std::array kBrucks{Parameter{"k", 2, "BRUCKS_KVAL", kRadix}};
constexpr std::array kDissemination{Parameter{"k", 2, "DISSEM_KVAL", kRadix}};
constexpr std::array kMultiplying{Parameter{"k", 2, "RECURSIVE_MULTIPLYING_KVAL", kRadix}};
constexpr std::array kExchange{Parameter{"k", 2, "RECEXCH_KVAL", kRadix}, kSinglePhase};
constexpr std::array kBarrierExchange{
    Parameter{"k", 2, "RECEXCH_KVAL", kRadix},
    Parameter{"single_phase_recv", 0, "RECEXCH_SINGLE_PHASE_RECV", "", false}};
constexpr Parameter kKary{.leaf = "tree_type", .usual = 0, .usual_word = "kary"};
constexpr Parameter kKnomial{.leaf = "tree_type", .usual = 1, .usual_word = "knomial_1"};
constexpr std::array kBcastTree{kKary, kTreeRadix, kNonBlocking};
constexpr std::array kPipelinedTree{
    kKary, kTreeRadix, kNonBlocking,
    Parameter{"chunk_size", 8192, "TREE_PIPELINE_CHUNK_SIZE", kSegmentBytes},
    Parameter{"recv_pre_posted", 0, "RECV_PRE_POST"}};
constexpr std::array kAllreduceTree{
    kKnomial, kTreeRadix, Parameter{"chunk_size", 0, "TREE_PIPELINE_CHUNK_SIZE", kSegmentBytes},
    Parameter{"buffer_per_child", 0, "TREE_BUFFER_PER_CHILD"}};

// Of the generic transport, which nonblocking collectives have in all versions.
constexpr Parameter kWhole{"chunk_size"};
constexpr std::array kIbcastTree{kKary, Parameter{"k", 2}, kWhole};
constexpr std::array kIbcastRing{kWhole};
constexpr std::array kIallreduceTree{kKary, Parameter{"k", 2}, kWhole,
                                     Parameter{"buffer_per_child"}};

/// The longest known word with which `text` ends.
std::string_view last_word(std::string_view text, std::span<const std::string_view> known) {
  std::string_view longest;
  for (const std::string_view word : known) {
    if (text.ends_with(word) && word.size() > longest.size()) longest = word;
  }
  return longest;
}

}  // namespace

std::span<const Parameter> parameters_of(const LibraryAlgorithm& algorithm) {
  const std::string_view name = algorithm.name;
  if (name == "k_brucks") return kBrucks;
  if (name == "k_dissemination") return kDissemination;
  if (name == "k_reduce_scatter_allgather") return kExchange;
  if (name == "recursive_multiplying") return kMultiplying;
  if (name.starts_with("recexch")) {
    if (algorithm.collective == Collective::barrier) return kBarrierExchange;
    return kExchange;
  }
  if (name == "pipelined_tree") return kPipelinedTree;
  if (name == "tsp_ring" && algorithm.collective == Collective::bcast) return kIbcastRing;
  if (name == "tsp_tree" && algorithm.collective == Collective::bcast) return kIbcastTree;
  if (name == "tsp_tree" && algorithm.collective == Collective::allreduce) return kIallreduceTree;
  if (name != "tree") return {};
  if (algorithm.collective == Collective::bcast) return kBcastTree;
  return kAllreduceTree;
}

const Parameter* find_parameter(Collective collective, CallForm form, std::string_view end) {
  const auto all = form == CallForm::blocking ? mpich_algorithms() : mpich_nonblocking();
  for (const LibraryAlgorithm& each : all) {
    if (each.collective != collective) continue;
    const auto parameters = parameters_of(each);
    const auto found = std::ranges::find(parameters, end, &Parameter::variable);
    if (found != parameters.end()) return &*found;
  }
  return nullptr;
}

int value_of(const Parameter& parameter, const Case& what) {
  if (parameter.param.empty()) return parameter.usual;
  return kernels::Params::parse(what.variant.params())
      .find_number(parameter.param, 1)
      .value_or(parameter.usual);
}

std::string variable_name(Collective collective, std::string_view end, CallForm form) {
  std::string name{kCollectives.of(collective)};
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return fmt::format("MPIR_CVAR_{}{}_{}", form == CallForm::blocking ? "" : "I", name, end);
}

std::vector<std::string> listed_words(std::string_view description,
                                      std::span<const std::string_view> known) {
  std::vector<std::string> choices;
  for (std::size_t dash = description.find(" - "); dash != std::string_view::npos;
       dash = description.find(" - ", dash + 1)) {
    std::string_view before = description.substr(0, dash);
    while (before.ends_with(' ')) before.remove_suffix(1);
    choices.emplace_back(last_word(before, known));
  }
  return choices;
}

std::size_t listed_numbers(std::string_view description) {
  std::size_t numbers = 0;
  std::size_t at = description.find("0 Auto");
  while (at != std::string_view::npos) {
    at = description.find(fmt::format("{} ", numbers + 1), at + 1);
    if (at != std::string_view::npos) ++numbers;
  }
  return numbers;
}

}  // namespace breakeven::libraries::mpich
