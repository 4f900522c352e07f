// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/library_setting.hpp"

/// Which settings of an MPI library, and of the transports below it, change what a measurement is.
namespace breakeven::libraries {

/// The setting that an environment variable makes: "coll_tuned_allreduce_algorithm" of
/// "OMPI_MCA_coll_tuned_allreduce_algorithm", "MPIR_CVAR_BCAST_MIN_PROCS" of
/// "MPICH_BCAST_MIN_PROCS", else the variable's own name. Nothing where the variable belongs
/// neither to the library ("mpich", "openmpi") nor to a transport.
[[nodiscard]] std::optional<std::string> setting_of(std::string_view library,
                                                    std::string_view variable);

/// Whether a setting of a library or a transport changes what collectives or transports do: not
/// where it is the launcher's, or only makes a component say more.
[[nodiscard]] bool changes_measurements(std::string_view setting);

/// Variables of an environment.
using Environment = std::map<std::string, std::string>;

/// The environment that this process was started with: variables that an MPI library sets while
/// it starts are none of the user's settings.
[[nodiscard]] Environment initial_environment();

/// The settings of transports and of preloaded libraries that an environment makes, and those in
/// UCX's files.
[[nodiscard]] LibrarySettings transport_settings(const Environment& environment);

}  // namespace breakeven::libraries
