// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "core/process_stat.hpp"

namespace breakeven::launch {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPoll = std::chrono::milliseconds{20};

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw Error(fmt::format("can't make a pipe: {}", std::strerror(errno)));
  }
  return {ends[0], ends[1]};
}

void close_if_open(int& descriptor) {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Our environment with `added` in it, each name once: of two, programs take different ones.
std::vector<std::string> environment_with(const std::vector<std::string>& added) {
  const auto name_of = [](std::string_view variable) {
    return variable.substr(0, variable.find('='));
  };
  std::vector<std::string> variables = added;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const auto same_name = [&](const std::string& other) {
      return name_of(other) == name_of(*variable);
    };
    if (std::ranges::none_of(added, same_name)) variables.emplace_back(*variable);
  }
  return variables;
}

/// In the child, between fork and exec: only async-signal-safe calls, and no way back.
[[noreturn]] void become(char* const* arguments, char* const* environment, pid_t parent,
                         int report) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() == parent) {  // else the parent died before the line above
    signal(SIGPIPE, SIG_DFL);
    execvpe(arguments[0], arguments, environment);
    const int failure = errno;
    static_cast<void>(!::write(report, &failure, sizeof failure));
  }
  _exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const Command& command) {
  std::vector<std::string> argument_texts = command.arguments;
  std::vector<std::string> environment_texts = environment_with(command.environment);
  const std::vector<char*> arguments = pointers_to(argument_texts);
  const std::vector<char*> environment = pointers_to(environment_texts);

  Pipe in = make_pipe();
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  Pipe report = make_pipe();  // closes silently when exec succeeds
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    dup2(in.read, STDIN_FILENO);
    dup2(out.write, STDOUT_FILENO);
    dup2(err.write, STDERR_FILENO);
    become(arguments.data(), environment.data(), parent, report.write);
  }
  for (int* end : {&in.read, &out.write, &err.write, &report.write}) close_if_open(*end);
  in_ = in.write;
  out_ = out.read;
  err_ = err.read;
  int failure = pid_ < 0 ? errno : 0;
  if (pid_ > 0 && ::read(report.read, &failure, sizeof failure) <= 0) failure = 0;
  close_if_open(report.read);
  if (failure != 0) {
    if (pid_ > 0) static_cast<void>(reap(true));
    for (int* end : {&in_, &out_, &err_}) close_if_open(*end);
    throw UsageError(
        fmt::format("can't start '{}': {}", command.arguments.front(), std::strerror(failure)));
  }
  fcntl(in_, F_SETFL, O_NONBLOCK);
  signal(SIGPIPE, SIG_IGN);  // a child that ends before it has read all shows in its output
}

ChildProcess::~ChildProcess() {
  kill();
  for (int* end : {&in_, &out_, &err_}) close_if_open(*end);
}

ChildProcess::Wait ChildProcess::next_line(Seconds timeout) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(timeout.value);
  for (;;) {
    if (std::optional<std::string> line = take_line()) {
      line_ = std::move(*line);
      return Wait::line;
    }
    if (out_ < 0) return Wait::closed;
    const std::chrono::duration<double, std::milli> left = deadline - Clock::now();
    if (left.count() <= 0) return Wait::timeout;
    static_cast<void>(pump(static_cast<long>(left.count()) + 1));
  }
}

std::optional<std::string> ChildProcess::take_line() {
  const std::size_t end = output_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = output_.substr(0, end);
  output_.erase(0, end + 1);
  return line;
}

