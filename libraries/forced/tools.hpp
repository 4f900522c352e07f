// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/library_setting.hpp"

namespace breakeven::forced {

/// MPI's tools interface is open while this lives: from after MPI_Init to just before MPI_Finalize.
/// Open MPI 4.1 crashes when it is closed later; MPICH frees texts that collectives still use when
/// it is closed earlier.
class ToolsSession {
 public:
  ToolsSession();
  ~ToolsSession();
  ToolsSession(const ToolsSession&) = delete;
  ToolsSession& operator=(const ToolsSession&) = delete;

 private:
  bool open_ = false;
};

/// A control variable of the MPI library, read and written by MPI_T; valid while a ToolsSession is
/// open.
class ControlVariable {
 public:
  /// Nothing where the library has no variable of this name.
  [[nodiscard]] static std::optional<ControlVariable> find(const std::string& name);
  ~ControlVariable();
  ControlVariable(ControlVariable&& other) noexcept;
  ControlVariable& operator=(ControlVariable&& other) noexcept;

  [[nodiscard]] const std::string& description() const { return description_; }
  /// Its numbers with their names; empty where the library names none.
  [[nodiscard]] const std::vector<std::pair<int, std::string>>& entries() const { return entries_; }

  /// Its value as text; nothing where it is of a type that isn't read here.
  [[nodiscard]] std::optional<std::string> text() const;
  /// Its value where it is a whole number or a truth.
  [[nodiscard]] std::optional<int> number() const;
  /// Sets a number. Whether the library took it.
  [[nodiscard]] bool set(int value) const;

 private:
  class Handle;
  ControlVariable();

  std::unique_ptr<Handle> handle_;
  std::string description_{};
  std::vector<std::pair<int, std::string>> entries_{};
};

/// The settings of this process's MPI library and of the transports below it that differ from the
/// defaults and change measurements, by name. A ToolsSession must be open.
[[nodiscard]] LibrarySettings settings_in_force();

}  // namespace breakeven::forced
