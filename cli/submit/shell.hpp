// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace breakeven::cli {

/// The files of these names beside this one: the parts of a job script.
[[nodiscard]] std::string_view slurm_sh();
[[nodiscard]] std::string_view pbs_sh();
[[nodiscard]] std::string_view flux_sh();
[[nodiscard]] std::string_view sweep_sh();

}  // namespace breakeven::cli
