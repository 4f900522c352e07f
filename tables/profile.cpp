// SPDX-License-Identifier: BSD-3-Clause
#include "tables/profile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/json.hpp"

/// In one field: "openmpi:chain:fanout=2".
template <>
struct breakeven::JsonOf<breakeven::Variant> : JsonText<Variant, Variant::parse> {};

namespace breakeven::tables {

namespace {

constexpr int kForm = 4;  // of the file: one that this version does not know is refused

/// A line of a profile.
struct UseLine {
  Use use{};
  Amount amount{};
};
constexpr auto fields(std::type_identity<UseLine>) {
  return std::tuple{Field<&UseLine::use, &Use::collective>{},
                    Field<&UseLine::use, &Use::form>{},
                    Field<&UseLine::use, &Use::layout, &NodeLayout::procs>{.least = 1},
                    Field<&UseLine::use, &Use::layout, &NodeLayout::nodes>{.least = 1},
                    Field<&UseLine::use, &Use::layout, &NodeLayout::procs_per_node>{.least = 1},
                    Field<&UseLine::use, &Use::layout, &NodeLayout::mapping>{},
                    Field<&UseLine::use, &Use::layout, &NodeLayout::comms_per_node>{.least = 1},
                    Field<&UseLine::use, &Use::message>{.least = 0},
                    Field<&UseLine::use, &Use::datatype>{},
                    Field<&UseLine::use, &Use::op>{},
                    Field<&UseLine::use, &Use::in_place>{},
                    Field<&UseLine::use, &Use::variant>{.name = "algorithm"},
                    Field<&UseLine::use, &Use::native>{},
                    Field<&UseLine::amount, &Amount::calls>{},
                    Field<&UseLine::amount, &Amount::processes>{.least = 0},
                    Field<&UseLine::amount, &Amount::seconds>{.name = "time_s", .least = 0},
                    Field<&UseLine::amount, &Amount::start_s>{.least = 0},
                    Field<&UseLine::amount, &Amount::under_way_s>{.least = 0},
                    Field<&UseLine::amount, &Amount::most_overlap_s>{.least = 0}};
}

/// With its kinds, by the number of each one's use in the profile's list.
Json ordered_json(const Profile& profile) {
  Json json = order_json(profile.order);
  for (const OrderedCall& each : profile.kinds) {
    json["kinds"].push_back(
        {{"use", std::distance(profile.uses.begin(), profile.uses.find(each.use))},
         {"stride", each.stride},
         {"prompt_s", each.prompt_s}});
  }
  return json;
}

Json profile_json(const Profile& profile) {
  Json uses = Json::array();
  for (const auto& [use, amount] : profile.uses) uses.push_back(json_of(UseLine{use, amount}));
  Json json{{"library_version", profile.library_version},
            {"cpu", profile.cpu},
            {"procs", profile.procs},
            {"wall_s", profile.wall_s},
            {"uses", std::move(uses)}};
  if (!profile.order.steps.empty()) json["order"] = ordered_json(profile);
  if (!profile.command.empty()) json["command"] = profile.command;
  for (const Profile& each : profile.programs) json["programs"].push_back(profile_json(each));
  return json;
}

void require_kinds(const std::vector<Step>& steps, std::ptrdiff_t kinds) {
  for (const Step& each : steps) {
    if (each.body.empty() && (each.call < 0 || each.call >= kinds))
      throw UsageError(fmt::format("an order has a call of kind {} of {}", each.call, kinds));
    require_kinds(each.body, kinds);
  }
}

/// @param uses  in the order of the file
void read_order(const Json& json, const std::vector<Use>& uses, Profile& profile) {
  profile.order = order_of(json);
  for (const Json& kind : json.at("kinds")) {
    const auto use = value_in<std::size_t>(kind.at("use"));
    if (use >= uses.size() || uses[use].form != CallForm::blocking)
      throw UsageError(fmt::format("an order has calls of {}, which is no blocking use", use));
    profile.kinds.push_back({uses[use], kind.at("stride"), kind.at("prompt_s")});
  }
  require_kinds(profile.order.steps, std::ssize(profile.kinds));
}

Profile profile_of(const Json& json) {
  Profile profile{.library_version = json.at("library_version"),
                  .cpu = json.at("cpu"),
                  .procs = json.at("procs"),
                  .wall_s = json.at("wall_s"),
                  .command = json.value("command", "")};
  std::vector<Use> uses;
  for (const Json& use : json.at("uses")) {
    const auto line = value_in<UseLine>(use);
    profile.uses[line.use] = line.amount;
    uses.push_back(line.use);
  }
  if (json.contains("order")) read_order(json.at("order"), uses, profile);
  for (const Json& each : json.value("programs", Json::array())) {
    profile.programs.push_back(profile_of(each));
  }
  return profile;
}

}  // namespace

std::string native_text(const Use& use) {
  const LibraryOwn* const own = use.native.library();
  if (own == nullptr) return "";
  return fmt::format("{} ({})", to_text(use.native),
                     own->library == "mpich" ? "derived" : "observed");
}

Case problem_of(const Use& use) {
  const Case what{.collective = use.collective,
                  .form = use.tuned_form(),
                  .message = use.message,
                  .datatype = kDatatypes.find(use.datatype).value_or(Datatype::byte)};
  return with_layout(what, use.layout);
}

Amount& Amount::operator+=(const Amount& more) {
  calls += more.calls;
  processes += more.processes;
  seconds += more.seconds;
  start_s += more.start_s;
  under_way_s += more.under_way_s;
  most_overlap_s += more.most_overlap_s;
  return *this;
}

Amount& Amount::operator/=(int divisor) {
  for (double* each : {&seconds, &start_s, &under_way_s, &most_overlap_s}) *each /= divisor;
  return *this;
}

void add_order(const Profile& others, Profile& profile) {
  const auto same = [](const OrderedCall& one, const OrderedCall& other) {
    return one.stride == other.stride && one.use == other.use;
  };
  if (!std::ranges::equal(profile.kinds, others.kinds, same)) return;
  if (!profile.order.merge(others.order)) return;
  for (std::size_t i = 0; i < profile.kinds.size(); ++i)
    profile.kinds[i].prompt_s = std::min(profile.kinds[i].prompt_s, others.kinds[i].prompt_s);
}

void add(const std::map<Use, Amount>& uses, std::map<Use, Amount>& sums) {
  for (const auto& [use, amount] : uses) sums[use] += amount;
}

std::optional<double> prompt_s(const Profile& profile, const Use& use) {
  std::optional<double> least_s;
  for (const OrderedCall& kind : profile.kinds) {
    if (kind.use == use) least_s = std::min(least_s.value_or(kind.prompt_s), kind.prompt_s);
  }
  return least_s;
}

ProgramTime program_time(const Profile& profile) {
  ProgramTime time;
  for (const auto& [use, amount] : profile.uses) {
    if (!(amount.seconds > 0)) continue;
    time[{use.collective, use.layout, use.message, use.tuned_form()}].value += amount.seconds;
  }
  return time;
}

Profile sum_of(std::vector<Profile> programs) {
  Profile sum = programs.front();
  if (programs.size() == 1) return sum;
  sum.command.clear();
  sum.uses.clear();
  sum.kinds.clear();
  sum.order = {};
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
  json.update(profile_json(profile));
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

}  // namespace breakeven::tables
