// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/print.hpp"

#include <fmt/format.h>

#include "core/json.hpp"

namespace breakeven::kernels {

namespace {

Json place(Location at) { return {kBuffers.of(at.buffer), at.block}; }

Json to_object(const Comm& comm) {
  if (const auto* send = std::get_if<Send>(&comm)) {
    Json run{{"to", send->to.value}, {"from", place(send->from)}, {"count", send->count}};
    if (send->more) run["more"] = true;
    return {{"send", std::move(run)}};
  }
  const auto& recv = std::get<Recv>(comm);
  Json run{{"source", recv.source.value}, {"into", place(recv.into)}, {"count", recv.count}};
  if (recv.more) run["more"] = true;
  return {{"recv", std::move(run)}};
}

Json to_object(const Local& local) {
  if (const auto* copy = std::get_if<Copy>(&local)) {
    return {{"copy",
             {{"from", place(copy->from)}, {"into", place(copy->into)}, {"count", copy->count}}}};
  }
  const auto& reduce = std::get<Reduce>(local);
  return {{"reduce",
           {{"a", place(reduce.a)},
            {"b", place(reduce.b)},
            {"into", place(reduce.into)},
            {"count", reduce.count}}}};
}

Json to_object(const Round& round) {
  Json object = Json::object();
  for (const Comm& comm : round.comm) object["comm"].push_back(to_object(comm));
  for (const Local& local : round.local) object["local"].push_back(to_object(local));
  return object;
}

std::string to_line(Message message) {
  std::string line;
  for (const Comm& comm : message) {
    const auto* send = std::get_if<Send>(&comm);
    const auto* recv = std::get_if<Recv>(&comm);
    if (!line.empty()) {
      line += ", ";
    } else {
      line = send != nullptr ? fmt::format("send to {:<4} ", send->to.value)
                             : fmt::format("recv from {:<2} ", recv->source.value);
    }
    line += send != nullptr ? to_text(send->from, send->count) : to_text(recv->into, recv->count);
  }
  return line;
}

std::string to_line(const Local& local) {
  if (const auto* copy = std::get_if<Copy>(&local)) {
    return fmt::format("copy         {} -> {}", to_text(copy->from, copy->count),
                       to_text(copy->into, copy->count));
  }
  const auto& reduce = std::get<Reduce>(local);
  return fmt::format("reduce       {} op {} -> {}", to_text(reduce.a, reduce.count),
                     to_text(reduce.b, reduce.count), to_text(reduce.into, reduce.count));
}

}  // namespace

std::string Title::text(int blocks) const {
  const std::string params = problem.params.text();
  std::string text =
      fmt::format("{}/{}{}{}, p = {}, blocks = {}", kCollectives.of(problem.collective), algorithm,
                  params.empty() ? "" : ":", params, problem.procs, blocks);
  if (rooted(problem.collective)) text += fmt::format(", root = {}", problem.root.value);
  return text;
}

std::string to_json(const Title& title, std::span<const Schedule> world) {
  Json ranks = Json::array();
  for (std::size_t rank = 0; rank < world.size(); ++rank) {
    Json rounds = Json::array();
    for (const Round& round : world[rank].rounds) rounds.push_back(to_object(round));
    ranks.push_back({{"rank", rank}, {"rounds", std::move(rounds)}});
  }
  Json root = nullptr;
  if (rooted(title.problem.collective)) root = title.problem.root.value;
  Json params = Json::object();
  for (const auto& [key, value] : title.problem.params.entries()) params[key] = value;
  const Json document{{"format", "breakeven-schedule-1"},
                      {"collective", kCollectives.of(title.problem.collective)},
                      {"algorithm", title.algorithm},
                      {"params", std::move(params)},
                      {"procs", world.size()},
                      {"root", std::move(root)},
                      {"blocks", world.front().blocks},
                      {"ranks", std::move(ranks)}};
  return document.dump() + "\n";
}

std::string to_text(const Title& title, std::span<const Schedule> world) {
  std::string text = title.text(world.front().blocks) + "\n";
  for (std::size_t rank = 0; rank < world.size(); ++rank) {
    text += fmt::format("rank {}\n", rank);
    int number = 0;
    for (const Round& round : world[rank].rounds) {
      std::string label = fmt::format("  round {:<3}", number++);
      const auto add = [&](const std::string& line) {
        text += fmt::format("{} {}\n", label, line);
        label.assign(label.size(), ' ');
      };
      for_messages(round.comm, [&](Message message) { add(to_line(message)); });
      for (const Local& local : round.local) add(to_line(local));
    }
  }
  return text;
}

}  // namespace breakeven::kernels
