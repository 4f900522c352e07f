// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace breakeven::sim {

/// Messages among ports, each of which carries one at a time. Ports with even numbers send.
struct PortGraph {
  struct Link {
    int message = 0;
    int other = 0;  ///< the port at its other end
  };
  std::vector<Link> links{};   ///< of each port its messages, ascending
  std::vector<int> begins{};   ///< by port: of its links
  std::vector<int> ends{};     ///< likewise; HeaviestMatching leaves out those that have begun
  std::vector<int> weights{};  ///< by port
  std::vector<char> free{};    ///< by port: whether a message can begin there
  std::vector<char> begun{};   ///< by message

  [[nodiscard]] std::span<const Link> links_of(int port) const {
    const auto number = static_cast<std::size_t>(port);
    return {links.begin() + begins[number], links.begin() + ends[number]};
  }
};

/// Messages that could begin and share no port, such that the ports that they take weigh most in
/// all. Where every port weighs as many messages as it has, all that have most are taken, so that
/// a graph without its matching needs one step less (Koenig's theorem).
///
/// Ports are tried from the heaviest on, each by an alternating path that gives up none of those
/// before it: the sets of ports that messages can take are a matroid. Of equal ones senders come
/// first, then the port whose first message comes first; the first message that can is taken. Keeps
/// its memory from one call to the next.
class HeaviestMatching {
 public:
  /// @param asked  ports, each once: of each message that could begin one end at least
  /// @return messages; until the next call
  [[nodiscard]] std::span<const int> of(PortGraph& graph, std::span<const int> asked);

 private:
  static constexpr int kNone = -1;
  struct Port {
    bool is_vertex = false;
    bool fixed = false;  // it stays taken
    int begin = 0;       // in links_
    int end = 0;
    int chosen = kNone;  // the message that takes it
    int partner = kNone;
    std::uint64_t seen = 0;  // in which search it was last reached
  };
  struct Place {
    std::uint64_t key = 0;
    int port = 0;
  };

  Port& at(int port) { return ports_[static_cast<std::size_t>(port)]; }
  [[nodiscard]] std::span<const PortGraph::Link> links_of(const Port& port) const {
    return {links_.begin() + port.begin, links_.begin() + port.end};
  }
  /// The free ports that are asked or joined to these, each with its messages that could begin.
  std::span<const int> list_vertices(PortGraph& graph, std::span<const int> asked);
  /// Takes a message without a competitor; lists a port with a choice.
  void decide_or_list(const PortGraph& graph, int port);
  void match();
  bool reach(int port);

  std::vector<Port> ports_;
  std::vector<int> vertices_;           // free ports, with or without messages that could begin
  std::vector<PortGraph::Link> links_;  // of messages that could begin
  std::vector<Place> order_;            // those with a choice, the heaviest first
  std::vector<int> found_;
  std::uint64_t search_ = 0;
};

}  // namespace breakeven::sim
