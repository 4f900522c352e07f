// SPDX-License-Identifier: BSD-3-Clause
// Selection trees with errors in them: MPICH ends in MPI_Init over those in which our reader finds
// faults, but for faults that end a program later, or lose something. The library reads each file
// in a process of its own, which is forked where MPI_Init opens the file.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "executor/mpi_types.hpp"
#include "tables/formats/mpich/head.hpp"
#include "tables/formats/mpich/json.hpp"
#include "tables/formats/mpich/testing.hpp"
#include "tests/mutated_files.hpp"

namespace breakeven {
namespace {

namespace fs = std::filesystem;
namespace mpich = formats::mpich;

constexpr int kFiles = 1200;
constexpr int kLeast = 57;

/// The part of MPI_Init in a process.
enum class Process {
  parent,
  reader,   ///< ends behind the reading of the MPIR tree
  starter,  ///< ends behind MPI_Init
};
Process process = Process::parent;

std::string version() { return mpich::version_in(executor::library_version()).value(); }

struct Layer {
  std::string_view name;
  const char* variable;
  formats::ReadTable (*read)(std::string_view text);
  fs::path file{};
  bool opened = false;
  testing::Comparison comparison{
      {"where a collective should", "is missing: the file replaces", "some calls come to nothing",
       "can't answer", "nothing comes to", "is no number from 0", "a bug of MPICH",
       "and stands below", "is only for", "is not for every program", "below another question",
       "which are lost", "comm_hierarchy=any' isn't the last", "text after the end of the tree",
       "the library keeps one", "a key has an escape"}};
};
std::array<Layer, 2>& layers() {
  static std::array<Layer, 2> both{
      Layer{"mpir", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", mpich::read_json},
      Layer{"ch4", "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE", mpich::read_ch4_json}};
  return both;
}

/// The library's own tree, or that of a version with the same names, on many lines.
std::string own_tree(std::string_view layer) {
  const std::string_view of =
      mpich::series_of(version()) == mpich::Series::v4_0 ? "4.0.2" : "4.2.1";
  const auto text = formats::testing::testdata(fmt::format("mpich-{}-{}.json", of, layer));
  return mpich::to_text(mpich::parse_tree(text).chain);
}

/// @return whether this process is a child, which is to go on with MPI_Init
bool start_child() {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(20);
    const int nowhere = ::openat(AT_FDCWD, "/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
  }
  return child == 0;
}

/// Returns in the parent once all files are compared, and in each child.
void compare(Layer& layer) {
  testing::Mutator mutator{5,
                           {"comm_size<=4",
                            "comm_size<8",
                            "comm_size=pow2",
                            "comm_size=any",
                            "comm_size=node_comm_size",
                            "count=any",
                            "count<pow2",
                            "count<5",
                            "count<=5",
                            "avg_msg_size<=9",
                            "total_msg_size<9",
                            "any",
                            "comm_avg_ppn<=2",
                            "comm_avg_ppn<2",
                            "collective=bcast",
                            "collective=none",
                            "comm_type=inter",
                            "comm_hierarchy=parent",
                            "comm_hierarchy=any",
                            "is_node_consecutive=yes",
                            "is_commutative=no",
                            "is_multi_threaded=no",
                            "none=any",
                            "comm_type=any",
                            "algorithm=MPIR_Bcast_intra_smp",
                            "algorithm=MPIR_Bcast_intra_none",
                            "k = 4",
                            "composition=MPIDI_Bcast_intra_composition_alpha",
                            "algorithm=MPIR_Allreduce_intra_ccl",
                            "composition=MPIDI_Bcast_intra_composition_delta",
                            "null",
                            "{}",
                            "[]",
                            "\"",
                            "\"\":{},",
                            "/* { */",
                            "// \"\n",
                            "\"any\":{\"algorithm=MPIR_Bcast_intra_smp\":{}},",
                            "}",
                            "{"},
                           " \t\n{}:,\""};
  const std::string whole = own_tree(layer.name);
  for (int i = 0; i < kFiles; ++i) {
    const std::string text = fmt::format("/* MPICH Version: {} */\n", version()) +
                             mutator.changed(whole, i % 4 == 0 ? 2 : 1);
    std::ofstream(layer.file) << text;
    const bool only_read = &layer == &layers()[0] && !mpich::parse_tree(text).fault;
    process = only_read ? Process::reader : Process::starter;
    if (start_child()) return;
    process = Process::parent;
    int status = 0;
    wait(&status);
    layer.comparison.add(text, status == 0, layer.read(text));
  }
  std::ofstream(layer.file) << whole;
}

/// Names the files to the library before MPI_Init, behind which children end.
class Start : public ::testing::Environment {
 public:
  Start() {
    for (Layer& layer : layers()) {
      layer.file = fs::temp_directory_path() / fmt::format("mutated_{}.{}", layer.name, getpid());
      std::ofstream(layer.file) << own_tree(layer.name);
      setenv(layer.variable, layer.file.c_str(), 1);
    }
  }
  void SetUp() override {
    if (process != Process::parent) _exit(0);
    for (const Layer& layer : layers()) fs::remove(layer.file);
    ASSERT_NE(std::getenv("GLIBC_TUNABLES"), nullptr)
        << "memory that nothing was written to may be a null pointer, and do no harm";
  }
};
const ::testing::Environment* const kStart = ::testing::AddGlobalTestEnvironment(new Start);

TEST(MpichMutated, TheMpirTreesThatMpichLoadsAreThoseWithoutFaults) {
  ASSERT_TRUE(layers()[0].opened);
  layers()[0].comparison.expect_alike(kLeast);
}

TEST(MpichMutated, TheCh4TreesThatMpichLoadsAreThoseWithoutFaults) {
  ASSERT_TRUE(layers()[1].opened);
  layers()[1].comparison.expect_alike(kLeast);
}

}  // namespace

// The library calls these instead of the C library's: programs come first when symbols are found.
extern "C" int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const int mode = (flags & O_CREAT) != 0 ? va_arg(rest, int) : 0;
  va_end(rest);
  for (Layer& layer : layers()) {
    if (process == Process::parent && !layer.opened && path == layer.file) {
      layer.opened = true;
      compare(layer);
    }
  }
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

/// MPI_Init calls it next to the reading of the MPIR tree.
extern "C" sighandler_t signal(int number, sighandler_t act) {
  if (process == Process::reader) _exit(0);
  static auto* const real =
      reinterpret_cast<sighandler_t (*)(int, sighandler_t)>(dlsym(RTLD_NEXT, "signal"));
  return real(number, act);
}

}  // namespace breakeven
