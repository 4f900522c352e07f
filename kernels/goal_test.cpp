// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/goal.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <sstream>
#include <tuple>

#include "core/units.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/timeline.hpp"

namespace breakeven::kernels {
namespace {

struct Operation {
  char kind = 'c';  // send, recv, calc
  std::int64_t amount = 0;
  int partner = 0;
  int tag = 0;
  std::vector<std::size_t> required{};
};
using Ranks = std::vector<std::vector<Operation>>;

/// The text as a simulator has to read it; throws on all that is not in the language.
class Reader {
 public:
  explicit Reader(const std::string& text) : lines_{text} {}

  Ranks read() {
    expect("num_ranks");
    const auto count = number();
    Ranks ranks;
    for (std::int64_t rank = 0; rank < count; ++rank) {
      expect("rank");
      if (number() != rank) throw Error("ranks out of order");
      expect("{");
      ranks.push_back(operations());
    }
    if (std::string more; lines_ >> more) throw Error("text after the last rank: " + more);
    return ranks;
  }

 private:
  std::string word() {
    std::string next;
    if (!(lines_ >> next)) throw Error("the text ends early");
    return next;
  }
  void expect(std::string_view what) {
    if (const std::string next = word(); next != what) throw Error("unexpected " + next);
  }
  static std::int64_t number_between(std::string_view text, std::string_view before,
                                     std::string_view after) {
    if (!text.starts_with(before) || !text.ends_with(after)) throw Error("not a number");
    text.remove_prefix(before.size());
    text.remove_suffix(after.size());
    const auto value = number_in<std::int64_t>(text, 0);
    if (!value) throw Error("not a number: " + std::string{text});
    return *value;
  }
  std::int64_t number() { return number_between(word(), "", ""); }

  std::vector<Operation> operations() {
    std::vector<Operation> found;
    const auto known = [&](std::int64_t label) {
      if (label < 1 || label > static_cast<std::int64_t>(found.size()))
        throw Error("no such label");
      return static_cast<std::size_t>(label - 1);
    };
    for (std::string first = word(); first != "}"; first = word()) {
      const std::string second = word();
      if (second == "requires") {
        const std::size_t label = known(number_between(first, "l", ""));
        found[label].required.push_back(known(number_between(word(), "l", "")));
        continue;
      }
      if (number_between(first, "l", ":") != static_cast<std::int64_t>(found.size()) + 1) {
        throw Error("labels out of order");
      }
      Operation& operation = found.emplace_back(Operation{.kind = second.front()});
      if (second == "calc") {
        operation.amount = number();
        continue;
      }
      if (second != "send" && second != "recv") throw Error("unknown operation " + second);
      operation.amount = number_between(word(), "", "b");
      expect(second == "send" ? "to" : "from");
      operation.partner = static_cast<int>(number());
      expect("tag");
      operation.tag = static_cast<int>(number());
    }
    return found;
  }

