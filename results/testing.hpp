// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "results/store.hpp"

namespace breakeven::results::testing {

/// While it lives, no file of this process grows beyond `bytes`, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &was_);
    const rlimit limit{bytes, was_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &was_);
    (void)std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);  // so that write() returns an error
  rlimit was_{};
};

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The message with which a store refuses to open the file; empty when it opens.
inline std::string refusal(const std::filesystem::path& file, Store::Access access) {
  try {
    const Store store(file, access);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

/// Changes a database behind a store's back.
inline void execute(const std::filesystem::path& file, const std::string& sql) {
  SQLite::Database{file.string(), SQLite::OPEN_READWRITE}.exec(sql);
}

/// The samples of every measurement of a machine.
inline std::vector<CaseSamples> samples_of(const Store& store, MachineId machine) {
  std::vector<CaseSamples> all;
  store.visit_samples(machine, [&](const CaseSamples& samples) { all.push_back(samples); });
  return all;
}

}  // namespace breakeven::results::testing
