// SPDX-License-Identifier: BSD-3-Clause
#include "tables/order.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/error.hpp"

namespace breakeven::tables {

namespace {

bool same(const Step& one, const Step& other) {
  return one.call == other.call && std::ranges::equal(one.body, other.body, same);
}

std::size_t size_of(const Step& step) {
  std::size_t size = 1;
  for (const Step& each : step.body) size += size_of(each);
  return size;
}

int first_call(const Step& step) {
  return step.body.empty() ? step.call : first_call(step.body.front());
}

/// One process came to the same step again.
void add_times(Step& step, const Step& again) {
  const double share =
      static_cast<double>(again.times) / static_cast<double>(step.times + again.times);
  step.before_s += share * (again.before_s - step.before_s);
  step.turns += share * (again.turns - step.turns);
  step.times += again.times;
  for (std::size_t i = 0; i < step.body.size(); ++i) add_times(step.body[i], again.body[i]);
}

/// Other processes came to the same step.
void add_procs(Step& step, int procs, const Step& others, int other_procs) {
  const double share = static_cast<double>(other_procs) / (procs + other_procs);
  const double difference = others.before_s - step.before_s;
  step.apart_s = std::sqrt((1 - share) * step.apart_s * step.apart_s +
                           share * others.apart_s * others.apart_s +
                           share * (1 - share) * difference * difference);
  step.before_s += share * difference;
  step.turns += share * (others.turns - step.turns);
  for (std::size_t i = 0; i < step.body.size(); ++i)
    add_procs(step.body[i], procs, others.body[i], other_procs);
}

Json step_json(const Step& step) {
  if (step.body.empty())
    return {{"call", step.call}, {"before_s", step.before_s}, {"apart_s", step.apart_s}};
  Json body = Json::array();
  for (const Step& each : step.body) body.push_back(step_json(each));
  return {{"turns", step.turns}, {"steps", std::move(body)}};
}

Step step_of(const Json& json) {
  Step step;
  if (json.contains("call")) {
    step.call = json.at("call");
    step.before_s = json.at("before_s");
    step.apart_s = json.at("apart_s");
    return step;
  }
  step.turns = json.at("turns");
  for (const Json& each : json.at("steps")) step.body.push_back(step_of(each));
  if (step.body.empty() || !(step.turns >= 1))
    throw UsageError("an order has a loop without steps or turns");
  return step;
}

}  // namespace

void Order::add(int call, double before_s) {
  complete = complete && size_ < kMostSteps;
  if (!complete) return;
  ++calls;
  ++size_;
  if (in_turn_) {
    const std::size_t loop = steps.size() - 1 - turn_;
    in_turn_ = steps[loop].body[turn_].call == call;
    if (in_turn_) {
      steps.push_back({.call = call, .before_s = before_s});
      if (++turn_ == steps[loop].body.size()) end_turn(loop);
      return;
    }
  }
  end_loops(call);
  steps.push_back({.call = call, .before_s = before_s});
  fold();
}

void Order::close() { end_loops(Step::kLoop); }

/// A loop is compared with others once it has ended, whatever its turns were.
void Order::end_loops(int next_call) {
  while (!steps.empty() && !steps.back().body.empty() && first_call(steps.back()) != next_call) {
    if (!fold()) return;
  }
}

/// The last steps become a turn of the loop before them, or, with the same ones before, a loop.
bool Order::fold() {
  in_turn_ = false;
  const std::size_t size = steps.size();
  for (std::size_t length = 1; length <= kWindow && length < size; ++length) {
    const std::size_t begin = size - length;
    const auto last = std::span{steps}.last(length);
    if (std::ranges::equal(steps[begin - 1].body, last, same)) {
      end_turn(begin - 1);
      return true;
    }
    if (begin < length || !same(steps[begin - 1], last.back())) continue;
    const auto before = std::span{steps}.subspan(begin - length, length);
    if (!std::ranges::equal(before, last, same)) continue;
    Step loop{.body = {before.begin(), before.end()}};
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(begin), std::move(loop));
    ++size_;
    end_turn(begin);
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(begin - length),
                steps.begin() + static_cast<std::ptrdiff_t>(begin));
    return true;
  }
  return false;
}

/// All steps after the loop are its next turn.
void Order::end_turn(std::size_t loop) {
  Step& its = steps[loop];
  its.turns += 1;
  for (std::size_t i = 0; i < its.body.size(); ++i) {
    size_ -= size_of(steps[loop + 1 + i]);
    add_times(its.body[i], steps[loop + 1 + i]);
  }
  steps.resize(loop + 1);
  turn_ = 0;
  in_turn_ = true;
}

bool Order::merge(const Order& others) {
  if (!std::ranges::equal(steps, others.steps, same)) return false;
  for (std::size_t i = 0; i < steps.size(); ++i)
    add_procs(steps[i], procs, others.steps[i], others.procs);
  procs += others.procs;
  complete = complete && others.complete;
  return true;
}

Json order_json(const Order& order) {
  Json steps = Json::array();
  for (const Step& each : order.steps) steps.push_back(step_json(each));
  return {{"procs", order.procs},
          {"calls", order.calls},
          {"complete", order.complete},
          {"steps", std::move(steps)}};
}

Order order_of(const Json& json) {
  Order order;
  order.procs = json.at("procs");
  order.calls = json.at("calls");
  order.complete = json.at("complete");
  for (const Json& each : json.at("steps")) order.steps.push_back(step_of(each));
  return order;
}

}  // namespace breakeven::tables
