// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/specialise.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace breakeven::formats::mpich {

namespace {

Chain without_answered(const Chain& chain, Known known, bool at_call) {
  Chain open;
  for (const Node& each : chain) {
    if (each.leaf()) {
      open.push_back(each);
      continue;
    }
    const Question asked = question_in(each.key);
    at_call |= !of_communicator(asked);
    const std::optional<bool> answer = known.answer(asked, at_call);
    if (answer == false) continue;
    Known below = known;
    below.add(asked, true, at_call);
    Chain rest = without_answered(each.below, std::move(below), at_call);
    if (answer && open.empty()) return rest;
    const bool limit = asked.sign != "=" || asked.of == "comm_size";
    std::string key = answer && limit ? fmt::format("{}=any", asked.of) : each.key;
    if (!answer && asked.of == "comm_size" && asked.sign == "<") {
      // Below a question about the call this lets one more pass: there it may come to stand.
      const int most = std::stoi(std::string{asked.value}) - (at_call ? 0 : 1);
      key = fmt::format("comm_size<={}", most);
    }
    open.push_back(node(std::move(key), std::move(rest)));
    if (answer) break;
    known.add(asked, false, at_call);
  }
  return open;
}

}  // namespace

Chain specialise(const Chain& chain, const Communicators& which) {
  Known known;
  known.add({"comm_hierarchy", "=", name_of(which.hierarchy)}, true, false);
  known.add({"comm_size", "<=", fmt::format("{}", which.least - 1)}, false, false);
  known.add({"comm_size", "<=", fmt::format("{}", which.most)}, true, false);
  return without_answered(chain, std::move(known), false);
}

Chain without_answered(const Chain& chain) { return without_answered(chain, {}, false); }

}  // namespace breakeven::formats::mpich
