// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <string_view>

namespace CLI {
class App;
}

namespace breakeven::cli {

/// One subcommand of `breakeven`.
struct Command {
  std::string_view name;
  std::string_view summary;   ///< one line, in the list of commands
  std::string_view examples;  ///< the end of its --help
  /// Adds its options to `app`. Returns what runs once they are parsed: it gives the exit status,
  /// or throws.
  std::function<int()> (*setup)(CLI::App& app);
};

extern const Command check_command;
extern const Command clocks_command;
extern const Command doctor_command;
extern const Command launch_command;
extern const Command machines_command;
extern const Command merge_command;
extern const Command plot_command;
extern const Command schedule_command;
extern const Command show_command;
extern const Command status_command;
extern const Command submit_command;
extern const Command sweep_command;
extern const Command tables_command;
extern const Command tune_command;
extern const Command verify_command;

/// In the order in which a user meets them.
inline constexpr std::array kCommands{
    &machines_command, &doctor_command, &clocks_command, &launch_command, &sweep_command,
    &submit_command,   &status_command, &merge_command,  &show_command,   &tune_command,
    &tables_command,   &verify_command, &check_command,  &plot_command,   &schedule_command};

}  // namespace breakeven::cli
