// SPDX-License-Identifier: BSD-3-Clause
// The notices of a process to the `breakeven run` above it: BREAKEVEN_RUN is "COOKIE PORT ADDRESS
// ...".
#include "interpose/notify.hpp"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <mpi.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "core/files.hpp"
#include "core/notice.hpp"
#include "core/processor.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven::interpose {

namespace {

namespace fs = std::filesystem;

constexpr int kConnectMs = 3000;  // to an address that may not be reachable from here
constexpr bool kIsOpenMpi = std::string_view{BREAKEVEN_MPI} == "openmpi";
constexpr std::string_view kPrefix = kIsOpenMpi ? "OMPI_MCA_coll_" : "MPIR_CVAR_";
constexpr std::string_view kSuffix = kIsOpenMpi ? "_filename" : "_JSON_FILE";

constexpr std::string_view kTable = "BREAKEVEN_TABLE";

bool init_called = false;
char** arguments = nullptr;  // of the program

const char* first_of(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const char* const value = std::getenv(name)) return value;
  }
  return nullptr;
}

/// This process's rank as its launcher numbers it; null without one.
const char* rank_of_job() { return first_of({"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"}); }

std::string words_of(std::string_view proc_file) {
  try {
    std::string words = read_file(proc_file);
    std::ranges::replace(words, '\0', ' ');
    return words;
  } catch (const std::exception&) {
    return "";
  }
}

/// Differs from other launchers' jobs: Hydra's job has no name, but a port.
std::string job_name() {
  if (const char* const name = std::getenv("PMIX_NAMESPACE")) return name;
  if (rank_of_job() == nullptr) return fmt::format("{}", getpid());
  std::istringstream proxy{words_of(fmt::format("/proc/{}/cmdline", getppid()))};
  for (std::string word; proxy >> word;) {
    if (word == "--control-port" && proxy >> word) return word;
  }
  const char* const step = first_of({"SLURM_STEP_ID", "FLUX_JOB_ID"});
  return step == nullptr ? "" : step;
}

Notice notice_here(Notice::Kind kind, std::string detail = "") {
  const char* const rank = rank_of_job();
  const char* const procs =
      rank == nullptr ? nullptr
                      : first_of({"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"});
  return {.kind = kind,
          .job = job_name(),
          .procs = procs == nullptr ? 1 : std::max(1, std::atoi(procs)),
          .rank = procs == nullptr ? 0 : std::atoi(rank),
          .node = node_name(),
          .pid = getpid(),
          .program = program_invocation_short_name,
          .detail = std::move(detail)};
}

/// @return -1 when it isn't reached in time
int connected(const std::string& address, int port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0 || inet_pton(AF_INET, address.c_str(), &to.sin_addr) != 1) return -1;
  pollfd ready{.fd = file, .events = POLLOUT, .revents = 0};
  int error = 0;
  socklen_t size = sizeof error;
  const bool begun =
      connect(file, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 || errno == EINPROGRESS;
  if (begun && poll(&ready, 1, kConnectMs) == 1 &&
      getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0) {
    fcntl(file, F_SETFL, 0);
    return file;
  }
  close(file);
  return -1;
}

/// @return the answer; empty when there is none
std::string told(Notice notice) {
  std::istringstream run{first_of({"BREAKEVEN_RUN"})};
  int port = 0;
  run >> notice.cookie >> port;
  const std::string text = to_text(notice);
  for (std::string address; run >> address;) {
    const int file = connected(address, port);
    if (file < 0) continue;
    std::string answer;
    if (send(file, text.data(), text.size(), MSG_NOSIGNAL) == std::ssize(text)) {
      shutdown(file, SHUT_WR);
      std::array<char, 4096> part{};
      for (ssize_t got = 0; (got = read(file, part.data(), part.size())) != 0;) {
        if (got < 0 && errno != EINTR) break;
        if (got > 0) answer.append(part.data(), static_cast<std::size_t>(got));
      }
    }
    close(file);
    return answer;
  }
  return "";
}

bool run_is_above() { return std::getenv("BREAKEVEN_RUN") != nullptr; }

void tell(Notice::Kind kind, std::string detail = "") noexcept {
  try {
    static_cast<void>(told(notice_here(kind, std::move(detail))));
  } catch (const std::exception&) {
    // The notice serves a message alone.
  }
}

/// The variables that name the files of a table, with these files.
std::map<std::string, std::string> table_files() {
  std::map<std::string, std::string> found;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const std::string_view name = variable.substr(0, variable.find('='));
    const bool of_library = name.starts_with(kPrefix) && name.ends_with(kSuffix);
    if (name.size() == variable.size() || !(of_library || name == kTable)) continue;
    found.emplace(name, variable.substr(name.size() + 1));
  }
  return found;
}

/// @param reads_table  whether this process reads that of our algorithms
std::vector<std::string> unreadable(bool reads_table) {
  std::vector<std::string> found;
  for (const auto& [name, file] : table_files()) {
    if (name == kTable && (!reads_table || file.starts_with("cycle:"))) continue;
    if (!file.empty() && access(file.c_str(), R_OK) != 0) found.push_back(file);
  }
  return found;
}

