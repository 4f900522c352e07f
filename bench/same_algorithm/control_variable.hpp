// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

namespace breakeven::bench {

/// MPI's tool interface, for the scope of this object, which must end before MPI_Finalize: Open MPI
/// crashes otherwise.
class ToolInterface {
 public:
  ToolInterface();
  ~ToolInterface();
  ToolInterface(const ToolInterface&) = delete;
  ToolInterface& operator=(const ToolInterface&) = delete;
};

/// A variable that controls the MPI library, found by its name. Not collective: what it controls
/// may have to be the same on all ranks.
class ControlVariable {
 public:
  /// @throws Error naming it when the library has none of that name.
  explicit ControlVariable(std::string name);
  ~ControlVariable();
  ControlVariable(const ControlVariable&) = delete;
  ControlVariable& operator=(const ControlVariable&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Whether it has this value: a text, a number, or the name of a number.
  /// @throws Error when the library knows no such name.
  [[nodiscard]] bool holds(std::string_view value) const;
  /// The number that the library means by a name.
  /// @throws Error when it knows none, or several.
  [[nodiscard]] int number_of(std::string_view name) const;
  /// @throws Error when the library does not take the number, or has another one afterwards.
  void write(int number);

 private:
  [[nodiscard]] std::string read_text() const;
  [[nodiscard]] int read_number() const;

  std::string name_;
  std::string description_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_T_enum names_ = MPI_T_ENUM_NULL;
  MPI_T_cvar_handle handle_ = nullptr;
  int count_ = 0;  ///< of what can be read
};

}  // namespace breakeven::bench
