// SPDX-License-Identifier: BSD-3-Clause
#include "sim/machine_file.hpp"

// The worker links this folder, and should not need the library of toml++ on every node for it.
#define TOML_HEADER_ONLY 1
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/unknown.hpp"

namespace breakeven::sim {

namespace {

constexpr std::array kLimits{std::pair{"procs", &Limits::procs},
                             std::pair{"procs_per_node", &Limits::procs_per_node},
                             std::pair{"message_bytes", &Limits::message_bytes}};
constexpr std::array kOrigin{std::pair{"library", &Origin::library},
                             std::pair{"library_version", &Origin::library_version},
                             std::pair{"processor", &Origin::processor},
                             std::pair{"layout", &Origin::layout},
                             std::pair{"date", &Origin::date},
                             std::pair{"breakeven_version", &Origin::breakeven_version},
                             std::pair{"command", &Origin::command},
                             std::pair{"source", &Origin::source}};

/// Reads the parts of one file.
class Reader {
 public:
  explicit Reader(std::string file) : file_{std::move(file)} {}

  MachineDescription read(std::string_view toml) const {
    toml::table root;
    try {
      root = toml::parse(toml, file_);
    } catch (const toml::parse_error& error) {
      throw wrong(error.source(), fmt::format("not TOML: {}", std::string{error.description()}));
    }
    check_keys(root, {"name", "model", "ranges", "algorithms", "limits", "origin", "errors"});
    const std::string model = text("model", needed(root, "model"));
    MachineDescription description{.name = text("name", needed(root, "name")),
                                   .general = machine(root, model)};
    for (const toml::table* const each : tables(root, "algorithms")) {
      check_keys(*each, {"name", "ranges"});
      const std::string name = text("name", needed(*each, "name"));
      if (!description.by_algorithm.emplace(name, machine(*each, model)).second) {
        throw wrong(each->source(), fmt::format("'{}' was said before", name));
      }
    }
    for (const toml::table* const each : tables(root, "errors")) {
      check_keys(*each, {"name", "shared", "own", "cases"});
      const toml::node* const name = each->get("name");
      description.errors[name == nullptr ? "" : text("name", *name)] = {
          .shared = number("shared", needed(*each, "shared")),
          .own = number("own", needed(*each, "own")),
          .cases = static_cast<int>(count("cases", needed(*each, "cases")))};
    }
    read_parts(root, "limits", kLimits, [&](const auto& key, const toml::node& value, auto limit) {
      description.limits.*limit = count(key, value);
    });
    read_parts(root, "origin", kOrigin, [&](const auto& key, const toml::node& value, auto part) {
      description.origin.*part = text(key, value);
    });
    return description;
  }

 private:
  /// Reads those of a table's keys that are there.
  template <typename Parts, typename Read>
  void read_parts(const toml::table& root, std::string_view name, const Parts& parts,
                  const Read& read) const {
    const toml::table* const found = table(root, name);
    if (found == nullptr) return;
    std::vector<std::string_view> known;
    for (const auto& [key, part] : parts) known.emplace_back(key);
    check_keys(*found, known);
    for (const auto& [key, part] : parts) {
      if (const toml::node* const value = found->get(key)) read(key, *value, part);
    }
  }

  [[nodiscard]] UsageError wrong(const toml::source_region& at, std::string_view what) const {
    return UsageError(fmt::format("{}:{}: {}", file_, at.begin.line, what));
  }

  void check_keys(const toml::table& table, const std::vector<std::string_view>& known) const {
    for (const auto& [key, value] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      throw wrong(key.source(), unknown("key", key.str(), known));
    }
  }

  [[nodiscard]] const toml::node& needed(const toml::table& table, std::string_view key) const {
    if (const toml::node* const value = table.get(key)) return *value;
    throw wrong(table.source(), fmt::format("has no '{}'", key));
  }

  [[nodiscard]] std::string text(std::string_view key, const toml::node& node) const {
    const auto value = node.value_exact<std::string>();
    if (!value || value->empty())
      throw wrong(node.source(), fmt::format("'{}' is not a text", key));
    return *value;
  }

  [[nodiscard]] double number(std::string_view key, const toml::node& node) const {
    const auto value = node.value<double>();
    if (!node.is_number() || !value || !(*value >= 0) || !std::isfinite(*value)) {
      throw wrong(node.source(), fmt::format("'{}' is not a number of 0 or more", key));
    }
    return *value;
  }

  [[nodiscard]] std::int64_t count(std::string_view key, const toml::node& node) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < 1)
      throw wrong(node.source(), fmt::format("'{}' is not a whole number of 1 or more", key));
    return *value;
  }

