// SPDX-License-Identifier: BSD-3-Clause
#include "executor/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>

#include "core/error.hpp"

namespace breakeven {

namespace {

/// Where each scratch slot lies, in elements from the beginning of the scratch buffer.
struct ScratchLayout {
  std::vector<std::int64_t> begin{0};  ///< of each slot, then the end
  std::vector<int> any_before{0};      ///< slots before each slot, or the end, that take any block
};

ScratchLayout lay_out(const Schedule& schedule, const CollectiveCall& call) {
  ScratchLayout layout;
  const std::int64_t room = longest_block(call, schedule.blocks);
  for (const ScratchRun& run : schedule.scratch) {
    const bool any = run.first_block == ScratchRun::kAnyBlock;
    if (!any && (run.first_block < 0 || run.first_block + run.count > schedule.blocks)) {
      throw Error(fmt::format("the schedule's scratch names {} blocks from block {}, of {}",
                              run.count, run.first_block, schedule.blocks));
    }
    for (int i = 0; i < run.count; ++i) {
      const int block = run.first_block + i;
      layout.begin.push_back(layout.begin.back() +
                             (any ? room
                                  : block_begin(call, schedule.blocks, block + 1) -
                                        block_begin(call, schedule.blocks, block)));
      layout.any_before.push_back(layout.any_before.back() + (any ? 1 : 0));
    }
  }
  return layout;
}

/// A run of blocks in its buffer, in elements.
struct Run {
  Buffer buffer = Buffer::input;
  std::int64_t begin = 0;
  std::int64_t elements = 0;
  bool exact = true;  ///< false: slots that take any block, `elements` is their room
};

class Binder {
 public:
  Binder(const Schedule& schedule, const CollectiveCall& call, std::span<const std::byte> input,
         std::span<std::byte> output);

  [[nodiscard]] BoundSchedule bound() &&;

 private:
  void add(const Send& send);
  void add(const Recv& recv);
  void add(const Copy& copy);
  void add(const Reduce& reduce);

  [[nodiscard]] Run locate(Location location, int count) const;
  [[nodiscard]] Run locate_in_vector(Location location, int count, BlockRange range) const;
  [[nodiscard]] const std::byte* readable(const Run& run) const;
  [[nodiscard]] std::byte* writable(const Run& run);
  [[nodiscard]] int message_bytes(const Run& run) const;
  [[nodiscard]] int peer(Rank rank) const;
  [[nodiscard]] std::size_t bytes(std::int64_t elements) const {
    return static_cast<std::size_t>(elements * extent_);
  }
  void require_room(std::size_t has, std::int64_t needs, std::string_view buffer) const;

