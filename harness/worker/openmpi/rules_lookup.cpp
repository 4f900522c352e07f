// SPDX-License-Identifier: BSD-3-Clause
// As declared in ompi/mca/coll/tuned/coll_tuned_dynamic_{file,rules}.h at v4.1.4, v5.0.7 and, in
// the branch v6.0.x, without the number of collectives, which its functions pass over.
#include "harness/worker/openmpi/rules_lookup.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <string>

#include "core/error.hpp"
#include "executor/mpi_types.hpp"
#include "libraries/openmpi_rules.hpp"

namespace breakeven::worker {

namespace {

constexpr int kFirstUnknown = 7;

/// @param before  the first major version that is not known
void require_version(int before) {
  const std::string text = executor::library_version();
  const auto version = libraries::openmpi::parse_version(text);
  if (version && *version >= libraries::openmpi::kFirstKnownVersion && version->major < before) {
    return;
  }
  throw UsageError(
      fmt::format("the rules of coll/tuned can be {} in Open MPI 4.1 to {}.x alone; this is {}",
                  before == kFirstUnknown ? "read" : "looked up", before - 1,
                  text.substr(0, text.find_first_of(",\n"))));
}

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

struct RulesLookup::Library {
  int (*read)(char* file, void** rules, int collectives);
  void* (*for_procs)(void* rules, int collective, int procs);
  int (*for_bytes)(void* rules_for_procs, std::size_t bytes, int* fanout, int* segment_bytes,
                   int* max_requests);
  int (*free)(void* rules, int collectives);

  /// @throws UsageError when there is no such function
  template <typename Function>
  static void find(void* object, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(object, name));
    if (function == nullptr) {
      throw UsageError(std::string{"this Open MPI has no "} + name +
                       ": it was built without coll/tuned");
    }
  }
};

const RulesLookup::Library& RulesLookup::library() {
  static const Library kLibrary = [] {
    require_version(kFirstUnknown);
    void* const object = component_object("mca_coll_tuned");
    Library library{};
    Library::find(object, "ompi_coll_tuned_read_rules_config_file", library.read);
    Library::find(object, "ompi_coll_tuned_get_com_rule_ptr", library.for_procs);
    Library::find(object, "ompi_coll_tuned_get_target_method_params", library.for_bytes);
    Library::find(object, "ompi_coll_tuned_free_all_rules", library.free);
    return library;
  }();
  return kLibrary;
}

void RulesLookup::Free::operator()(void* rules) const {
  library().free(rules, libraries::openmpi::kRulesCollectives);
}

RulesLookup RulesLookup::of_file(const std::filesystem::path& file) {
  void* rules = nullptr;
  std::string name = file.string();  // the library does not change it, and does not say so
  const int read = library().read(name.data(), &rules, libraries::openmpi::kRulesCollectives);
  return RulesLookup{read < 0 ? nullptr : rules};
}

RulesLookup::Answer RulesLookup::answer(const Case& problem) const {
  // Later ones ask a communicator for its processes and their nodes.
  require_version(libraries::openmpi::kFirstMajorWithJson);
  void* const for_procs = library().for_procs(
      rules_.get(), libraries::openmpi::rules_id(problem.collective), problem.procs);
  Answer answer;
  answer.algorithm = library().for_bytes(
      for_procs, static_cast<std::size_t>(libraries::openmpi::rules_bytes(problem)), &answer.fanout,
      &answer.segment_bytes, &answer.max_requests);
  return answer;
}

}  // namespace breakeven::worker
