// SPDX-License-Identifier: BSD-3-Clause
#include "breakeven_table.hpp"

const void* rules_seen_by_b();
const void* rules_seen_by_b() { return &breakeven_table::detail::kRules; }
