// SPDX-License-Identifier: BSD-3-Clause
// The matching against all sets of messages that share no port.
#include "sim/matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <tuple>

namespace breakeven::sim {
namespace {

using Ends = std::array<int, 2>;  // of a message: the port that sends, the port that receives

constexpr int kPorts = 8;

std::size_t index(int number) { return static_cast<std::size_t>(number); }

/// Which ports, in this order, messages take; nothing if they can't begin together.
std::vector<bool> taken(const PortGraph& graph, const std::vector<int>& order,
                        const std::vector<Ends>& messages) {
  std::vector<bool> by_port(kPorts, false);
  for (const Ends& ends : messages) {
    for (const int port : ends) {
      if (graph.free[index(port)] == 0 || by_port[index(port)]) return {};
      by_port[index(port)] = true;
    }
  }
  std::vector<bool> by_order;
  for (const int port : order) by_order.push_back(by_port[index(port)]);
  return by_order;
}

TEST(HeaviestMatching, TakesTheHeaviestPortsAndOfEqualSetsTheFirst) {
  std::mt19937 random{1};
  const auto below = [&](int limit) { return static_cast<int>(random() % index(limit)); };
  HeaviestMatching matching;
  for (int trial = 0; trial < 3000; ++trial) {
    std::set<Ends> pairs;
    for (int i = 0; i < 9; ++i) pairs.insert({2 * below(kPorts / 2), 2 * below(kPorts / 2) + 1});
    const std::vector<Ends> messages(pairs.begin(), pairs.end());
    PortGraph graph{.begun = std::vector<char>(messages.size())};
    for (char& each : graph.begun) each = below(5) == 0 ? 1 : 0;
    for (int port = 0; port < kPorts; ++port) {
      graph.weights.push_back(4 + below(3));
      graph.free.push_back(below(5) == 0 ? 0 : 1);
    }
    std::vector<int> firsts;  // by port: of the messages that could begin
    for (int port = 0; port < kPorts; ++port) {
      graph.begins.push_back(static_cast<int>(graph.links.size()));
      firsts.push_back(kPorts * kPorts);
      for (int i = 0; i < static_cast<int>(messages.size()); ++i) {
        const auto [sender, receiver] = messages[index(i)];
        if (port != sender && port != receiver) continue;
        const int other = port == sender ? receiver : sender;
        graph.links.push_back({.message = i, .other = other});
        if (graph.begun[index(i)] != 0 || graph.free[index(other)] == 0) continue;
        firsts.back() = std::min(firsts.back(), i);
      }
      graph.ends.push_back(static_cast<int>(graph.links.size()));
    }
    std::vector<int> order{0, 1, 2, 3, 4, 5, 6, 7};
    std::ranges::sort(order, {}, [&](int port) {
      return std::tuple{-graph.weights[index(port)], port % 2, firsts[index(port)]};
    });

    std::vector<bool> best;
    for (unsigned set = 0; set < 1U << messages.size(); ++set) {
      std::vector<Ends> chosen;
      bool possible = true;
      for (std::size_t i = 0; i < messages.size(); ++i) {
        if ((set >> i & 1U) == 0) continue;
        chosen.push_back(messages[i]);
        possible = possible && graph.begun[i] == 0;
      }
      if (possible) best = std::max(best, taken(graph, order, chosen));
    }
    std::vector<Ends> chosen;
    for (const int number : matching.of(graph, order)) {
      EXPECT_EQ(graph.begun[index(number)], 0) << "trial " << trial;
      chosen.push_back(messages[index(number)]);
    }
    EXPECT_EQ(taken(graph, order, chosen), best) << "trial " << trial;
  }
}

}  // namespace
}  // namespace breakeven::sim
