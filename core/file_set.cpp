// SPDX-License-Identifier: BSD-3-Clause
#include "core/file_set.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "core/error.hpp"

namespace breakeven {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kCurrent = ".current";
constexpr std::string_view kState = ".state-";  // the folders that it may lead to

std::set<std::string> files_in(const fs::path& state) {
  std::set<std::string> names;
  if (!fs::is_directory(state)) return names;
  for (const fs::directory_entry& each : fs::recursive_directory_iterator{state}) {
    if (!each.is_directory()) names.insert(fs::relative(each.path(), state));
  }
  return names;
}

/// A folder of the set's own: hidden, with the permissions that others of the user have.
fs::path new_state(const fs::path& folder) {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const fs::path state = folder / fmt::format("{}{:x}-{}", kState, now, getpid());
  fs::create_directories(folder);
  fs::create_directory(state);
  return state;
}

void copy_to(const fs::path& file, const fs::path& copy) {
  fs::create_directories(copy.parent_path());
  fs::copy_file(file, copy);
}

[[noreturn]] void refuse(const fs::path& folder, const fs::filesystem_error& error) {
  throw UsageError(fmt::format("can't write the files of '{}': {}: {}", folder.string(),
                               error.code().message(), error.path1().string()));
}

}  // namespace

FileSet::FileSet(fs::path folder) : folder_{std::move(folder)} {
  try {
    next_ = new_state(folder_);
  } catch (const fs::filesystem_error& error) {
    refuse(folder_, error);
  }
}

FileSet::~FileSet() {
  std::error_code ignored;
  if (!next_.empty()) fs::remove_all(next_, ignored);
}

void FileSet::keep(const std::string& name) {
  if (fs::exists(folder_ / name)) copy_to(folder_ / name, next_ / name);
}

bool FileSet::linked(const std::string& name) const {
  const fs::path file = folder_ / name;
  if (!fs::is_symlink(file)) return false;
  const fs::path at = fs::path{name}.parent_path() / fs::read_symlink(file);
  return at.lexically_normal() == fs::path{kCurrent} / name;
}

void FileSet::link(const std::string& name) const {
  if (linked(name)) return;
  fs::create_directories((folder_ / name).parent_path());
  put_link((fs::path{kCurrent} / name).lexically_relative(fs::path{name}.parent_path()), name);
}

/// Within the next state a link that is not in its place yet has no reader.
void FileSet::put_link(const fs::path& target, const std::string& name) const {
  const fs::path link = next_ / ".link";
  fs::create_symlink(target, link);
  fs::rename(link, folder_ / name);
}

void FileSet::switch_to(const fs::path& state) const {
  const fs::path current = folder_ / kCurrent;
  // So it is in a copy that followed the links; there the files are no links.
  if (!fs::is_symlink(current)) fs::remove_all(current);
  put_link(state.filename(), current.filename());
}

/// Makes links of files that are none yet, which say the same as before at each step.
void FileSet::take_in(const std::set<std::string>& names) {
  bool any = false;
  for (const std::string& name : names) any |= fs::exists(folder_ / name) && !linked(name);
  if (!any) return;
  const fs::path state = new_state(folder_);
  for (const std::string& name : names) {
    if (fs::exists(folder_ / name)) copy_to(folder_ / name, state / name);
  }
  switch_to(state);
  for (const std::string& name : files_in(state)) link(name);
}

void FileSet::remove_others(const fs::path& before) const {
  for (const fs::path& each : fs::directory_iterator{folder_}) {
    const std::string name = each.filename();
    if (!name.starts_with(kState) || each.filename() == next_.filename() || name == before)
      continue;
    fs::remove_all(each);
  }
}

void FileSet::commit(std::set<std::string> gone) {
  try {
    const fs::path current = folder_ / kCurrent;
    const std::set<std::string> files = files_in(next_);
    gone.merge(files_of_set(folder_));
    std::set<std::string> all = files;
    all.insert(gone.begin(), gone.end());
    take_in(all);
    const fs::path before = fs::is_symlink(current) ? fs::read_symlink(current) : fs::path{};
    for (const std::string& name : files) link(name);
    switch_to(next_);
    for (const std::string& name : gone) {
      if (!files.contains(name)) fs::remove(folder_ / name);
    }
    remove_others(before);
    next_.clear();
  } catch (const fs::filesystem_error& error) {
    refuse(folder_, error);
  }
}

std::set<std::string> files_of_set(const fs::path& folder) {
  if (!fs::is_symlink(folder / kCurrent)) return {};
  return files_in(folder / kCurrent);
}

}  // namespace breakeven
