// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/forced/mpich/library_memory.hpp"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>

#include <algorithm>
#include <cctype>

namespace breakeven::forced::mpich {

namespace {

struct Search {
  ElfW(Addr) address;  ///< in the object that is searched
  std::vector<std::string_view> parts{};
};

/// Called for each object of the process; another result than 0 ends that.
int visit(dl_phdr_info* object, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  std::vector<std::string_view> parts;
  bool here = false;
  for (int index = 0; index < object->dlpi_phnum; ++index) {
    const ElfW(Phdr)& part = object->dlpi_phdr[index];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_R) == 0) continue;
    const ElfW(Addr) begin = object->dlpi_addr + part.p_vaddr;
    here |= begin <= search.address && search.address < begin + part.p_memsz;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): that is what the loader tells
    parts.emplace_back(reinterpret_cast<const char*>(begin), part.p_memsz);
  }
  if (here) search.parts = std::move(parts);
  return here ? 1 : 0;
}

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

}  // namespace

std::vector<std::string_view> library_memory() {
  // By the name that a profiling tool does not take over; linked statically, it is in the program.
  void* found = dlsym(RTLD_NEXT, "PMPI_Init");
  if (found == nullptr) found = reinterpret_cast<void*>(&PMPI_Init);
  Search search{.address = reinterpret_cast<ElfW(Addr)>(found)};
  dl_iterate_phdr(visit, &search);
  return std::move(search.parts);
}

std::vector<std::string> algorithms_in(std::string_view memory, Collective collective,
                                       CallForm form) {
  std::string function{form == CallForm::blocking ? "" : "I"};
  function += kCollectives.of(collective);
  function.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(function.front())));
  std::vector<std::string> names;
  for (const std::string_view kind : {"intra", "allcomm"}) {
    const std::string before = "MPIR_" + function + "_" + std::string{kind} + "_";
    for (std::size_t at = memory.find(before); at != std::string_view::npos;
         at = memory.find(before, at + 1)) {
      const std::string_view rest = memory.substr(at + before.size());
      const auto end = std::ranges::find_if_not(
          rest, [](unsigned char each) { return std::isalnum(each) != 0 || each == '_'; });
      std::string name{rest.begin(), end};
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<DefaultTree> default_trees() {
  std::vector<DefaultTree> trees;
  for (const std::string_view part : library_memory()) collect(part, trees);
  return trees;
}

}  // namespace breakeven::forced::mpich
