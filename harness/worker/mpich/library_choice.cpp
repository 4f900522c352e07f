// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/library_choice.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "libraries/forced/mpich/variables.hpp"

namespace breakeven::worker {

namespace {

constexpr std::string_view kBeginning = R"({"collective=)";

/// The layer whose leaves a tree has; empty for an unknown one.
std::string_view layer_of(std::string_view json) {
  const auto has = [&](std::string_view text) { return json.find(text) != std::string_view::npos; };
  if (!json.ends_with("}}")) return "";  // the beginning itself, as this file has it
  if (has("\"composition=")) return "ch4";
  if (has("\"algorithm=MPIDI_POSIX_")) return "posix";
  return has("\"algorithm=MPIR_") ? "mpir" : "";
}

void collect(std::string_view bytes, std::vector<DefaultTree>& trees) {
  for (std::size_t at = bytes.find(kBeginning); at != std::string_view::npos;
       at = bytes.find(kBeginning, at + 1)) {
    const std::string_view json = bytes.substr(at, bytes.find('\0', at) - at);
    const std::string_view layer = layer_of(json);
    const bool new_one = std::ranges::find(trees, layer, &DefaultTree::name) == trees.end();
    if (!layer.empty() && new_one) trees.push_back({std::string{layer}, std::string{json}});
  }
}

struct Search {
  ElfW(Addr) address;  ///< in the object that is searched
  std::vector<DefaultTree> trees{};
};

/// Called for each object of the process; another result than 0 ends that.
int visit(dl_phdr_info* object, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  const auto readable_parts = [&](auto&& each) {
    for (int index = 0; index < object->dlpi_phnum; ++index) {
      const ElfW(Phdr)& part = object->dlpi_phdr[index];
      if (part.p_type == PT_LOAD && (part.p_flags & PF_R) != 0) {
        each(object->dlpi_addr + part.p_vaddr, part.p_memsz);
      }
    }
  };
  bool here = false;
  readable_parts([&](ElfW(Addr) begin, std::size_t size) {
    here |= begin <= search.address && search.address < begin + size;
  });
  if (!here) return 0;
  readable_parts([&](ElfW(Addr) begin, std::size_t size) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): that is what the loader tells
    collect({reinterpret_cast<const char*>(begin), size}, search.trees);
  });
  return 1;
}

/// The selection trees that the MPI library of this process has in itself, as they lie in its
/// memory: "mpir", "ch4" and "posix" of MPICH; empty for a library that has none.
std::vector<DefaultTree> default_trees() {
  // By the name that a profiling tool does not take over; linked statically, it is in the program.
  void* found = dlsym(RTLD_NEXT, "PMPI_Init");
  if (found == nullptr) found = reinterpret_cast<void*>(&PMPI_Init);
  Search search{.address = reinterpret_cast<ElfW(Addr)>(found)};
  dl_iterate_phdr(visit, &search);
  return std::move(search.trees);
}

}  // namespace

LibraryCapabilities library_capabilities() {
  LibraryCapabilities capabilities;
  for (const auto& collective : kCollectives.entries) {
    int value = 0;
    for (const std::string& name : forced::mpich::algorithm_choices(collective.value)) {
      if (!name.empty() && name != forced::mpich::kAuto) {
        capabilities.algorithms.push_back(
            {.collective = collective.value, .name = name, .value = value});
      }
      ++value;
    }
    value = 1;
    for (const std::string& name : forced::mpich::composition_choices(collective.value)) {
      capabilities.algorithms.push_back(
          {.collective = collective.value, .name = name, .value = value++});
    }
  }
  capabilities.default_trees = default_trees();
  return capabilities;
}

namespace {

/// Whether this process has a file in its memory.
/// @param file  without symbolic links
bool mapped(const std::string& file) {
  std::ifstream maps{"/proc/self/maps"};
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with(" " + file)) return true;
  }
  return false;
}

}  // namespace

/// MPICH loads its files in MPI_Init, or ends there; it never gives their memory back. It has no
/// look-up that could be asked, and what MPI_T tells of its variables that are texts is never their
/// value: the default alone.
/// @see MPIR_Csel_create_from_file in src/mpi/coll/src/csel.c and MPIR_T_CVAR_REGISTER_impl in
///      src/mpi_t/mpit.c at v4.0.2 and v4.2.1
protocol::ReadBack read_back(const protocol::ReadBackRequest& request) {
  return {.loaded = mapped(request.file), .answers = {}};
}

std::unique_ptr<executor::Communicator> duplicate_without_table(MPI_Comm /*comm*/) {
  throw UsageError(
      "MPICH reads a table when a job begins, for all of it: measure the default in another job");
}

}  // namespace breakeven::worker
