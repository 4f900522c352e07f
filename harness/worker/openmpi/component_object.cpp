// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/openmpi/component_object.hpp"

#include <dlfcn.h>
#include <link.h>

#include <string>

namespace breakeven::worker {

namespace {

struct Search {
  std::string_view name;
  std::string file{};
};

}  // namespace

void* component_object(std::string_view name) {
  Search search{.name = name};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* found) {
        auto& wanted = *static_cast<Search*>(found);
        const std::string_view file = object->dlpi_name;
        if (file.find(wanted.name) == std::string_view::npos) return 0;
        wanted.file = file;
        return 1;
      },
      &search);
  return search.file.empty() ? RTLD_DEFAULT : dlopen(search.file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
}

}  // namespace breakeven::worker
