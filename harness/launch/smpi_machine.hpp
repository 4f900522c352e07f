// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/case.hpp"
#include "core/names.hpp"

namespace breakeven::launch {

/// SMPI's models of a message's time on a platform's links.
enum class SmpiNetwork : std::uint8_t {
  pure,    ///< latency + bytes / bandwidth, links shared fairly: the platform's own values
  fitted,  ///< with SimGrid's factors for each message size, fitted to a cluster of 2012, with
           ///< TCP's window and with acknowledgements
};
inline constexpr Names<SmpiNetwork, 2> kSmpiNetworks{
    "network", {{{SmpiNetwork::pure, "pure"}, {SmpiNetwork::fitted, "smpi"}}}};

/// The library, in an old version, whose selection SMPI's own collectives follow.
enum class SmpiSelector : std::uint8_t { naive, ompi, mpich, mvapich2, impi };
inline constexpr Names<SmpiSelector, 5> kSmpiSelectors{"selector",
                                                       {{{SmpiSelector::naive, "default"},
                                                         {SmpiSelector::ompi, "ompi"},
                                                         {SmpiSelector::mpich, "mpich"},
                                                         {SmpiSelector::mvapich2, "mvapich2"},
                                                         {SmpiSelector::impi, "impi"}}}};

/// A simulated platform as an MPI library. Its hosts are the nodes of cases.
struct SmpiMachine {
  std::filesystem::path platform{};
  SmpiNetwork network = SmpiNetwork::pure;
  SmpiSelector selector = SmpiSelector::naive;
  double gamma_per_byte = 0;  ///< seconds that a rank takes to reduce a byte
  // A sweep's layout, given with the machine: it belongs to the cases, not to the machine.
  std::optional<int> hosts{};
  std::optional<int> procs_per_host{};
  std::optional<Mapping> mapping{};
};

/// Whether a machine's name asks for a simulation: "smpi:...".
[[nodiscard]] bool is_smpi(std::string_view machine);

/// "smpi:PLATFORM.xml[,hosts=64][,ppn=8][,mapping=rr][,network=smpi][,selector=ompi][,gamma=1e-10]"
/// @throws UsageError naming the wrong part and the possible ones.
[[nodiscard]] SmpiMachine parse_smpi(std::string_view machine);

/// The machine as parse_smpi() takes it, without a layout: the form for a database's sweeps.
[[nodiscard]] std::string to_text(const SmpiMachine& machine);

/// Its name in a database: the same without the platform's folder.
[[nodiscard]] std::string name_of(const SmpiMachine& machine);

/// For commands that look at real nodes.
/// @throws UsageError when `machine` is a simulated one.
void require_real_nodes(std::string_view machine, std::string_view command);

}  // namespace breakeven::launch
