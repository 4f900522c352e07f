// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/unknown.hpp"
#include "harness/launch/child_process.hpp"

namespace breakeven::cli {

namespace {

template <typename Names>
std::vector<std::string> all_of(const Names& names) {
  std::vector<std::string> words;
  for (const auto& entry : names.entries) words.emplace_back(entry.name);
  return words;
}

}  // namespace

CLI::Option* add_text(CLI::App& app, const OptionText& text,
                      const std::function<void(const std::string&)>& take) {
  const bool noted = text.usual.empty() || text.help.ends_with(']');
  const std::string name = text.name.substr(0, text.name.find(','));
  return app
      .add_option(
          text.name,
          [name, take](const CLI::results_t& words) {
            try {
              take(words.front());
            } catch (const UsageError& error) {
              throw CLI::ValidationError(name, error.what());
            }
            return true;
          },
          noted ? text.help : fmt::format("{} [{}]", text.help, text.usual))
      ->type_name(text.value);
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& value,
                        const std::vector<std::string_view>& words, const std::string& help) {
  return add_text(app, {name, help, plan::alternatives(words), value},
                  [&value, name, words](const std::string& text) {
                    if (std::ranges::find(words, text) == words.end()) {
                      const std::string kind =
                          CLI::detail::to_lower(name.substr(name.find_first_not_of('-')));
                      throw UsageError(unknown(kind, text, words));
                    }
                    value = text;
                  });
}

std::vector<std::string> words_of(const CLI::Option& option) {
  std::string value =
      option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
  value = value.substr(0, value.find(",..."));
  if (value == "COLLECTIVE") return all_of(kCollectives);
  if (value == "DATATYPE") return all_of(kDatatypes);
  if (value == "OP") return all_of(kOps);
  if (value == "MACHINE") return {"mpich", "openmpi"};
  if (value == "MAPPING") return {"seq", "rr"};
  if (value.find('|') == std::string::npos) return {};
  std::erase_if(value, [](char each) { return each == '[' || each == ']'; });
  std::vector<std::string> words;
  for (std::string_view rest = value; !rest.empty();) words.emplace_back(take_part(rest, '|'));
  return words;
}

std::string command_line(const CLI::App& app, const std::map<std::string, std::string>& usual,
                         const std::string& name, const std::vector<std::string_view>& only) {
  launch::ChildProcess::Command command{
      .arguments = {"breakeven", name.empty() ? app.get_name() : name}};
  for (const CLI::Option* option : app.get_options()) {
    const std::string flag = option->get_name();
    if (!only.empty() && std::ranges::find(only, flag) == only.end()) continue;
    const auto instead = usual.find(flag);
    const std::string separator(1, option->get_delimiter());
    if (option->count() > 0 && option->get_type_size() == 0) {
      command.add({flag});
    } else if (option->count() > 0) {
      command.add({flag, fmt::format("{}", fmt::join(option->results(), separator))});
    } else if (instead != usual.end()) {
      command.add({flag, instead->second});
    }
  }
  return launch::to_text(command);
}

}  // namespace breakeven::cli
