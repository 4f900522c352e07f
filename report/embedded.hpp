// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace breakeven::report {

/// The files of these names beside this one.
[[nodiscard]] std::string_view page_css();
[[nodiscard]] std::string_view cells_js();
[[nodiscard]] std::string_view player_js();
[[nodiscard]] std::string_view detail_js();
[[nodiscard]] std::string_view page_js();
/// D3 with its licence, from the system that this was built on; empty where it was not there.
[[nodiscard]] std::string_view d3_js();
[[nodiscard]] std::string_view d3_licence();

}  // namespace breakeven::report
