// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "harness/worker/control_variable.hpp"

namespace breakeven::openmpi {

/// A number of Open MPI's component coll/tuned, which it looks at when a communicator is made:
/// "use_dynamic_rules", "allgatherv_algorithm". Versions before 5.0.6 mark some of them as constant
/// for MPI_T, though nothing but the mark keeps them from being changed: those are written where
/// the library itself keeps them, a place that its own mca_base_var functions tell.
class TunedVariable {
 public:
  /// Nothing where the library has no such variable, or lets nobody write it.
  [[nodiscard]] static std::optional<TunedVariable> find(const std::string& name);

  [[nodiscard]] int value() const;
  void set(int value) const;

 private:
  using Place = std::variant<ControlVariable, int*, bool*>;
  explicit TunedVariable(Place place) : place_{std::move(place)} {}

  Place place_;
};

/// Sets a variable for a scope.
class Override {
 public:
  /// @throws UsageError where the library has no such variable, or lets nobody write it.
  Override(const std::string& name, int value);
  ~Override();
  Override(const Override&) = delete;
  Override& operator=(const Override&) = delete;

 private:
  TunedVariable variable_;
  int before_;
};

}  // namespace breakeven::openmpi
