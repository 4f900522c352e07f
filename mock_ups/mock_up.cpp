// SPDX-License-Identifier: BSD-3-Clause
#include "mock_ups/mock_up.hpp"

#include <algorithm>
#include <array>

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
    MockUp{allgather, "native:allgatherv", "its blocks may all be equal", kPgmpi},
    MockUp{allgather, "native:allreduce", "the others' blocks are zeros in a bitwise or", kPgmpi},
    MockUp{allgather, "native:alltoall", "each sends its block to all", kPgmpi},
    MockUp{allgather, "native:gather+bcast", "the root passes on what it has gathered", kPgmpi},

    MockUp{allgatherv, "native:allgather", "each block may be padded to the largest", kHere},
    MockUp{allgatherv, "native:allreduce", "the others' blocks are zeros in a bitwise or", kHere},
    MockUp{allgatherv, "native:alltoallv", "each sends its block to all", kHere},
    MockUp{allgatherv, "native:bcast", "the one block that is not empty goes to all", kHere, true},
    MockUp{allgatherv, "native:gatherv+bcast", "the root passes on what it has gathered", kHere},

    MockUp{allreduce, "native:reduce+bcast", "the root passes on the result", kPgmpi},
    MockUp{allreduce, "native:reduce_scatter+allgatherv", "all collect the reduced parts", kPgmpi},
    MockUp{allreduce, "native:reduce_scatter_block+allgather",
           "all collect the reduced parts, which may be padded", kCirculant4},

    MockUp{alltoall, "native:alltoallv", "its blocks may all be equal", kPgmpi},

    MockUp{bcast, "native:allgatherv", "all parts but the root's may be empty", kPgmpi},
    MockUp{bcast, "native:scatter+allgather", "all collect the parts of the root's vector", kPgmpi},
    MockUp{bcast, "native:scatterv+allgatherv", "all collect the parts of the root's vector",
           kHere},

    MockUp{gather, "native:allgather", "the root gets what all get", kPgmpi},
    MockUp{gather, "native:gatherv", "its blocks may all be equal", kPgmpi},
    MockUp{gather, "native:reduce", "the others' blocks are zeros in a bitwise or", kPgmpi},

    MockUp{gatherv, "native:allgatherv", "the root gets what all get", kHere},
    MockUp{gatherv, "native:gather", "each block may be padded to the largest", kHere},
    MockUp{gatherv, "native:reduce", "the others' blocks are zeros in a bitwise or", kHere},

    MockUp{reduce, "native:allreduce", "the root gets what all get", kCirculant5},
    MockUp{reduce, "native:reduce_scatter", "all blocks but the root's may be empty", kCirculant6},
    MockUp{reduce, "native:reduce_scatter+gatherv", "the root collects the reduced parts", kPgmpi},
    MockUp{reduce, "native:reduce_scatter_block+gather",
           "the root collects the reduced parts, which may be padded", kPgmpi},

    MockUp{reduce_scatter, "native:allreduce", "each takes its block of the result", kPgmpi},
    MockUp{reduce_scatter, "native:reduce", "the one block that is not empty is its owner's",
           kCirculant6, true},
    MockUp{reduce_scatter, "native:reduce+scatterv", "the root sends each its block", kPgmpi},
    MockUp{reduce_scatter, "native:reduce_scatter_block", "each block may be padded to the largest",
           kHere},

    MockUp{reduce_scatter_block, "native:allreduce", "each takes its block of the result",
           kCirculant2},
    MockUp{reduce_scatter_block, "native:reduce+scatter", "the root sends each its block",
           kCirculant3},
    MockUp{reduce_scatter_block, "native:reduce_scatter", "its blocks may all be equal", kPgmpi},

    MockUp{scan, "native:exscan+reduce_local", "each adds its own to those before it", kPgmpi},

    MockUp{scatter, "native:bcast", "each takes its block of what all get", kPgmpi},
    MockUp{scatter, "native:scatterv", "its blocks may all be equal", kPgmpi},

    MockUp{scatterv, "native:bcast", "each takes its block of what all get", kHere},
    MockUp{scatterv, "native:scatter", "each block may be padded to the largest", kHere},
};

}  // namespace

std::span<const MockUp> catalogue() { return kAll; }

bool serves(const MockUp& mock_up, const Case& problem) {
  return mock_up.collective == problem.collective &&
         (!mock_up.one_block || fill_one_block(problem.counts));
}

bool runs_in_programs(const MockUp& mock_up) {
  switch (mock_up.collective) {
    case allgather:
    case allreduce:
    case bcast:
    case gather:
    case reduce:
    case reduce_scatter_block:
    case scatter: return true;
    default: return false;
  }
}

const MockUp* find(Collective collective, std::string_view algorithm) {
  const auto found = std::ranges::find_if(kAll, [&](const MockUp& each) {
    return each.collective == collective && each.name == algorithm;
  });
  return found == kAll.end() ? nullptr : &*found;
}

std::string_view terms_of(std::string_view algorithm) {
  return algorithm.substr(algorithm.find(':') + 1);
}

bool is_mock_up(std::string_view algorithm) { return algorithm.starts_with("native:"); }

}  // namespace breakeven::mock_ups