  std::istringstream lines_;
};

/// Performs the operations: a message takes from when both sides are ready 1, a calc no time.
/// @return when the last operation ends
/// @throws Error when some never begin, or sends and receives don't pair
double replay(const Ranks& ranks) {
  std::map<std::tuple<int, int, int>, std::pair<int, std::size_t>> receives;  // source, to, tag
  for (int rank = 0; rank < static_cast<int>(ranks.size()); ++rank) {
    const auto& operations = ranks[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const auto& [kind, amount, partner, tag, required] = operations[i];
      if (kind == 'r' && !receives.try_emplace({partner, rank, tag}, rank, i).second) {
        throw Error("two receives of one tag");
      }
    }
  }
  std::vector<std::vector<std::optional<double>>> ends;
  for (const auto& operations : ranks) ends.emplace_back(operations.size());
  const auto ready = [&](int rank, std::size_t i) -> std::optional<double> {
    double begin = 0;
    const auto at = static_cast<std::size_t>(rank);
    for (const std::size_t required : ranks[at][i].required) {
      if (!ends[at][required]) return std::nullopt;
      begin = std::max(begin, *ends[at][required]);
    }
    return begin;
  };
  double last = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (int rank = 0; rank < static_cast<int>(ranks.size()); ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      for (std::size_t i = 0; i < ranks[at].size(); ++i) {
        const Operation& operation = ranks[at][i];
        const auto begin = ready(rank, i);
        if (ends[at][i] || !begin || operation.kind == 'r') continue;
        ends[at][i] = *begin;
        if (operation.kind == 's') {
          const auto [to, place] = receives.at({rank, operation.partner, operation.tag});
          const Operation& receive = ranks[static_cast<std::size_t>(to)][place];
          if (receive.amount != operation.amount) throw Error("sizes differ");
          const auto other = ready(to, place);
          ends[at][i].reset();
          if (!other) continue;
          ends[at][i] = std::max(*begin, *other) + 1;
          ends[static_cast<std::size_t>(to)][place] = ends[at][i];
        }
        last = std::max(last, *ends[at][i]);
        moved = true;
      }
    }
  }
  for (const auto& of_rank : ends) {
    if (!std::ranges::all_of(of_rank, [](const auto& end) { return end.has_value(); })) {
      throw Error("some operations never begin");
    }
  }
  return last;
}

std::int64_t total(const Ranks& ranks, char kind) {
  std::int64_t sum = 0;
  for (const Operation& each : ranks | std::views::join) sum += each.kind == kind ? each.amount : 0;
  return sum;
}

TEST(Goal, RunsThroughAndTakesTheRoundsOfTheSchedules) {
  for (const auto& [collective, name] : kCollectives.entries) {
    if (irregular(collective)) continue;
    for (const Algorithm* const algorithm : catalogue(collective)) {
      for (const int procs : {2, 3, 7, 8, 12}) {
        const Problem problem{.collective = collective, .procs = procs};
        if (!runs(*algorithm, problem)) continue;
        SCOPED_TRACE(fmt::format("{}/{} p = {}", name, algorithm->name, procs));
        const Exchange exchange = exchange_of(*algorithm, problem);
        const CollectiveCall call{.problem = problem, .count = 100, .datatype = Datatype::byte};
        const Ranks ranks = Reader{to_goal(exchange, call, [](double bytes) {
                              return Seconds{2e-9 * bytes};
                            })}.read();
        EXPECT_EQ(ranks.size(), static_cast<std::size_t>(procs));
        EXPECT_EQ(replay(ranks),
                  timeline(exchange, std::vector<double>(exchange.transfers.size(), 1)).end);
        std::int64_t sent = 0;
        std::int64_t reduced = 0;
        for (const Transfer& message : exchange.transfers) {
          for (const BlockRange& range : exchange.blocks_of(message.carried)) {
            sent += bytes_of(call, exchange.blocks, range).value;
          }
        }
        for (const RankRound& round : exchange.rounds) {
          for (const BlockRange& range : exchange.blocks_of(round.reduced)) {
            reduced += bytes_of(call, exchange.blocks, range).value;
          }
        }
        EXPECT_EQ(total(ranks, 's'), sent);
        EXPECT_EQ(total(ranks, 'r'), sent);
        EXPECT_EQ(total(ranks, 'c'), 2 * reduced);  // nanoseconds
      }
    }
  }
}

TEST(Goal, IsTheTextThatLogGopsimReads) {
  const Problem problem{.collective = Collective::allreduce, .procs = 2};
  const Algorithm& algorithm = find_algorithm(Collective::allreduce, "recursive_doubling");
  const Exchange exchange = exchange_of(algorithm, problem);
  EXPECT_EQ(to_goal(exchange, {.problem = problem, .count = 8, .datatype = Datatype::byte},
                    [](double bytes) { return Seconds{1e-9 * bytes}; }),
            R"(num_ranks 2

rank 0 {
l1: send 8b to 1 tag 0
l2: recv 8b from 1 tag 0
l3: calc 8
l3 requires l1
l3 requires l2
}

rank 1 {
l1: send 8b to 0 tag 0
l2: recv 8b from 0 tag 0
l3: calc 8
l3 requires l1
l3 requires l2
}
)");
}

TEST(Goal, OfAProgramHasCallsOneAfterTheOther) {
  const Problem problem{.collective = Collective::bcast, .procs = 2};
  const Exchange exchange = exchange_of(find_algorithm(Collective::bcast, "binomial"), problem);
  const CollectiveCall call{.problem = problem, .count = 8, .datatype = Datatype::byte};
  Goal goal{3};
  const std::vector<int> ranks{0, 2};
  goal.compute(0, {5e-9});
  for (int times = 0; times < 2; ++times)
    goal.call(exchange, call, ranks, [](double) { return Seconds{}; });
  EXPECT_EQ(goal.text(), R"(num_ranks 3

rank 0 {
l1: calc 5
l2: send 8b to 2 tag 0
l2 requires l1
l3: send 8b to 2 tag 1
l3 requires l2
}

rank 1 {
}

rank 2 {
l1: recv 8b from 0 tag 0
l2: recv 8b from 0 tag 1
l2 requires l1
}
)");
}

}  // namespace
}  // namespace breakeven::kernels
