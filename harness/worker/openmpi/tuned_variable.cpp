// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/openmpi/tuned_variable.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"

namespace breakeven::openmpi {

namespace {

/// The only truth among the variables that are written here; a byte wide, whatever MPI_T says.
constexpr std::string_view kTruth = "use_dynamic_rules";

template <typename Function>
Function* library_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// Where the library keeps the variable; null where it doesn't tell.
void* place_of(const std::string& name) {
  using Find = int(const char*, const char*, const char*, const char*);
  using GetValue = int(int, const void*, void*, const char**);
  auto* const find = library_function<Find>("mca_base_var_find");
  auto* const get = library_function<GetValue>("mca_base_var_get_value");
  if (find == nullptr || get == nullptr) return nullptr;
  const int index = find("ompi", "coll", "tuned", name.c_str());
  void* place = nullptr;
  if (index < 0 || get(index, static_cast<const void*>(&place), nullptr, nullptr) != 0) {
    return nullptr;
  }
  return place;
}

}  // namespace

std::optional<TunedVariable> TunedVariable::find(const std::string& name) {
  auto variable = ControlVariable::find("coll_tuned_" + name);
  if (!variable) return std::nullopt;
  const std::optional<int> now = variable->number();
  if (now && variable->set(*now)) return TunedVariable{Place{std::move(*variable)}};
  void* const place = place_of(name);
  if (place == nullptr) return std::nullopt;
  if (name == kTruth) return TunedVariable{Place{static_cast<bool*>(place)}};
  return TunedVariable{Place{static_cast<int*>(place)}};
}

int TunedVariable::value() const {
  if (const auto* variable = std::get_if<ControlVariable>(&place_)) {
    return variable->number().value_or(0);
  }
  if (auto* const* truth = std::get_if<bool*>(&place_)) return static_cast<int>(**truth);
  return *std::get<int*>(place_);
}

void TunedVariable::set(int value) const {
  if (const auto* variable = std::get_if<ControlVariable>(&place_)) {
    if (!variable->set(value)) {
      throw UsageError(fmt::format("Open MPI refuses {} as a value of coll_tuned", value));
    }
  } else if (auto* const* truth = std::get_if<bool*>(&place_)) {
    **truth = value != 0;
  } else {
    *std::get<int*>(place_) = value;
  }
}

namespace {

TunedVariable require(const std::string& name) {
  auto found = TunedVariable::find(name);
  if (!found) throw UsageError(fmt::format("this Open MPI lets nobody set coll_tuned_{}", name));
  return std::move(*found);
}

}  // namespace

Override::Override(const std::string& name, int value)
    : variable_{require(name)}, before_{variable_.value()} {
  variable_.set(value);
}

Override::~Override() { variable_.set(before_); }

}  // namespace breakeven::openmpi
