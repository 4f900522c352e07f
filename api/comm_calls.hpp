// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/by_table.hpp"
#include "core/mapping.hpp"
#include "core/variant.hpp"
#include "executor/communicator.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_call.hpp"
#include "executor/plan.hpp"
#include "libraries/forced/bound_choice.hpp"
#include "tables/profile.hpp"

namespace breakeven::api {

using forced::BoundChoice;

/// A bound choice in a communicator's cache.
struct KeptChoice {
  BoundChoice choice{};
  tables::Amount* amount = nullptr;  ///< calls are added to it; null: they are not counted
};

/// The bits of a handle, a number in some libraries and a pointer in others.
template <typename Handle>
[[nodiscard]] std::intptr_t bits_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::intptr_t>(handle);
  } else {
    return static_cast<std::intptr_t>(handle);
  }
}

/// 2^64 / golden ratio: products with it look random.
inline constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;

/// A number that follows from all of these and looks random.
[[nodiscard]] inline std::uint64_t mixed(std::span<const std::intptr_t> words) {
  std::uint64_t mix = 0;
  for (const std::intptr_t word : words) {
    mix = (mix ^ static_cast<std::uint64_t>(word)) * kGoldenRatio;
  }
  return mix >> 32U;
}

/// A kind of calls: all of a call but the addresses and the sizes of its buffers.
struct CallKey {
  /// Of every call: collective, root and kinds of addresses; datatypes; operation.
  using Head = std::array<std::intptr_t, 4>;
  Head head{-1};
  std::vector<std::intptr_t> tail{};  ///< the choice by name, then all shares of an exact one

  /// Inline: a preloaded program makes one in every call.
  [[nodiscard]] static Head head_of(const executor::MpiCall& call) {
    // Not there, in place, as the other one, or anywhere else.
    const auto word_of = [](const void* address, const void* other) -> std::intptr_t {
      if (address == nullptr) return 1;
      if (address == MPI_IN_PLACE) return 2;
      return address == other ? 3 : 0;
    };
    return {static_cast<std::intptr_t>(call.collective) | std::intptr_t{call.in_place} << 8 |
                word_of(call.input.address, nullptr) << 9 |
                word_of(call.output.address, call.input.address) << 11 |
                std::intptr_t{call.root} << 16,
            bits_of(call.input.type), bits_of(call.output.type), bits_of(call.op)};
  }
  friend bool operator==(const CallKey& one, const CallKey& other) {
    std::intptr_t differ = 0;
    for (std::size_t i = 0; i < one.head.size(); ++i) differ |= one.head[i] ^ other.head[i];
    return differ == 0 && one.tail == other.tail;
  }
};

/// The calls of one communicator: the choices that were bound last, and the channel of their plans,
/// on which messages never meet those of the program.
class CommCalls {
 public:
  static constexpr std::size_t kMost = 1024;  ///< bound choices; the least recently used one goes

  /// Not collective.
  explicit CommCalls(MPI_Comm comm);
  ~CommCalls();
  CommCalls(const CommCalls&) = delete;
  CommCalls& operator=(const CommCalls&) = delete;

  /// Those that are attached to a communicator, from the first request until it is freed.
  /// @throws UsageError for an intercommunicator.
  [[nodiscard]] static CommCalls& of(MPI_Comm comm);

  /// The choice that is bound to such a call, or null. A plan serves all sizes of up to twice the
  /// least, and the caller makes it fit() this one. Other choices are found by exact sizes. A
  /// datatype or an operation may have the handle of a freed one: then the choice is dropped.
  /// @param by  the choice itself, where equal calls may be made by several
  [[nodiscard]] KeptChoice* find(const executor::MpiCall& call, std::string_view by = {}) {
    key_.head = CallKey::head_of(call);
    if (!by.empty() || !key_.tail.empty()) key_.tail.assign(by.begin(), by.end());
    size_ = size_in(call);
    if (entries_.empty()) return nullptr;
    Entry& last = entries_.front();
    const bool again = last.holds(key_, size_, call.input.count) &&
                       last.freed == executor::freed_handles() && !last.identity.commutes;
    return again ? &last.kept : find_among_all(call);
  }
  /// Keeps a choice for the call of the last find(), and those like it.
  /// @param sizes  the message sizes that it is for; nothing: of this call alone
  KeptChoice& keep(const executor::MpiCall& call, KeptChoice made,
                   std::optional<SizeRange> sizes = {});

