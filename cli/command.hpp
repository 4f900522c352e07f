// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <string_view>

namespace CLI {
class App;
}

namespace breakeven::cli {

/// The exit status of what was interrupted, or ran out of its budget, and resumes if run again.
inline constexpr int kEndedEarly = 4;

/// One subcommand of `breakeven`.
struct Command {
  std::string_view name;
  std::string_view summary;   ///< one line, in the list of commands
  std::string_view examples;  ///< the end of its --help
  /// Adds its options to `app`. Returns what runs once they are parsed: it gives the exit status,
  /// or throws.
  std::function<int()> (*setup)(CLI::App& app);
};

namespace check_command {
extern const Command command;
}
namespace clocks_command {
extern const Command command;
}
namespace completion_command {
extern const Command command;
}
namespace compare_command {
extern const Command command;
}
namespace doctor_command {
extern const Command command;
}
namespace fit_command {
extern const Command command;
}
namespace launch_command {
extern const Command command;
}
namespace machines_command {
extern const Command command;
}
namespace merge_command {
extern const Command command;
}
namespace plot_command {
extern const Command command;
}
namespace predict_command {
extern const Command command;
}
namespace profile_command {
extern const Command command;
}
namespace report_command {
extern const Command command;
}
namespace run_command {
extern const Command command;
}
namespace schedule_command {
extern const Command command;
}
namespace show_command {
extern const Command command;
}
namespace status_command {
extern const Command command;
}
namespace submit_command {
extern const Command command;
}
namespace sweep_command {
extern const Command command;
}
namespace tables_command {
extern const Command command;
}
namespace timeline_command {
extern const Command command;
}
namespace tune_command {
extern const Command command;
}
namespace verify_command {
extern const Command command;
}
namespace worker_command {
extern const Command command;
}

/// In the order in which a user meets them.
inline constexpr std::array kCommands{
    &machines_command::command, &doctor_command::command,  &clocks_command::command,
    &launch_command::command,   &sweep_command::command,   &submit_command::command,
    &status_command::command,   &merge_command::command,   &show_command::command,
    &tune_command::command,     &tables_command::command,  &verify_command::command,
    &run_command::command,      &profile_command::command, &compare_command::command,
    &check_command::command,    &plot_command::command,    &report_command::command,
    &schedule_command::command, &fit_command::command,     &predict_command::command,
    &timeline_command::command, &worker_command::command,  &completion_command::command};

/// The program: parses, runs the chosen command, and prints an error in one line.
/// @return the exit status
int run(int argc, char** argv);

}  // namespace breakeven::cli
