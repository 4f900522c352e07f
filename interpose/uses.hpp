// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <list>
#include <map>
#include <string>

#include "executor/communicator.hpp"
#include "executor/mpi_call.hpp"
#include "tuner/profile.hpp"

namespace breakeven::interpose {

using tuner::Amount;
using tuner::Use;
using Uses = std::map<Use, Amount>;

/// @param layout  of the communicator
/// @param algorithm  that performs the call
[[nodiscard]] Use use_of(const executor::MpiCall& call, Bytes message, const NodeLayout& layout,
                         std::string algorithm);

/// What one communicator of this process is used for. Of several threads none uses one of another.
class CommUses {
 public:
  CommUses();
  ~CommUses();  ///< what it holds stays
  CommUses(const CommUses&) = delete;
  CommUses& operator=(const CommUses&) = delete;

  /// Stays where it is.
  [[nodiscard]] Amount& of(const Use& use) { return (*uses_)[use]; }

 private:
  std::list<Uses>::iterator uses_;
};

/// Collective over a duplicate of MPI_COMM_WORLD: rank 0 writes a tuner::Profile of all
/// communicators of all ranks.
/// @param folder  gets NODE.PID.json of rank 0, whole or not at all; what goes wrong is told in one
///                line
/// @param wall_s  since MPI_Init
void write_profile(const std::string& folder, const executor::Communicator& world,
                   double wall_s) noexcept;

}  // namespace breakeven::interpose
