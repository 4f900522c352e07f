// SPDX-License-Identifier: BSD-3-Clause
#include "mock_ups/mock_up.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace breakeven::mock_ups {

namespace {

using enum Collective;

constexpr std::string_view kPgmpi = "[hunold2016p]";
constexpr std::string_view kCirculant2 = "[traff2023] (2)";
constexpr std::string_view kCirculant3 = "[traff2023] (3)";
constexpr std::string_view kCirculant4 = "[traff2023] (4)";
constexpr std::string_view kCirculant5 = "[traff2023] (5)";
constexpr std::string_view kCirculant6 = "[traff2023] (6)";
constexpr std::string_view kHere = "here";

constexpr std::array kAll{
    MockUp{allgather, "allgatherv", "its blocks may all be equal", kPgmpi},
    MockUp{allgather, "allreduce", "the others' blocks are zeros in a bitwise or", kPgmpi},
    MockUp{allgather, "alltoall", "each sends its block to all", kPgmpi},
    MockUp{allgather, "gather+bcast", "the root passes on what it has gathered", kPgmpi},

    MockUp{allgatherv, "allgather", "each block may be padded to the largest", kHere},
    MockUp{allgatherv, "allreduce", "the others' blocks are zeros in a bitwise or", kHere},
    MockUp{allgatherv, "alltoallv", "each sends its block to all", kHere},
    MockUp{allgatherv, "bcast", "the one block that is not empty goes to all", kHere, true},
    MockUp{allgatherv, "gatherv+bcast", "the root passes on what it has gathered", kHere},

    MockUp{allreduce, "reduce+bcast", "the root passes on the result", kPgmpi},
    MockUp{allreduce, "reduce_scatter+allgatherv", "all collect the reduced parts", kPgmpi},
    MockUp{allreduce, "reduce_scatter_block+allgather",
           "all collect the reduced parts, which may be padded", kCirculant4},

    MockUp{alltoall, "alltoallv", "its blocks may all be equal", kPgmpi},

    MockUp{bcast, "allgatherv", "all parts but the root's may be empty", kPgmpi},
    MockUp{bcast, "scatter+allgather", "all collect the parts of the root's vector", kPgmpi},
    MockUp{bcast, "scatterv+allgatherv", "all collect the parts of the root's vector", kHere},

    MockUp{gather, "allgather", "the root gets what all get", kPgmpi},
    MockUp{gather, "gatherv", "its blocks may all be equal", kPgmpi},
    MockUp{gather, "reduce", "the others' blocks are zeros in a bitwise or", kPgmpi},

    MockUp{gatherv, "allgatherv", "the root gets what all get", kHere},
    MockUp{gatherv, "gather", "each block may be padded to the largest", kHere},
    MockUp{gatherv, "reduce", "the others' blocks are zeros in a bitwise or", kHere},

    MockUp{reduce, "allreduce", "the root gets what all get", kCirculant5},
    MockUp{reduce, "reduce_scatter", "all blocks but the root's may be empty", kCirculant6},
    MockUp{reduce, "reduce_scatter+gatherv", "the root collects the reduced parts", kPgmpi},
    MockUp{reduce, "reduce_scatter_block+gather",
           "the root collects the reduced parts, which may be padded", kPgmpi},

    MockUp{reduce_scatter, "allreduce", "each takes its block of the result", kPgmpi},
    MockUp{reduce_scatter, "reduce", "the one block that is not empty is its owner's", kCirculant6,
           true},
    MockUp{reduce_scatter, "reduce+scatterv", "the root sends each its block", kPgmpi},
    MockUp{reduce_scatter, "reduce_scatter_block", "each block may be padded to the largest",
           kHere},

    MockUp{reduce_scatter_block, "allreduce", "each takes its block of the result", kCirculant2},
    MockUp{reduce_scatter_block, "reduce+scatter", "the root sends each its block", kCirculant3},
    MockUp{reduce_scatter_block, "reduce_scatter", "its blocks may all be equal", kPgmpi},

    MockUp{scan, "exscan+reduce_local", "each adds its own to those before it", kPgmpi},

    MockUp{scatter, "bcast", "each takes its block of what all get", kPgmpi},
    MockUp{scatter, "scatterv", "its blocks may all be equal", kPgmpi},

    MockUp{scatterv, "bcast", "each takes its block of what all get", kHere},
    MockUp{scatterv, "scatter", "each block may be padded to the largest", kHere},
};

/// The forms of a collective by other ones, as a library may do them itself.
std::vector<MockUp> of_forms(Collective collective) {
  constexpr auto kWaits = "a call may be started and completed at once";
  constexpr auto kReturns = "a call may be complete when it returns";
  return {{collective, "nonblocking", kWaits, kHere, false, CallForm::blocking},
          {collective, "blocking", kReturns, kHere, false, CallForm::nonblocking},
          {collective, "blocking", kReturns, kHere, false, CallForm::persistent}};
}

std::vector<MockUp> by_collective() {
  std::vector<MockUp> all;
  for (const auto& [collective, name] : kCollectives.entries) {
    std::ranges::copy_if(kAll, std::back_inserter(all),
                         [&](const MockUp& each) { return each.collective == collective; });
    std::ranges::move(of_forms(collective), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::span<const MockUp> catalogue() {
  static const std::vector<MockUp> all = by_collective();
  return all;
}

bool serves(const MockUp& mock_up, const Case& problem) {
  return mock_up.collective == problem.collective && mock_up.form == problem.form &&
         (!mock_up.one_block || fill_one_block(problem.counts));
}

bool runs_in_programs(const MockUp& mock_up) {
  if (kCallForms.find(mock_up.terms)) return false;
  switch (mock_up.collective) {
    case allgather:
    case allreduce:
    case alltoall:
    case bcast:
    case gather:
    case reduce:
    case reduce_scatter_block:
    case scan:
    case scatter: return true;
    default: return false;
  }
}

const MockUp* find(Collective collective, const Variant& variant, CallForm form) {
  const Composed* const mock_up = variant.mock_up();
  const auto all = catalogue();
  const auto found = std::ranges::find_if(all, [&](const MockUp& each) {
    return mock_up != nullptr && each.collective == collective && each.terms == mock_up->terms &&
           each.form == form;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace breakeven::mock_ups