  [[nodiscard]] const toml::table* table(const toml::table& root, std::string_view key) const {
    const toml::node* const value = root.get(key);
    if (value != nullptr && !value->is_table()) {
      throw wrong(value->source(), fmt::format("'{0}' is not a table [{0}]", key));
    }
    return value == nullptr ? nullptr : value->as_table();
  }

  [[nodiscard]] std::vector<const toml::table*> tables(const toml::table& root,
                                                       std::string_view key) const {
    const toml::node* const value = root.get(key);
    if (value == nullptr) return {};
    if (!value->is_array_of_tables()) {
      throw wrong(value->source(), fmt::format("'{0}' is not a list of tables [[{0}]]", key));
    }
    std::vector<const toml::table*> found;
    for (const toml::node& each : *value->as_array()) found.push_back(each.as_table());
    return found;
  }

  [[nodiscard]] Parameters parameters(const toml::table& range, std::string_view model,
                                      ModelKeys keys) const {
    Parameters found;
    try {
      found = parameters_of(model, keys);
    } catch (const UsageError& error) {
      throw wrong(range.source(), error.what());
    }
    if (keys.empty()) return found;
    const std::string_view key = keys.begin()->first;
    throw wrong(range.get(key)->source(),
                fmt::format("no key '{}'; known: {} up_to_bytes replicates", key, form_of(model)));
  }

  [[nodiscard]] FittedMachine machine(const toml::table& root, std::string_view model) const {
    const auto ranges = tables(root, "ranges");
    if (ranges.empty()) throw wrong(root.source(), "has no [[ranges]]");
    FittedMachine fitted;
    fitted.machine.ranges.clear();
    for (const toml::table* const each : ranges) add(fitted, *each, model, each == ranges.back());
    return fitted;
  }

  void add(FittedMachine& fitted, const toml::table& table, std::string_view model,
           bool is_last) const {
    Range range;
    const toml::node* const limit = table.get("up_to_bytes");
    if (limit == nullptr && !is_last) {
      throw wrong(table.source(), "a range that is not the last has no 'up_to_bytes'");
    }
    if (limit != nullptr && is_last) {
      throw wrong(limit->source(), "the last range is for all longer messages, without a limit");
    }
    if (limit != nullptr) range.up_to_bytes = number("up_to_bytes", *limit);
    std::vector<Range>& ranges = fitted.machine.ranges;
    if (!ranges.empty() && !(range.up_to_bytes > ranges.back().up_to_bytes)) {
      throw wrong(limit->source(), "is not more than the 'up_to_bytes' of the range before");
    }
    ModelKeys keys;
    for (const auto& [key, value] : table) {
      if (key != "up_to_bytes" && key != "replicates") keys[key.str()] = number(key.str(), value);
    }
    range.parameters = parameters(table, model, keys);
    const bool is_first = ranges.empty();
    ranges.push_back(range);
    add_replicates(fitted, table, model, keys, is_first);
  }

  void add_replicates(FittedMachine& fitted, const toml::table& range, std::string_view model,
                      ModelKeys keys, bool is_first) const {
    std::map<std::string_view, const toml::array*> columns;
    if (const toml::table* const replicates = table(range, "replicates")) {
      for (const auto& [key, value] : *replicates) {
        if (!keys.contains(key.str())) {
          throw wrong(key.source(), fmt::format("'{}' is not a key of its range", key.str()));
        }
        if (!value.is_array()) throw wrong(value.source(), "is not a list of numbers");
        columns.emplace(key.str(), value.as_array());
      }
    }
    const std::size_t size = columns.empty() ? 0 : columns.begin()->second->size();
    Machine none;
    none.ranges.clear();
    if (is_first) fitted.replicates.assign(size, none);
    const bool alike =
        std::ranges::all_of(columns, [&](const auto& each) { return each.second->size() == size; });
    if (!alike || size != fitted.replicates.size()) {
      throw wrong(range.source(),
                  "its replicates are not as many as those of other keys or ranges");
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (const auto& [key, column] : columns) keys[key] = number(key, *column->get(i));
      fitted.replicates[i].ranges.push_back(
          {parameters(range, model, keys), fitted.machine.ranges.back().up_to_bytes});
    }
  }

  std::string file_;
};

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(each) < ' ' ? ' ' : each;
  }
  return quoted + '"';
}

