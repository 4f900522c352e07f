// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace breakeven::worker::openmpi {

/// Sets for a scope a number of Open MPI's component coll/tuned, which it looks at when a
/// communicator is made: "use_dynamic_rules", "allgatherv_algorithm". Versions before 5.0.6 mark
/// some of them as constant for MPI_T, though nothing but the mark keeps them from being changed:
/// those are written where the library itself keeps them, a place that its own mca_base_var
/// functions tell.
class Override {
 public:
  /// Whether the library has such a variable, and lets somebody write it.
  [[nodiscard]] static bool possible(const std::string& name);
  /// @throws UsageError where that is not possible.
  Override(const std::string& name, int value);
  ~Override();
  Override(const Override&) = delete;
  Override& operator=(const Override&) = delete;

 private:
  std::function<void(int value)> set_;
  int before_ = 0;
};

}  // namespace breakeven::worker::openmpi
