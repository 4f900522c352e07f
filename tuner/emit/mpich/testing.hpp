// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "libraries/library_algorithm.hpp"
#include "tuner/emit/mpich/search.hpp"
#include "tuner/emit/mpich/selection_tree.hpp"
#include "tuner/emit/test_settings.hpp"
#include "tuner/testing.hpp"

namespace breakeven::testing {

[[nodiscard]] inline std::string testdata(std::string_view name) {
  std::ifstream stream(std::string{kTestdata} + "/" + std::string{name});
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What a worker reports of Debian 12's MPICH.
[[nodiscard]] inline Provenance mpich_provenance() {
  Provenance provenance = some_provenance();
  provenance.offer.default_trees = {{"mpir", testdata("mpich-4.0.2-mpir.json")},
                                    {"ch4", testdata("mpich-4.0.2-ch4.json")}};
  provenance.allowed_unsafe = {"mpich:bcast/nb", "mpich:reduce_scatter/pairwise",
                               "mpich:reduce_scatter_block/noncommutative"};
  return provenance;
}

[[nodiscard]] inline Rule library_rule(Collective collective, const std::string& algorithm,
                                       int procs, std::int64_t bytes,
                                       const Mapping& mapping = Mapping::seq, int nodes = 1) {
  return {.what = {.collective = collective,
                   .algorithm = algorithm == kNative ? algorithm : "mpich:" + algorithm,
                   .procs = procs,
                   .nodes = nodes,
                   .procs_per_node = procs / nodes,
                   .mapping = mapping,
                   .message = {bytes},
                   .datatype = Datatype::int_,
                   .op = reduces(collective) ? Op::sum : Op::none},
          .first_measured = {bytes},
          .last_measured = {bytes},
          .doubt = Doubt::sure,
          .launches = 3,
          .coverage = 0.75};
}

[[nodiscard]] inline Table library_table(std::vector<Rule> rules) {
  return {.candidates = Candidates::library,
          .datatype = Datatype::int_,
          .op = Op::sum,
          .root = {},
          .rules = std::move(rules)};
}

/// Several process counts, sizes, mappings, and an algorithm for each kind of need.
[[nodiscard]] inline Table mpich_table() {
  using enum Collective;
  const Mapping blocked = Mapping::blocked(2);
  return library_table({
      library_rule(allgather, "recursive_doubling", 2, 8),
      library_rule(allgather, "brucks", 2, 1000),
      library_rule(allgather, "ring", 5, 8),
      library_rule(allreduce, "native", 2, 8),
      library_rule(allreduce, "reduce_scatter_allgather", 2, 64),
      library_rule(allreduce, "recursive_doubling", 4, 8),
      library_rule(allreduce, "native", 4, 2048),
      library_rule(allreduce, "reduce_scatter_allgather", 4, 4096),
      library_rule(allreduce, "recursive_doubling", 8, 8),
      library_rule(allreduce, "smp", 8, 1024, Mapping::seq, 2),
      library_rule(alltoall, "brucks", 4, 8),
      library_rule(alltoall, "pairwise", 4, 512),
      library_rule(alltoallw, "nb", 4, 8),
      library_rule(barrier, "dissemination", 4, 0),
      library_rule(bcast, "scatter_ring_allgather", 4, 8),
      library_rule(bcast, "binomial", 4, 4096),
      library_rule(bcast, "binomial", 4, 8, Mapping::rr, 2),
      library_rule(bcast, "nb", 8, 8, blocked, 2),
      library_rule(bcast, "native", 8, 8),
      library_rule(exscan, "nb", 4, 8),
      library_rule(gather, "nb", 2, 8),
      library_rule(gather, "nb", 4, 8),
      library_rule(gather, "binomial", 4, 1024),
      library_rule(gatherv, "linear", 4, 8),
      library_rule(reduce, "native", 4, 8),
      library_rule(reduce_scatter, "pairwise", 4, 8),
      library_rule(reduce_scatter_block, "noncommutative", 4, 8),
      library_rule(reduce_scatter_block, "recursive_halving", 4, 512),
      library_rule(scan, "recursive_doubling", 4, 8),
  });
}

/// What a worker reports of Debian 13's MPICH.
[[nodiscard]] inline Provenance mpich_4_2_provenance() {
  Provenance provenance = some_provenance();
  provenance.machine.library_version = "MPICH Version: 4.2.1";
  provenance.offer.default_trees = {{"mpir", testdata("mpich-4.2.1-mpir.json")},
                                    {"ch4", testdata("mpich-4.2.1-ch4.json")}};
  provenance.allowed_unsafe = {"mpich:allgather/k_brucks", "mpich:allreduce/recexch"};
  return provenance;
}

[[nodiscard]] inline Rule variant_rule(Collective collective, const std::string& variant, int procs,
                                       std::int64_t bytes, int nodes = 1) {
  Rule rule = library_rule(collective, std::string{kNative}, procs, bytes, Mapping::seq, nodes);
  rule.what = with_variant(rule.what, "mpich:" + variant);
  return rule;
}

/// Of what 4.0 doesn't have: compositions, on two nodes where they need them, and parameters.
[[nodiscard]] inline Table mpich_4_2_table() {
  using enum Collective;
  return library_table({
      variant_rule(allgather, "k_brucks:radix=4", 4, 8, 2),
      variant_rule(allgather, "composition_beta", 4, 1024, 2),
      variant_rule(allreduce, "recexch:radix=4", 4, 8, 2),
      variant_rule(allreduce, "composition_alpha", 4, 1024, 2),
      variant_rule(allreduce, "composition_beta", 4, 65536, 2),
      variant_rule(barrier, "k_dissemination:radix=4", 4, 0, 2),
      variant_rule(bcast, "pipelined_tree:radix=4,segment_bytes=1024", 4, 8, 2),
      variant_rule(bcast, "composition_beta", 4, 4096, 2),
      variant_rule(reduce, "composition_gamma", 4, 8, 2),
  });
}

/// The tree in a text.
[[nodiscard]] inline mpich::Chain tree_of(std::string_view text) {
  mpich::ParsedTree parsed = mpich::parse_tree(text);
  EXPECT_FALSE(parsed.fault) << parsed.fault->line << ": " << parsed.fault->reason;
  return parsed.chain;
}

/// The key of the leaf that a call comes to; empty where it comes to none.
[[nodiscard]] inline std::string leaf_for(const mpich::Chain& tree, const mpich::Call& call) {
  const mpich::Node* leaf = mpich::search(tree, call);
  return leaf == nullptr ? "" : leaf->key;
}

}  // namespace breakeven::testing