/// @param prefix  of the tables' names: "algorithms." below an algorithm
void append(std::string& toml, const FittedMachine& fitted, std::string_view prefix) {
  const std::vector<Range>& ranges = fitted.machine.ranges;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    toml += fmt::format("\n[[{}ranges]]\n", prefix);
    if (std::isfinite(ranges[i].up_to_bytes)) {
      toml += fmt::format("up_to_bytes = {:.0f}\n", ranges[i].up_to_bytes);
    }
    const std::vector<ModelKey> keys = keys_of(ranges[i].parameters);
    std::string replicates;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      std::vector<std::string> values;
      bool varies = false;
      for (const Machine& each : fitted.replicates) {
        const double value = keys_of(each.ranges[i].parameters)[k].value;
        varies = varies || value != keys[k].value;
        values.push_back(fmt::format("{:.6g}", value));
      }
      if (varies || !keys[k].may_be_left_out) {
        toml += fmt::format("{} = {}\n", keys[k].key, keys[k].value);
      }
      if (varies) replicates += fmt::format("{} = [{}]\n", keys[k].key, fmt::join(values, ", "));
    }
    if (!replicates.empty()) {
      toml += fmt::format("[{}ranges.replicates]\n{}", prefix, replicates);
    }
  }
}

}  // namespace

double Limits::doublings_beyond(int at_procs, int at_procs_per_node, Bytes message) const {
  const auto beyond = [](std::int64_t value, const std::optional<std::int64_t>& limit) {
    if (!limit || value <= *limit) return 0.0;
    return std::log2(static_cast<double>(value) / static_cast<double>(*limit));
  };
  return beyond(at_procs, procs) + beyond(at_procs_per_node, procs_per_node) +
         beyond(message.value, message_bytes);
}

std::optional<ModelError> MachineDescription::error_of(Collective collective,
                                                       std::string_view algorithm,
                                                       std::string_view params,
                                                       double doublings_beyond) const {
  const std::string_view of_collective = kCollectives.of(collective);
  const std::string own_name = fmt::format("{}/{}", of_collective, algorithm);
  auto found = errors.find(own_name);
  if (found == errors.end()) found = errors.find(of_collective);
  if (found == errors.end()) found = errors.find("");
  if (found == errors.end()) return std::nullopt;
  ModelError error = found->second;
  const auto others = errors.find("");
  const ModelError& step = others == errors.end() ? error : others->second;
  error.shared = std::hypot(error.shared, std::sqrt(doublings_beyond) * step.shared);
  const double steps =
      doublings_beyond + (!params.empty() && by_algorithm.contains(own_name) ? 1 : 0);
  error.own = std::hypot(error.own, std::sqrt(steps) * step.own);
  return error;
}

const FittedMachine& MachineDescription::of(Collective collective,
                                            std::string_view algorithm) const {
  const auto found =
      by_algorithm.find(fmt::format("{}/{}", kCollectives.of(collective), algorithm));
  return found == by_algorithm.end() ? general : found->second;
}

MachineDescription parse_machine(std::string_view toml, const std::string& file) {
  return Reader{file}.read(toml);
}

MachineDescription read_machine_file(const std::filesystem::path& file) {
  return parse_machine(read_file(file), file.string());
}

std::string to_toml(const MachineDescription& description) {
  std::string toml = fmt::format("name = {}\nmodel = {}\n", in_quotes(description.name),
                                 in_quotes(description.general.machine.model()));
  auto begin_table = [&toml, begun = std::string_view{}](std::string_view name) mutable {
    if (begun != name) toml += fmt::format("\n[{}]\n", name);
    begun = name;
  };
  for (const auto& [key, part] : kOrigin) {
    const std::string& text = description.origin.*part;
    if (text.empty()) continue;
    begin_table("origin");
    toml += fmt::format("{} = {}\n", key, in_quotes(text));
  }
  for (const auto& [key, part] : kLimits) {
    const auto& limit = description.limits.*part;
    if (!limit) continue;
    begin_table("limits");
    toml += fmt::format("{} = {}\n", key, *limit);
  }
  append(toml, description.general, "");
  for (const auto& [name, fitted] : description.by_algorithm) {
    toml += fmt::format("\n[[algorithms]]\nname = {}\n", in_quotes(name));
    append(toml, fitted, "algorithms.");
  }
  for (const auto& [name, error] : description.errors) {
    toml += "\n[[errors]]\n";
    if (!name.empty()) toml += fmt::format("name = {}\n", in_quotes(name));
    toml += fmt::format("shared = {:.4g}\nown = {:.4g}\ncases = {}\n", error.shared, error.own,
                        error.cases);
  }
  return toml;
}

}  // namespace breakeven::sim