/// Moves all that is ready: our input to the child, its output and errors to us.
/// @return whether anything was
bool ChildProcess::pump(long timeout_ms) {
  if (input_.empty() && input_complete_) close_if_open(in_);
  const int wanting_input = input_.empty() ? -1 : in_;  // poll passes over a negative one
  std::array<pollfd, 3> descriptors{
      {{wanting_input, POLLOUT, 0}, {out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  if (poll(descriptors.data(), descriptors.size(), static_cast<int>(timeout_ms)) <= 0) return false;
  if (descriptors[0].revents != 0) {
    const ssize_t written = ::write(in_, input_.data(), input_.size());
    if (written > 0) {
      input_.erase(0, static_cast<std::size_t>(written));
    } else if (errno != EAGAIN) {
      input_.clear();
    }
  }
  const auto take = [](int& from, std::string& into) {
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count > 0) {
      into.append(buffer.data(), static_cast<std::size_t>(count));
    } else {
      close_if_open(from);
    }
  };
  if (descriptors[1].revents != 0) take(out_, output_);
  if (descriptors[2].revents != 0) take(err_, error_);
  return true;
}

std::optional<int> ChildProcess::reap(bool block) {
  if (!status_) {
    int status = 0;
    if (waitpid(pid_, &status, block ? 0 : WNOHANG) == pid_) status_ = status;
  }
  return status_;
}

void ChildProcess::kill() {
  if (status_) return;
  const std::vector<ProcessStat> tree = started_by(pid_, every_process());
  ::kill(-pid_, SIGTERM);
  for (auto waited = std::chrono::milliseconds{0}; !reap(false) && waited < std::chrono::seconds{2};
       waited += kPoll) {
    std::this_thread::sleep_for(kPoll);
  }
  if (!status_) ::kill(-pid_, SIGKILL);
  static_cast<void>(reap(true));
  // A launcher may leave ranks behind that were stopped or hang in the kernel's hands.
  for (const ProcessStat& process : tree) {
    const std::optional<ProcessStat> now = process_stat(process.pid);
    const bool same = now && now->started == process.started;  // not a later one with its number
    if (same) ::kill(process.pid, SIGKILL);
  }
}

std::string ChildProcess::wait(Seconds timeout) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(timeout.value);
  // Another process may hold its standard error open for longer: the child's end counts.
  while (!reap(false) && Clock::now() < deadline) static_cast<void>(pump(kPoll.count()));
  while (err_ >= 0 && pump(0)) continue;
  kill();
  const int status = *status_;
  if (WIFSIGNALED(status)) {
    return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("exit status {}", WEXITSTATUS(status));
}

std::string ChildProcess::error_text() const {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < error_.size();) {
    const std::size_t end = std::min(error_.find('\n', begin), error_.size());
    const std::string line = error_.substr(begin, end - begin);
    // Launchers frame their messages with rules and blank lines; libraries append the stack.
    const bool frame = (line.ends_with(']') && line.find(")[0x") != std::string::npos) ||
                       (line.ends_with(']') && line.find(") [0x") != std::string::npos) ||
                       line.starts_with("  ->  ") || line.starts_with("Backtrace (");
    const bool rule = line.find_first_not_of(" =-_*\r\t|") == std::string::npos;
    if (!frame && !rule) lines.push_back(line);
    if (lines.size() > 3) lines.erase(lines.begin());
    begin = end + 1;
  }
  return fmt::format("{}", fmt::join(lines, " / "));
}

std::string to_text(const ChildProcess::Command& command) {
  std::string text;
  const auto append = [&](const std::string& word) {
    constexpr auto* kSafe =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    const bool safe = !word.empty() && word.find_first_not_of(kSafe) == std::string::npos;
    if (!text.empty()) text += ' ';
    if (safe) {
      text += word;
      return;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string{"'\\''"} : std::string{c};
    text += '\'';
  };
  for (const std::string& variable : command.environment) append(variable);
  for (const std::string& argument : command.arguments) append(argument);
  return text;
}

std::vector<std::string> split_words(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  std::vector<std::string> words;
  std::optional<std::string> word;  // the present one; '' is a word too
  char quote = '\0';                // that is open
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\0' && kBlanks.find(c) != std::string_view::npos) {
      if (word) words.push_back(*word);
      word.reset();
      continue;
    }
    if (!word) word.emplace();
    if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      *word += text[++i];
    } else {
      *word += c;
    }
  }
  if (quote != '\0') {
    throw UsageError(fmt::format("'{}' has a {} that is not closed", text, quote));
  }
  if (word) words.push_back(*word);
  return words;
}

}  // namespace breakeven::launch
