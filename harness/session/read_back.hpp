// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/launch/job.hpp"
#include "tables/formats/emitter.hpp"

namespace breakeven::session {

/// Whether this program can make the format's library load a file.
[[nodiscard]] bool can_read_back(const formats::Emitter& format);

/// Starts a process of the library that loads the file as a user's process would, and asks whether
/// it has.
/// @return the failure, in the library's words where it ended; empty: it has loaded the file.
/// @pre can_read_back(format)
[[nodiscard]] std::string read_back(const formats::Emitter& format,
                                    const std::filesystem::path& file, std::string_view text,
                                    const launch::Library& library);

/// The cost for each process in MPI_Init to load a file: the median of several starts of one
/// process with it, less that of alternating starts without it.
struct StartUp {
  Seconds time{};
  Bytes memory{};
};
/// @throws Error where the library doesn't start.
/// @pre read_back found no failure
[[nodiscard]] StartUp start_up(const formats::Emitter& format, const std::filesystem::path& file,
                               std::string_view text, const launch::Library& library);

}  // namespace breakeven::session