void forget_table() {
  for (const auto& [name, file] : table_files()) unsetenv(name.c_str());
}

bool starts_jobs(std::string_view program) {
  constexpr std::array kLaunchers{"mpiexec", "mpirun", "orterun", "prterun", "srun", "flux"};
  return std::ranges::any_of(kLaunchers,
                             [&](const char* each) { return program.starts_with(each); });
}

/// The file that gives a program this function, if it isn't ours.
std::string provider_of(const char* function) {
  Dl_info found{};
  Dl_info ours{};
  void* const address = dlsym(RTLD_DEFAULT, function);
  if (address == nullptr || dladdr(address, &found) == 0) return "";
  if (dladdr(reinterpret_cast<void*>(&answer_roll_call), &ours) == 0) return "";
  return found.dli_fbase == ours.dli_fbase ? "" : found.dli_fname;
}

/// A program of the other library would get wrong arguments: it begins anew without our preload.
void leave_foreign_program() {
  std::istringstream preloaded{first_of({"LD_PRELOAD"})};
  std::string others;
  bool left = false;
  for (std::string each; std::getline(preloaded, each, ':');) {
    const bool ours = each.ends_with("libbreakeven-" BREAKEVEN_MPI ".so");
    left = left || ours;
    if (!ours) others += (others.empty() ? "" : ":") + each;
  }
  if (!left) return;
  if (run_is_above()) tell(Notice::Kind::foreign, kIsOpenMpi ? "mpich" : "openmpi");
  setenv("LD_PRELOAD", others.c_str(), 1);
  execv("/proc/self/exe", arguments);
}

/// Leaves a program that is linked to the other library, whose functions are found before ours.
[[gnu::constructor]] void notify_begin(int /*argc*/, char** argv, char** /*environment*/) {
  arguments = argv;
  std::array<char, 1 << 14> version{};  // another library's may be longer than ours
  int length = 0;
  PMPI_Get_library_version(version.data(), &length);
  if (std::string_view{version.data()}.starts_with("Open MPI") != kIsOpenMpi)
    leave_foreign_program();
}

/// Whether the other library is in this process: a module of Python, which came later, brought it.
bool other_library_is_loaded() {
  const auto is_other = [](dl_phdr_info* object, std::size_t /*size*/, void* /*data*/) {
    const std::string_view file = object->dlpi_name;
    const std::string_view name = file.substr(file.rfind('/') + 1);
    return name.starts_with(kIsOpenMpi ? "libmpich.so." : "libopen-pal.so.") ? 1 : 0;
  };
  return dl_iterate_phdr(is_other, nullptr) != 0;
}

[[gnu::destructor]] void notify_end() {
  if (init_called || !run_is_above()) return;
  const char* const rank = rank_of_job();
  int initialised = 0;
  PMPI_Initialized(&initialised);
  if (initialised != 0) {
    tell(Notice::Kind::past_us, provider_of("MPI_Init"));
  } else if (starts_jobs(program_invocation_short_name)) {
    const std::string words = words_of("/proc/self/cmdline");
    tell(Notice::Kind::launcher, words.find("LD_PRELOAD") == std::string::npos ? "" : "LD_PRELOAD");
  } else if (rank != nullptr && std::string_view{rank} == "0") {
    tell(Notice::Kind::no_init);
  }
}

}  // namespace

std::string node_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

Verdict answer_roll_call() noexcept {
  if (other_library_is_loaded()) leave_foreign_program();
  init_called = true;
  Verdict verdict = Verdict::stands_aside;
  try {
    Notice notice = notice_here(Notice::Kind::init);
    notice.library_version = executor::library_version_line();
    notice.cpu = processor_name().value_or("unknown");
    notice.unreadable = unreadable(run_is_above() && notice.rank == 0);
    if (!run_is_above()) {
      if (notice.unreadable.empty()) return Verdict::takes_part;
      std::fprintf(stderr, "breakeven: %s can't read %s; the job ends\n", notice.node.c_str(),
                   notice.unreadable.front().c_str());
      forget_table();
      return Verdict::ends;
    }
    std::istringstream answer{told(notice)};
    std::string first;
    std::string second;
    std::getline(answer, first);
    std::getline(answer, second);
    if (first.empty()) {
      std::fprintf(stderr, "breakeven: %s can't reach `breakeven run` (%s); no table is used\n",
                   notice.node.c_str(), std::getenv("BREAKEVEN_RUN"));
    }
    if (first.empty() || second == kWithoutTable) forget_table();
    if (first == kTakePart) verdict = Verdict::takes_part;
    if (first == kEnd) verdict = Verdict::ends;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "breakeven: %s; no table is used\n", error.what());
  }
  return verdict;
}

void notify_spawned() noexcept { tell(Notice::Kind::spawned); }

}  // namespace breakeven::interpose
