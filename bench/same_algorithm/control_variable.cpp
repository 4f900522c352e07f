// SPDX-License-Identifier: BSD-3-Clause
#include "bench/same_algorithm/control_variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace breakeven::bench {

namespace {

void check_tool(int status, std::string_view call, std::string_view variable) {
  if (status == MPI_SUCCESS) return;
  throw Error(fmt::format("{}: {} failed with status {}", variable, call, status));
}

std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<int> numbers_in_enumeration(MPI_T_enum names, std::string_view wanted) {
  int items = 0;
  std::array<char, 256> text{};
  auto length = static_cast<int>(text.size());
  check_tool(MPI_T_enum_get_info(names, &items, text.data(), &length), "MPI_T_enum_get_info",
             wanted);
  std::vector<int> numbers;
  for (int item = 0; item < items; ++item) {
    int number = 0;
    length = static_cast<int>(text.size());
    check_tool(MPI_T_enum_get_item(names, item, &number, text.data(), &length),
               "MPI_T_enum_get_item", wanted);
    if (text.data() == wanted) numbers.push_back(number);
  }
  return numbers;
}

/// MPICH has no enumerations. Its descriptions list the names in the order of their numbers as
/// "NAME - words", with or without a line break before NAME.
std::vector<int> numbers_in_description(std::string_view description, std::string_view wanted) {
  constexpr std::string_view kDash = " - ";
  std::vector<int> numbers;
  int number = 0;
  for (auto dash = description.find(kDash); dash != description.npos;
       dash = description.find(kDash, dash + 1), ++number) {
    std::string_view before = description.substr(0, dash);
    before = before.substr(0, before.find_last_not_of(' ') + 1);
    if (!before.ends_with(wanted)) continue;
    before.remove_suffix(wanted.size());
    if (!before.ends_with('_')) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

ToolInterface::ToolInterface() {
  int provided = 0;
  check_tool(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread", "MPI");
}
ToolInterface::~ToolInterface() { MPI_T_finalize(); }

ControlVariable::ControlVariable(std::string name) : name_{std::move(name)} {
  int index = 0;
  if (MPI_T_cvar_get_index(name_.c_str(), &index) != MPI_SUCCESS) {
    throw Error(fmt::format("this MPI library has no control variable {}", name_));
  }
  std::vector<char> text(1 << 14);
  int name_length = 0;
  auto length = static_cast<int>(text.size());
  int verbosity = 0;
  int bind = 0;
  int scope = 0;
  check_tool(MPI_T_cvar_get_info(index, nullptr, &name_length, &verbosity, &type_, &names_,
                                 text.data(), &length, &bind, &scope),
             "MPI_T_cvar_get_info", name_);
  description_ = text.data();
  check_tool(MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count_), "MPI_T_cvar_handle_alloc",
             name_);
}

ControlVariable::~ControlVariable() { MPI_T_cvar_handle_free(&handle_); }

std::string ControlVariable::read_text() const {
  std::vector<char> text(static_cast<std::size_t>(count_) + 1);
  check_tool(MPI_T_cvar_read(handle_, text.data()), "MPI_T_cvar_read", name_);
  return text.data();
}

int ControlVariable::read_number() const {
  int number = 0;  // Open MPI writes one byte of it where the variable is a truth
  check_tool(MPI_T_cvar_read(handle_, &number), "MPI_T_cvar_read", name_);
  return number;
}

bool ControlVariable::holds(std::string_view value) const {
  if (type_ == MPI_CHAR) return read_text() == value;
  const std::optional<int> number = parse_number(value);
  return read_number() == (number ? *number : number_of(value));
}

int ControlVariable::number_of(std::string_view name) const {
  const std::vector<int> numbers = names_ != MPI_T_ENUM_NULL
                                       ? numbers_in_enumeration(names_, name)
                                       : numbers_in_description(description_, name);
  if (numbers.size() == 1) return numbers.front();
  throw Error(fmt::format("{} knows {} values named {}", name_, numbers.size(), name));
}

void ControlVariable::write(int number) {
  check_tool(MPI_T_cvar_write(handle_, &number), "MPI_T_cvar_write", name_);
  if (read_number() == number) return;
  throw Error(fmt::format("{} is {} after {} was written", name_, read_number(), number));
}

}  // namespace breakeven::bench
