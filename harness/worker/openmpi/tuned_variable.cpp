// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/openmpi/tuned_variable.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "harness/worker/control_variable.hpp"

namespace breakeven::worker::openmpi {

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

/// A variable's number, and how it is set.
struct Access {
  int now = 0;
  std::function<void(int value)> set{};
};

template <typename Number>
Access access_at(Number* place) {
  return {.now = static_cast<int>(*place),
          .set = [place](int value) { *place = static_cast<Number>(value); }};
}

/// Nothing where the library has no such variable, or lets nobody write it.
std::optional<Access> access_to(const std::string& name) {
  auto found = ControlVariable::find("coll_tuned_" + name);
  if (!found) return std::nullopt;
  const auto variable = std::make_shared<const ControlVariable>(std::move(*found));
  const std::optional<int> now = variable->number();
  if (now && variable->set(*now)) {
    return Access{
        .now = *now, .set = [variable](int value) {
          if (variable->set(value)) return;
          throw UsageError(fmt::format("Open MPI refuses {} as a value of coll_tuned", value));
        }};
  }
  void* const place = place_of(name);
  if (place == nullptr) return std::nullopt;
  return name == kTruth ? access_at(static_cast<bool*>(place))
                        : access_at(static_cast<int*>(place));
}

}  // namespace

bool Override::possible(const std::string& name) { return access_to(name).has_value(); }

Override::Override(const std::string& name, int value) {
  auto access = access_to(name);
  if (!access) throw UsageError(fmt::format("this Open MPI lets nobody set coll_tuned_{}", name));
  set_ = std::move(access->set);
  before_ = access->now;
  set_(value);
}

Override::~Override() { set_(before_); }

}  // namespace breakeven::worker::openmpi