  const Schedule& schedule_;
  const CollectiveCall& call_;
  std::span<const std::byte> input_;
  std::span<std::byte> output_;
  std::int64_t extent_;
  ScratchLayout layout_;
  BoundSchedule bound_;
};

Binder::Binder(const Schedule& schedule, const CollectiveCall& call,
               std::span<const std::byte> input, std::span<std::byte> output)
    : schedule_(schedule),
      call_(call),
      input_(input),
      output_(output),
      extent_(extent(call.datatype).value) {
  const int procs = call.problem.procs;
  if (schedule.blocks < 1 ||
      (counts_one_block(call.problem.collective) && schedule.blocks % procs != 0)) {
    throw Error(fmt::format("a schedule of {} blocks does not cut {} among {} processes",
                            schedule.blocks, kCollectives.of(call.problem.collective), procs));
  }
  require_room(input.size(), input_elements(call), "input");
  require_room(output.size(), output_elements(call), "output");
  if (reduces(call.problem.collective)) bound_.reduce = reduce_kernel(call.op, call.datatype);
  layout_ = lay_out(schedule, call);
  bound_.scratch.resize(bytes(layout_.begin.back()));
}

BoundSchedule Binder::bound() && {
  for (const Round& round : schedule_.rounds) {
    bound_.rounds.emplace_back();
    const auto add_step = [this](const auto& step) { add(step); };
    for (const Comm& step : round.comm) std::visit(add_step, step);
    for (const Local& step : round.local) std::visit(add_step, step);
  }
  return std::move(bound_);
}

void Binder::add(const Send& send) {
  const Run from = locate(send.from, send.count);
  if (!from.exact) throw Error("the schedule sends from scratch that takes any block");
  bound_.rounds.back().sends.push_back({readable(from), message_bytes(from), peer(send.to)});
}

void Binder::add(const Recv& recv) {
  const Run into = locate(recv.into, recv.count);
  bound_.rounds.back().recvs.push_back({writable(into), message_bytes(into), peer(recv.source)});
}

/// The elements of a step: what its exact sides agree on, and what the others have room for.
std::int64_t elements_of(std::initializer_list<Run> sides) {
  const Run* exact = std::ranges::find(sides, true, &Run::exact);
  if (exact == sides.end()) throw Error("the schedule has a local step of unknown size");
  for (const Run& side : sides) {
    if (side.exact ? side.elements != exact->elements : side.elements < exact->elements) {
      throw Error(
          fmt::format("the schedule has a local step of {} elements on one side, {} on "
                      "another",
                      exact->elements, side.elements));
    }
  }
  return exact->elements;
}

void Binder::add(const Copy& copy) {
  const Run from = locate(copy.from, copy.count);
  const Run into = locate(copy.into, copy.count);
  const BoundCopy step{readable(from), writable(into), bytes(elements_of({from, into}))};
  if (step.bytes > 0 && step.from != step.into) bound_.rounds.back().local.push_back(step);
}

void Binder::add(const Reduce& reduce) {
  if (bound_.reduce == nullptr) throw Error("the schedule reduces where nothing is to be reduced");
  const Run a = locate(reduce.a, reduce.count);
  const Run b = locate(reduce.b, reduce.count);
  const Run into = locate(reduce.into, reduce.count);
  const auto elements = static_cast<std::size_t>(elements_of({a, b, into}));
  if (elements == 0) return;
  bound_.rounds.back().local.push_back(
      BoundReduce{readable(a), readable(b), writable(into), elements});
}

Run Binder::locate(Location location, int count) const {
  const Problem& problem = call_.problem;
  switch (location.buffer) {
    case Buffer::input:
      return locate_in_vector(location, count, input_blocks(problem, schedule_.blocks));
    case Buffer::output:
      return locate_in_vector(location, count, output_blocks(problem, schedule_.blocks));
    case Buffer::scratch: break;
  }
  const auto slots = static_cast<std::int64_t>(layout_.begin.size()) - 1;
  if (location.block < 0 || count < 0 || location.block + std::int64_t{count} > slots) {
    throw Error(fmt::format("the schedule names {} slots of its scratch from slot {}, of {}", count,
                            location.block, slots));
  }
  const auto first = static_cast<std::size_t>(location.block);
  const auto end = first + static_cast<std::size_t>(count);
  return {.buffer = Buffer::scratch,
          .begin = layout_.begin[first],
          .elements = layout_.begin[end] - layout_.begin[first],
          .exact = layout_.any_before[first] == layout_.any_before[end]};
}

Run Binder::locate_in_vector(Location location, int count, BlockRange range) const {
  if (location.block < 0 || count < 0 || location.block + std::int64_t{count} > range.count) {
    throw Error(fmt::format("the schedule names {} blocks of its {} from block {}, of {}", count,
                            location.buffer == Buffer::input ? "input" : "output", location.block,
                            range.count));
  }
  const int first = range.first + location.block;
  const std::int64_t begin = block_begin(call_, schedule_.blocks, first);
  return {.buffer = location.buffer,
          .begin = begin - block_begin(call_, schedule_.blocks, range.first),
          .elements = block_begin(call_, schedule_.blocks, first + count) - begin};
}

const std::byte* Binder::readable(const Run& run) const {
  switch (run.buffer) {
    case Buffer::input: return input_.data() + bytes(run.begin);
    case Buffer::output: return output_.data() + bytes(run.begin);
    case Buffer::scratch: return bound_.scratch.data() + bytes(run.begin);
  }
  throw Error("binding: not a buffer");
}

std::byte* Binder::writable(const Run& run) {
  switch (run.buffer) {
    case Buffer::input: throw Error("the schedule writes its input");
    case Buffer::output: return output_.data() + bytes(run.begin);
    case Buffer::scratch: return bound_.scratch.data() + bytes(run.begin);
  }
  throw Error("binding: not a buffer");
}

int Binder::message_bytes(const Run& run) const {
  const std::int64_t size = run.elements * extent_;
  if (size > std::numeric_limits<int>::max()) {
    throw Error(fmt::format("a message of {} bytes is more than MPI's int can count", size));
  }
  return static_cast<int>(size);
}

int Binder::peer(Rank rank) const {
  if (rank.value < 0 || rank.value >= call_.problem.procs) {
    throw Error(
        fmt::format("the schedule names rank {} of {} processes", rank.value, call_.problem.procs));
  }
  return rank.value;
}

void Binder::require_room(std::size_t has, std::int64_t needs, std::string_view buffer) const {
  if (has >= bytes(needs)) return;
  throw Error(
      fmt::format("the {} buffer has {} bytes, the call needs {}", buffer, has, bytes(needs)));
}

}  // namespace

BoundSchedule bind_schedule(const Schedule& schedule, const CollectiveCall& call,
                            std::span<const std::byte> input, std::span<std::byte> output) {
  return Binder{schedule, call, input, output}.bound();
}

}  // namespace breakeven
