// SPDX-License-Identifier: BSD-3-Clause
// MPICH looks at its control variables at each call, on all communicators: they are set around what
// is measured. Each rank sets its own, and calls of a collective come in the same order on all.
#include "harness/worker/forced_algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.hpp"
#include "harness/worker/control_variable.hpp"
#include "harness/worker/mpich/variables.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven {

namespace {

/// A variable with the number that it gets while the algorithm is enforced.
struct Setting {
  ControlVariable variable;
  int enforced = 0;
  int before = 0;

  Setting(const std::string& name, int value)
      : variable{require(name)}, enforced{value}, before{variable.number().value_or(0)} {}

 private:
  static ControlVariable require(const std::string& name) {
    auto found = ControlVariable::find(name);
    if (!found) throw UsageError(fmt::format("this MPICH has no variable {}", name));
    return std::move(*found);
  }
};

int value_of(const Case& what) {
  const std::string_view name = library_name(what.algorithm)->algorithm;
  const std::vector<std::string> choices = mpich::algorithm_choices(what.collective);
  const auto found = std::ranges::find(choices, name);
  if (found == choices.end()) {
    throw UsageError(fmt::format("{}: this library has no such algorithm", algorithm_text(what)));
  }
  return static_cast<int>(found - choices.begin());
}

}  // namespace

class ForcedAlgorithm::Implementation {
 public:
  Implementation(const Case& what, MPI_Comm comm) : comm_{comm} {
    settings_.emplace_back(mpich::algorithm_variable(what.collective), value_of(what));
    // The device's own compositions would call the algorithm on other communicators, if at all.
    constexpr auto kDevice = "MPIR_CVAR_DEVICE_COLLECTIVES";
    settings_.emplace_back(kDevice, mpich::number_of(kDevice, "none"));
    // An algorithm that can't run is an error, not silently another one; but for smp, which calls
    // itself on the ranks of one node and counts on the fall-back there.
    if (library_name(what.algorithm)->algorithm == "smp") return;
    constexpr auto kFallback = "MPIR_CVAR_COLLECTIVE_FALLBACK";
    settings_.emplace_back(kFallback, mpich::number_of(kFallback, "error"));
  }

  [[nodiscard]] MPI_Comm comm() const { return comm_; }

  void set(int Setting::* value) const {
    for (const Setting& setting : settings_) {
      if (!setting.variable.set(setting.*value)) throw Error("MPICH took no value by MPI_T");
    }
  }

 private:
  MPI_Comm comm_;
  std::vector<Setting> settings_{};
};

ForcedAlgorithm::ForcedAlgorithm(const Case& what, MPI_Comm comm)
    : implementation_{std::make_unique<Implementation>(what, comm)} {}
ForcedAlgorithm::~ForcedAlgorithm() = default;

MPI_Comm ForcedAlgorithm::comm() const { return implementation_->comm(); }

ForcedAlgorithm::Enforced::Enforced(const ForcedAlgorithm* forced) : forced_{forced} {
  if (forced_ != nullptr) forced_->implementation_->set(&Setting::enforced);
}
ForcedAlgorithm::Enforced::~Enforced() {
  if (forced_ != nullptr) forced_->implementation_->set(&Setting::before);
}

}  // namespace breakeven
