// SPDX-License-Identifier: BSD-3-Clause
// As in ompi/mca/coll/han/coll_han_dynamic_file.c at v5.0.0 to v5.0.10.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <regex>
#include <string>

#include "core/error.hpp"
#include "harness/worker/openmpi/rules_lookup.hpp"

namespace breakeven::worker {

namespace {

/// The standard error of this process while `act` runs.
template <typename Act>
std::string said_while(const Act& act) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> kept{std::tmpfile(), std::fclose};
  if (kept == nullptr) throw Error("no temporary file can be made");
  const int before = dup(STDERR_FILENO);
  dup2(fileno(kept.get()), STDERR_FILENO);
  act();
  dup2(before, STDERR_FILENO);
  close(before);
  std::rewind(kept.get());
  std::string said;
  for (int letter = std::fgetc(kept.get()); letter != EOF; letter = std::fgetc(kept.get())) {
    said += static_cast<char>(letter);
  }
  return said;
}

}  // namespace

std::optional<int> han_rules_read() {
  void* const component = component_object("mca_coll_han");
  auto* const forget =
      reinterpret_cast<void (*)()>(dlsym(component, "mca_coll_han_free_dynamic_rules"));
  auto* const read =
      reinterpret_cast<int (*)()>(dlsym(component, "mca_coll_han_init_dynamic_rules"));
  if (forget == nullptr || read == nullptr) {
    throw UsageError("this Open MPI was built without coll/han");
  }
  const std::string said = said_while([&] {
    forget();
    read();
  });
  static const std::regex kRead{R"(init_dynamic_rules read (\d+) rules from)"};
  std::smatch match;
  if (!std::regex_search(said, match, kRead)) return std::nullopt;
  return std::stoi(match[1]);
}

}  // namespace breakeven::worker
