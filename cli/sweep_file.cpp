// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/settings.hpp"
#include "core/error.hpp"
#include "core/unknown.hpp"

namespace breakeven::cli {

namespace {

/// A value as the flag of the same name would be given it.
std::string flag_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return fmt::format("{}", *number);
  if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
  if (const auto truth = node.value_exact<bool>()) return fmt::format("{}", *truth);
  const toml::array* list = node.as_array();
  if (list == nullptr) throw UsageError("is neither a text, a number, a truth value nor a list");
  std::vector<std::string> parts;
  for (const toml::node& part : *list) parts.push_back(flag_text(part));
  return fmt::format("{}", fmt::join(parts, ","));
}

void apply(plan::Sweep& sweep, std::string_view key, const toml::node& value) {
  const auto found = std::ranges::find(settings(), key, &Setting::key);
  if (found == settings().end()) {
    std::vector<std::string_view> known;
    for (const Setting& setting : settings()) known.push_back(setting.key);
    throw UsageError(unknown("key", key, known));
  }
  try {
    found->set(sweep, flag_text(value));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", key, error.what()));
  }
}

}  // namespace

plan::Sweep parse_sweep(std::string_view toml, const std::string& name, plan::Sweep sweep) {
  toml::table table;
  try {
    table = toml::parse(toml, name);
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("{}:{}: not TOML: {}", name, error.source().begin.line,
                                 std::string{error.description()}));
  }
  for (const auto& [key, value] : table) {
    try {
      apply(sweep, key.str(), value);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}:{}: {}", name, value.source().begin.line, error.what()));
    }
  }
  return sweep;
}

std::string to_toml(const plan::Sweep& sweep) {
  std::string toml;
  for (const Setting& setting : settings()) {
    const std::string text = setting.text(sweep);
    const bool lines = text.find('\n') != std::string::npos;  // a file's
    toml += fmt::format("{} = {}{}{}\n", setting.key, lines ? "'''\n" : "\"", text,
                        lines ? "'''" : "\"");
  }
  return toml;
}

}  // namespace breakeven::cli
