// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace breakeven::forced::openmpi {

/// A number of one of Open MPI's components for collectives, "tuned" or "han", that can be changed:
/// coll/tuned looks at its own, and each component at its priority, when a communicator is made;
/// coll/han looks at its algorithms when a collective is called. Valid while a ToolsSession is
/// open. Versions before 5.0.6 mark some of coll/tuned's as constant for MPI_T, though nothing but
/// the mark keeps them from being changed: those are written where the library itself keeps them, a
/// place that its own mca_base_var functions tell.
struct ComponentVariable {
  int now = 0;
  std::function<void(int value)> set{};  ///< @throws UsageError when the library refuses the value

  /// Nothing where the library has no such variable, or lets nobody write it.
  /// @param name  "use_dynamic_rules", "allgatherv_algorithm", "priority"
  [[nodiscard]] static std::optional<ComponentVariable> find(const std::string& component,
                                                             const std::string& name);
  /// @throws UsageError where `find` has nothing.
  [[nodiscard]] static ComponentVariable require(const std::string& component,
                                                 const std::string& name);
};

/// Sets a component's number for a scope.
class Override {
 public:
  /// @throws UsageError where that is not possible.
  Override(const std::string& component, const std::string& name, int value);
  ~Override();
  Override(const Override&) = delete;
  Override& operator=(const Override&) = delete;

 private:
  ComponentVariable variable_;
};

}  // namespace breakeven::forced::openmpi
