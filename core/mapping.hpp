// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"

namespace breakeven {

/// The node of each rank of a job. Nodes are numbered in the order of their first ranks, so node 0
/// is rank 0's. The text is the same on the command line, in the database, in tables and in plots:
///
///     seq                   fills one node after the other
///     rr                    places ranks round robin
///     blocked:2             round robin, two at a time
///     irregular:0*3.1.0.1   anything else: the node of each rank, with runs as node*length
///
/// @see [ricogallego2014], section I, for seq and rr
class Mapping {
 public:
  enum class Kind : std::uint8_t { seq, rr, blocked, irregular };

  static const Mapping seq;
  static const Mapping rr;
  /// @throws UsageError unless block >= 2: one at a time is rr.
  [[nodiscard]] static Mapping blocked(int block);
  /// @param nodes  of each rank, numbered from 0 as ranks meet them
  [[nodiscard]] static Mapping irregular(std::vector<int> nodes);
  /// @throws UsageError naming the text and what is possible.
  [[nodiscard]] static Mapping parse(std::string_view text);

  constexpr Mapping() = default;

  [[nodiscard]] Kind kind() const { return kind_; }
  /// Consecutive ranks on a node, where `blocked`.
  [[nodiscard]] int block() const { return block_; }
  /// The node of each rank, where `irregular`.
  [[nodiscard]] const std::vector<int>& listed() const;

  /// The node of a rank where each of `nodes` nodes has room for `procs_per_node` ranks.
  /// @pre the rank is one of those listed, where irregular
  [[nodiscard]] int node_of(Rank rank, int nodes, int procs_per_node) const;

  friend std::strong_ordering operator<=>(const Mapping& one, const Mapping& other);
  friend bool operator==(const Mapping& one, const Mapping& other) { return one <=> other == 0; }

 private:
  explicit constexpr Mapping(Kind kind) : kind_{kind} {}

  Kind kind_ = Kind::seq;
  int block_ = 0;
  std::shared_ptr<const std::vector<int>> listed_{};  ///< shared by copies: long in a large job
};

inline constinit const Mapping Mapping::seq{Mapping::Kind::seq};
inline constinit const Mapping Mapping::rr{Mapping::Kind::rr};

[[nodiscard]] std::string to_text(const Mapping& mapping);

/// Processes, nodes and mapping of a communicator, as requested from a launcher or as found.
struct NodeLayout {
  int procs = 1;
  int nodes = 1;
  int procs_per_node = 1;  ///< on the node that has the most
  Mapping mapping{};
  int comms_per_node = 1;  ///< communicators of this layout that call at once on the same nodes,
                           ///< for example the columns of a grid of processes; 1 for a whole job
  friend auto operator<=>(const NodeLayout&, const NodeLayout&) = default;
};

/// Whether mappings are names of the same: on one node, or with one process on each.
[[nodiscard]] constexpr bool mapped_alike(int procs, int nodes) {
  return nodes == 1 || nodes == procs;
}

/// The layout with a mapping; seq where all are the same.
[[nodiscard]] NodeLayout mapped(NodeLayout layout, const Mapping& mapping);

/// The layout of the job in which the communicators of a layout call at once.
[[nodiscard]] NodeLayout job_of(const NodeLayout& layout);

/// The job's ranks that form the communicator of one of them, in its order.
[[nodiscard]] std::vector<int> comm_of(const NodeLayout& layout, Rank of_job);

/// The node of each rank, numbered in the order of their first ranks.
[[nodiscard]] std::vector<int> nodes_of_ranks(const NodeLayout& layout);

/// The mapping of ranks on these nodes: the first of seq, rr, blocked that fits, else irregular.
/// One node, or one rank on each, is seq.
/// @param nodes  of each rank, by any numbers; not empty
[[nodiscard]] NodeLayout recognise(std::span<const int> nodes);

/// @throws UsageError naming both when the mapping does not fit the processes and nodes.
void require_fits(const NodeLayout& layout);

/// "4 x 2 seq", "4 x 1 seq, 2 at once": for messages.
[[nodiscard]] std::string to_text(const NodeLayout& layout);

/// Nodes x processes per node, "4x2", with communicators per node "4x1*2": for lists.
[[nodiscard]] std::string shape_text(const NodeLayout& layout);
/// "p = 8"; on several nodes, or of several communicators at once, "p = 8 as 2x4".
[[nodiscard]] std::string procs_text(const NodeLayout& layout);

/// @return seq
/// @throws UsageError naming the text and what is possible.
[[nodiscard]] NodeLayout parse_shape(std::string_view text);

}  // namespace breakeven
