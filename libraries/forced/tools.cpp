// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/forced/tools.hpp"

#include <mpi.h>

#include <array>

namespace breakeven::forced {

namespace {

std::string text_before_zero(const std::vector<char>& text) { return text.data(); }

std::vector<std::pair<int, std::string>> enum_entries(MPI_T_enum meanings) {
  std::vector<std::pair<int, std::string>> entries;
  if (meanings == MPI_T_ENUM_NULL) return entries;
  int items = 0;
  std::array<char, 256> name{};
  int length = static_cast<int>(name.size());
  if (MPI_T_enum_get_info(meanings, &items, name.data(), &length) != MPI_SUCCESS) return entries;
  for (int item = 0; item < items; ++item) {
    int value = 0;
    length = static_cast<int>(name.size());
    if (MPI_T_enum_get_item(meanings, item, &value, name.data(), &length) == MPI_SUCCESS) {
      entries.emplace_back(value, name.data());
    }
  }
  return entries;
}

}  // namespace

ToolsSession::ToolsSession() {
  int provided = 0;
  open_ = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
}

ToolsSession::~ToolsSession() {
  if (open_) MPI_T_finalize();
}

/// The handle by which MPI_T reads and writes the variable.
class ControlVariable::Handle {
 public:
  Handle(int index, MPI_Datatype type) : type_{type} {
    if (MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count_) != MPI_SUCCESS) {
      handle_ = MPI_T_CVAR_HANDLE_NULL;
    }
  }
  ~Handle() {
    if (usable()) MPI_T_cvar_handle_free(&handle_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  [[nodiscard]] bool usable() const { return handle_ != MPI_T_CVAR_HANDLE_NULL; }
  [[nodiscard]] bool is_text() const { return type_ == MPI_CHAR; }
  [[nodiscard]] bool is_number() const {
    return count_ == 1 && (type_ == MPI_INT || type_ == MPI_UNSIGNED || type_ == MPI_C_BOOL);
  }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] bool read(void* value) const {
    return MPI_T_cvar_read(handle_, value) == MPI_SUCCESS;
  }
  [[nodiscard]] bool write(const void* value) const {
    return MPI_T_cvar_write(handle_, value) == MPI_SUCCESS;
  }

 private:
  MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
  MPI_Datatype type_;
  int count_ = 0;
};

ControlVariable::ControlVariable() = default;
ControlVariable::~ControlVariable() = default;
ControlVariable::ControlVariable(ControlVariable&& other) noexcept = default;
ControlVariable& ControlVariable::operator=(ControlVariable&& other) noexcept = default;

std::optional<ControlVariable> ControlVariable::find(const std::string& name) {
  int index = 0;
  if (MPI_T_cvar_get_index(name.c_str(), &index) != MPI_SUCCESS) return std::nullopt;
  int name_length = 0;
  int description_length = 0;
  int verbosity = 0;
  int bind = 0;
  int scope = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum meanings = MPI_T_ENUM_NULL;
  const auto describe = [&](char* description) {
    return MPI_T_cvar_get_info(index, nullptr, &name_length, &verbosity, &type, &meanings,
                               description, &description_length, &bind, &scope) == MPI_SUCCESS;
  };
  if (!describe(nullptr)) return std::nullopt;
  std::vector<char> description(static_cast<std::size_t>(description_length) + 1, '\0');
  if (!describe(description.data())) return std::nullopt;
  ControlVariable found;
  found.description_ = text_before_zero(description);
  found.entries_ = enum_entries(meanings);
  found.handle_ = std::make_unique<Handle>(index, type);
  if (!found.handle_->usable()) return std::nullopt;
  return found;
}

std::optional<std::string> ControlVariable::text() const {
  if (handle_->is_text()) {
    std::vector<char> text(static_cast<std::size_t>(handle_->count()) + 1, '\0');
    if (!handle_->read(text.data())) return std::nullopt;
    return text_before_zero(text);
  }
  const std::optional<int> value = number();
  if (!value) return std::nullopt;
  return std::to_string(*value);
}

std::optional<int> ControlVariable::number() const {
  int number = 0;  // a truth is one byte, the lowest
  if (!handle_->is_number() || !handle_->read(&number)) return std::nullopt;
  return number;
}

bool ControlVariable::set(int value) const { return handle_->write(&value); }

}  // namespace breakeven::forced
