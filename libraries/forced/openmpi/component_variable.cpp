// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/forced/openmpi/component_variable.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "libraries/forced/tools.hpp"

namespace breakeven::forced::openmpi {

namespace {

/// The only truth among the variables that are written here; a byte wide, whatever MPI_T says.
constexpr std::string_view kTruth = "use_dynamic_rules";

template <typename Function>
Function* library_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// Where the library keeps the variable; null where it doesn't tell.
void* place_of(const std::string& component, const std::string& name) {
  using Find = int(const char*, const char*, const char*, const char*);
  using GetValue = int(int, const void*, void*, const char**);
  auto* const find = library_function<Find>("mca_base_var_find");
  auto* const get = library_function<GetValue>("mca_base_var_get_value");
  if (find == nullptr || get == nullptr) return nullptr;
  const int index = find("ompi", "coll", component.c_str(), name.c_str());
  void* place = nullptr;
  if (index < 0 || get(index, static_cast<const void*>(&place), nullptr, nullptr) != 0) {
    return nullptr;
  }
  return place;
}

template <typename Number>
ComponentVariable variable_at(Number* place) {
  return {.now = static_cast<int>(*place),
          .set = [place](int value) { *place = static_cast<Number>(value); }};
}

}  // namespace

ComponentVariable ComponentVariable::require(const std::string& component,
                                             const std::string& name) {
  auto variable = find(component, name);
  if (variable) return *std::move(variable);
  throw UsageError(fmt::format("this Open MPI lets nobody set coll_{}_{}", component, name));
}

std::optional<ComponentVariable> ComponentVariable::find(const std::string& component,
                                                         const std::string& name) {
  auto found = ControlVariable::find(fmt::format("coll_{}_{}", component, name));
  if (!found) return std::nullopt;
  const auto variable = std::make_shared<const ControlVariable>(std::move(*found));
  const std::optional<int> now = variable->number();
  if (now && variable->set(*now)) {
    return ComponentVariable{
        .now = *now, .set = [variable, component, name](int value) {
          if (variable->set(value)) return;
          throw UsageError(
              fmt::format("Open MPI refuses {} as a value of coll_{}_{}", value, component, name));
        }};
  }
  void* const place = place_of(component, name);
  if (place == nullptr) return std::nullopt;
  return name == kTruth ? variable_at(static_cast<bool*>(place))
                        : variable_at(static_cast<int*>(place));
}

Override::Override(const std::string& component, const std::string& name, int value)
    : variable_{ComponentVariable::require(component, name)} {
  variable_.set(value);
}

Override::~Override() { variable_.set(variable_.now); }

}  // namespace breakeven::forced::openmpi
