// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/testing.hpp"
#include "tables/formats/mpich/names.hpp"
#include "tables/formats/mpich/search.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::testing {

[[nodiscard]] inline std::string testdata(std::string_view name) {
  std::ifstream stream(std::string{kTestdata} + "/" + std::string{name});
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A worker's report of Debian 12's MPICH.
[[nodiscard]] inline tables::Provenance mpich_provenance() {
  tables::Provenance provenance = tables::testing::some_provenance();
  provenance.capabilities.default_trees = {{"mpir", testdata("mpich-4.0.2-mpir.json")},
                                           {"ch4", testdata("mpich-4.0.2-ch4.json")}};
  provenance.allowed_unsafe = {"mpich:bcast/nb", "mpich:reduce_scatter/pairwise",
                               "mpich:reduce_scatter_block/noncommutative"};
  return provenance;
}

/// @param variant  without the library's name: "k_brucks:radix=4", or native
[[nodiscard]] inline tables::Rule mpich_rule(Collective collective, const std::string& variant,
                                             int procs, std::int64_t bytes,
                                             const Mapping& mapping = Mapping::seq, int nodes = 1) {
  tables::Rule rule =
      library_rule(collective, procs, bytes, variant == kNative ? variant : "mpich:" + variant);
  rule.what.nodes = nodes;
  rule.what.procs_per_node = procs / nodes;
  rule.what.mapping = mapping;
  rule.launches = 3;
  return rule;
}

/// Several process counts, sizes, mappings, and an algorithm for each kind of need.
[[nodiscard]] inline tables::Table mpich_table() {
  using enum Collective;
  const Mapping blocked = Mapping::blocked(2);
  return library_table({
      mpich_rule(allgather, "recursive_doubling", 2, 8),
      mpich_rule(allgather, "brucks", 2, 1000),
      mpich_rule(allgather, "ring", 5, 8),
      mpich_rule(allreduce, "native", 2, 8),
      mpich_rule(allreduce, "reduce_scatter_allgather", 2, 64),
      mpich_rule(allreduce, "recursive_doubling", 4, 8),
      mpich_rule(allreduce, "native", 4, 2048),
      mpich_rule(allreduce, "reduce_scatter_allgather", 4, 4096),
      mpich_rule(allreduce, "recursive_doubling", 8, 8),
      mpich_rule(allreduce, "smp", 8, 1024, Mapping::seq, 2),
      mpich_rule(alltoall, "brucks", 4, 8),
      mpich_rule(alltoall, "pairwise", 4, 512),
      mpich_rule(alltoallw, "nb", 4, 8),
      mpich_rule(barrier, "dissemination", 4, 0),
      mpich_rule(bcast, "scatter_ring_allgather", 4, 8),
      mpich_rule(bcast, "binomial", 4, 4096),
      mpich_rule(bcast, "binomial", 4, 8, Mapping::rr, 2),
      mpich_rule(bcast, "nb", 8, 8, blocked, 2),
      mpich_rule(bcast, "native", 8, 8),
      mpich_rule(exscan, "nb", 4, 8),
      mpich_rule(gather, "nb", 2, 8),
      mpich_rule(gather, "nb", 4, 8),
      mpich_rule(gather, "binomial", 4, 1024),
      mpich_rule(gatherv, "linear", 4, 8),
      mpich_rule(reduce, "native", 4, 8),
      mpich_rule(reduce_scatter, "pairwise", 4, 8),
      mpich_rule(reduce_scatter_block, "noncommutative", 4, 8),
      mpich_rule(reduce_scatter_block, "recursive_halving", 4, 512),
      mpich_rule(scan, "recursive_doubling", 4, 8),
  });
}

/// A worker's report of Debian 13's MPICH.
[[nodiscard]] inline tables::Provenance mpich_4_2_provenance() {
  tables::Provenance provenance = tables::testing::some_provenance();
  provenance.machine.library_version = "MPICH Version: 4.2.1";
  provenance.capabilities.default_trees = {{"mpir", testdata("mpich-4.2.1-mpir.json")},
                                           {"ch4", testdata("mpich-4.2.1-ch4.json")}};
  provenance.allowed_unsafe = {"mpich:allgather/k_brucks", "mpich:allreduce/recexch"};
  return provenance;
}

/// Choices that 4.0 doesn't have: compositions, on two nodes where they need them, and parameters.
[[nodiscard]] inline tables::Table mpich_4_2_table() {
  using enum Collective;
  return library_table({
      mpich_rule(allgather, "k_brucks:radix=4", 4, 8, Mapping::seq, 2),
      mpich_rule(allgather, "composition_beta", 4, 1024, Mapping::seq, 2),
      mpich_rule(allreduce, "recexch:radix=4", 4, 8, Mapping::seq, 2),
      mpich_rule(allreduce, "composition_alpha", 4, 1024, Mapping::seq, 2),
      mpich_rule(allreduce, "composition_beta", 4, 65536, Mapping::seq, 2),
      mpich_rule(barrier, "k_dissemination:radix=4", 4, 0, Mapping::seq, 2),
      mpich_rule(bcast, "pipelined_tree:radix=4,segment_bytes=1024", 4, 8, Mapping::seq, 2),
      mpich_rule(bcast, "composition_beta", 4, 4096, Mapping::seq, 2),
      mpich_rule(reduce, "composition_gamma", 4, 8, Mapping::seq, 2),
  });
}

/// Whether the device's own tree hands such a call over too: then its file need not ask which.
[[nodiscard]] inline bool flat_anyway(const tables::Provenance& provenance, const Case& problem) {
  static const std::map<std::string, mpich::Chain> kOwn{
      {"4.0.2", mpich::parse_tree(testdata("mpich-4.0.2-ch4.json")).chain},
      {"4.2.1", mpich::parse_tree(testdata("mpich-4.2.1-ch4.json")).chain}};
  const std::string version = *mpich::version_in(provenance.machine.library_version);
  const mpich::Node* const leaf = mpich::search(kOwn.at(version), mpich::call_of(problem)).leaf;
  return leaf != nullptr &&
         leaf->key == mpich::flat_leaf(problem.collective, *mpich::series_of(version)).key;
}

/// The tree in a text.
[[nodiscard]] inline mpich::Chain tree_of(std::string_view text) {
  mpich::ParsedTree parsed = mpich::parse_tree(text);
  EXPECT_FALSE(parsed.fault) << parsed.fault->line << ": " << parsed.fault->reason;
  return parsed.chain;
}

/// Whether a node has a child of this key.
[[nodiscard]] inline bool has(const mpich::Node& node, std::string_view child) {
  return std::ranges::find(node.below, child, &mpich::Node::key) != node.below.end();
}

/// The key of the leaf that a call comes to; empty where it comes to none.
[[nodiscard]] inline std::string leaf_for(const mpich::Chain& tree, const mpich::Call& call) {
  const mpich::Node* leaf = mpich::search(tree, call).leaf;
  return leaf == nullptr ? "" : leaf->key;
}

}  // namespace breakeven::formats::testing
