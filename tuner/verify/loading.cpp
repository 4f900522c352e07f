// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/loading.hpp"

#include <algorithm>
#include <array>

namespace breakeven::verify {

namespace {

constexpr std::array kLoadings{
    Loading{"mpich_json", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"},
    Loading{"mpich_ch4_json", "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"},
    Loading{"mpich_cvars", ""},
    Loading{"openmpi_rules", "OMPI_MCA_coll_tuned_dynamic_rules_filename",
            "OMPI_MCA_coll_tuned_use_dynamic_rules=1", true},
    Loading{"openmpi_han_rules", "OMPI_MCA_coll_han_dynamic_rules_filename",
            "OMPI_MCA_coll_han_use_dynamic_file_rules=1", false, "OMPI_MCA_coll_han_verbose=5"},
};

}  // namespace

const Loading* find_loading(std::string_view format) {
  const auto found = std::ranges::find(kLoadings, format, &Loading::format);
  return found == kLoadings.end() ? nullptr : &*found;
}

}  // namespace breakeven::verify
