// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/mpich/default_trees.hpp"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>

#include <algorithm>
#include <string_view>

namespace breakeven::worker {

namespace {

constexpr std::string_view kBeginning = R"({"collective=)";

/// The layer whose leaves a tree has; empty where it is none that is known.
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

}  // namespace

std::vector<DefaultTree> default_trees() {
  // By the name that a profiling tool does not take over; linked statically, it is in the program.
  void* found = dlsym(RTLD_NEXT, "PMPI_Init");
  if (found == nullptr) found = reinterpret_cast<void*>(&PMPI_Init);
  Search search{.address = reinterpret_cast<ElfW(Addr)>(found)};
  dl_iterate_phdr(visit, &search);
  return std::move(search.trees);
}

}  // namespace breakeven::worker