  /// The bytes of each process's share, where the root tells them; else nothing. Collective where
  /// the algorithm makes ranks pass on shares of others in a gatherv or scatterv.
  /// @throws UsageError on all ranks where the algorithm is unknown or can't run.
  [[nodiscard]] std::vector<std::int64_t> shares_of(const Variant& choice,
                                                    const executor::MpiCall& call,
                                                    const NodeLayout& layout);
  /// Collective at the communicator's first plan. All ranks choose alike.
  /// @pre is_valid(call), and nothing makes the choice unfit()
  /// @throws UsageError on all ranks where it can't be bound, MpiError where MPI refuses something.
  [[nodiscard]] BoundChoice bind(const Variant& choice, const executor::MpiCall& call,
                                 const NodeLayout& layout, std::span<const std::int64_t> shares,
                                 forced::Unable unable);
  /// A plan for this call alone, which may be under way together with others. All ranks make those
  /// of a communicator in the same order.
  /// @pre bind() has bound the choice to a plan; no channel is shared
  [[nodiscard]] BoundChoice::Plan startable_plan(const Variant& choice,
                                                 const executor::MpiCall& call,
                                                 const NodeLayout& layout,
                                                 std::span<const std::int64_t> shares);

  /// Collective at first.
  [[nodiscard]] const executor::Channel& channel();
  /// The channel's duplicate of the communicator, unless the channel is shared.
  [[nodiscard]] const executor::Communicator& own();
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  /// Drops all choices and gives the channel back.
  void close();
  /// The same for all communicators of this process that have channels.
  static void close_all();
  /// From now on channels are tags of this communicator instead of duplicates, which a library has
  /// few of. To be called before the first channel is made.
  /// @param world  a duplicate of MPI_COMM_WORLD, which has all processes; null: no longer
  static void share_channel(const executor::Communicator* world);

 private:
  /// The objects that a call's handles stand for: a key leaves them open once a handle was freed.
  struct Identity {
    std::array<std::int64_t, 2> types{};      ///< of both buffers; 0: not present
    std::vector<std::int64_t> share_types{};  ///< of an alltoallw
    std::optional<bool> commutes{};           ///< of an operation that is the program's
    friend bool operator==(const Identity&, const Identity&) = default;
  };
  struct Entry {
    CallKey key;
    std::int64_t first;  ///< the sizes from this one on, in elements, as size_in() counts them
    std::int64_t end;
    std::int64_t input;  ///< the input's count; -1: any
    std::uint64_t hash;
    Identity identity;
    std::uint64_t freed;  ///< freed_handles() when the identity was last looked at
    KeptChoice kept;

    [[nodiscard]] bool holds(const CallKey& other, std::int64_t size,
                             std::int64_t input_count) const {
      return first <= size && size < end && (input < 0 || input == input_count) && key == other;
    }
  };
  using Entries = std::list<Entry>;

  /// The elements of the vector or of a share; of all shares where they differ.
  [[nodiscard]] static std::int64_t size_in(const executor::MpiCall& call) {
    return irregular(call.collective) ? size_of_shares(call) : call.described().count;
  }
  [[nodiscard]] static std::int64_t size_of_shares(const executor::MpiCall& call);
  void write_exact_key(const executor::MpiCall& call);
  [[nodiscard]] KeptChoice* find_among_all(const executor::MpiCall& call);
  [[nodiscard]] KeptChoice* find_by(const CallKey& key, const executor::MpiCall& call);
  [[nodiscard]] static Identity identity_of(const executor::MpiCall& call);
  [[nodiscard]] static bool still_holds(Entry& entry, const executor::MpiCall& call);
  [[nodiscard]] std::vector<Entries::iterator>& bucket(std::uint64_t hash) {
    return buckets_[hash & (buckets_.size() - 1)];
  }
  void drop(Entries::iterator entry);
  void grow();
  [[nodiscard]] BoundChoice bound_to_plan(const Variant& choice, const executor::MpiCall& call,
                                          const NodeLayout& layout,
                                          std::span<const std::int64_t> shares);
  [[nodiscard]] BoundChoice::Forced forced(const Case& what, forced::Unable unable);

  MPI_Comm comm_;
  std::optional<executor::Channel> channel_{};
  bool gave_tag_ = false;  ///< the channel's, from this process's range
  std::optional<executor::Communicator> own_{};
  Entries entries_{};                                      ///< those used last first
  std::vector<std::vector<Entries::iterator>> buckets_{};  ///< by hash, a power of two of them
  CallKey key_{};                                          ///< of the last find()
  CallKey exact_key_{};                                    ///< the same with all shares
  std::int64_t size_ = 0;                                  ///< of the last find()
  unsigned startable_ = 0;                                 ///< startable plans made so far
  /// By root: whether ranks pass on the shares of others.
  std::map<std::tuple<Collective, Variant, int>, bool, std::less<>> passes_on_{};
  std::map<std::pair<Collective, Variant>, BoundChoice::Forced> forced_{};
};

/// Attaches to communicators what `end` deletes when they are freed. The library's number for it.
[[nodiscard]] int make_keyval(MPI_Comm_delete_attr_function* end);

/// The largest tag, MPI_TAG_UB.
[[nodiscard]] int most_tag();

}  // namespace breakeven::api
