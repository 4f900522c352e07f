// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace breakeven::tuner {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kForm = 1;  // of the file: one that this version does not know is refused

Json json_of(const Use& use, const Amount& amount) {
  return {{"collective", kCollectives.of(use.collective)},
          {"procs", use.layout.procs},
          {"nodes", use.layout.nodes},
          {"procs_per_node", use.layout.procs_per_node},
          {"mapping", to_text(use.layout.mapping)},
          {"message_bytes", use.message.value},
          {"datatype", use.datatype},
          {"op", use.op},
          {"in_place", use.in_place},
          {"algorithm", use.algorithm},
          {"calls", amount.calls},
          {"time_s", amount.seconds}};
}

Use use_of(const Json& json) {
  return {.collective = kCollectives.parse(json.at("collective").get<std::string>()),
          .layout = {.procs = json.at("procs"),
                     .nodes = json.at("nodes"),
                     .procs_per_node = json.at("procs_per_node"),
                     .mapping = Mapping::parse(json.at("mapping").get<std::string>())},
          .message = {json.at("message_bytes")},
          .datatype = json.at("datatype"),
          .op = json.at("op"),
          .in_place = json.at("in_place"),
          .algorithm = json.at("algorithm")};
}

Json json_of(const Profile& profile) {
  Json uses = Json::array();
  for (const auto& [use, amount] : profile.uses) uses.push_back(json_of(use, amount));
  Json json{{"library_version", profile.library_version},
            {"cpu", profile.cpu},
            {"procs", profile.procs},
            {"wall_s", profile.wall_s},
            {"uses", std::move(uses)}};
  if (!profile.command.empty()) json["command"] = profile.command;
  for (const Profile& each : profile.programs) json["programs"].push_back(json_of(each));
  return json;
}

Profile profile_of(const Json& json) {
  Profile profile{.library_version = json.at("library_version"),
                  .cpu = json.at("cpu"),
                  .procs = json.at("procs"),
                  .wall_s = json.at("wall_s"),
                  .command = json.value("command", "")};
  for (const Json& use : json.at("uses")) {
    const Amount amount{.calls = use.at("calls"), .seconds = use.at("time_s")};
    const Use what = use_of(use);
    if (what.layout.procs < 1 || what.message.value < 0 || !(amount.seconds >= 0)) {
      throw UsageError(fmt::format("no profile of Breakeven: p = {}, {} B, {} s", what.layout.procs,
                                   what.message.value, amount.seconds));
    }
    profile.uses[what] = amount;
  }
  for (const Json& each : json.value("programs", Json::array())) {
    profile.programs.push_back(profile_of(each));
  }
  return profile;
}

}  // namespace

Amount& Amount::operator+=(const Amount& more) {
  calls += more.calls;
  seconds += more.seconds;
  return *this;
}

void add(const std::map<Use, Amount>& uses, std::map<Use, Amount>& sums) {
  for (const auto& [use, amount] : uses) sums[use] += amount;
}

ProgramTime program_time(const Profile& profile) {
  ProgramTime time;
  for (const auto& [use, amount] : profile.uses) {
    if (!(amount.seconds > 0)) continue;
    time[{use.collective, use.layout.procs, use.layout.mapping, use.message}].value +=
        amount.seconds;
  }
  return time;
}

Profile sum_of(std::vector<Profile> programs) {
  Profile sum = programs.front();
  if (programs.size() == 1) return sum;
  sum.command.clear();
  sum.uses.clear();
  sum.wall_s = 0;
  for (const Profile& each : programs) {
    sum.procs = std::max(sum.procs, each.procs);
    sum.wall_s += each.wall_s;
    add(each.uses, sum.uses);
  }
  sum.programs = std::move(programs);
  return sum;
}

std::string to_json(const Profile& profile) {
  Json json{{"breakeven_profile", kForm}};
  json.update(json_of(profile));
  return json.dump(1) + '\n';
}

Profile read_profile(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("breakeven_profile") != kForm) {
      throw UsageError(fmt::format("a profile of form {}; this Breakeven reads form {}",
                                   json.at("breakeven_profile").dump(), kForm));
    }
    return profile_of(json);
  } catch (const Json::exception& error) {
    throw UsageError(fmt::format("no profile of Breakeven: {}", error.what()));
  }
}

}  // namespace breakeven::tuner
