// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace breakeven {

/// A variable of the MPI library, or of a transport below it, that was set.
struct LibrarySetting {
  std::string name{};    ///< "coll_tuned_allreduce_algorithm", "MPIR_CVAR_CH4_NETMOD", "UCX_TLS"
  std::string value{};   ///< as the library has it
  std::string origin{};  ///< "environment", "command line", the path of a file

  /// Wherever it comes from, it has the same effect.
  friend bool operator==(const LibrarySetting& one, const LibrarySetting& other) {
    return one.name == other.name && one.value == other.value;
  }
};

/// In the order of their names.
using LibrarySettings = std::vector<LibrarySetting>;

/// "UCX_TLS=tcp (environment); btl=^openib (/etc/openmpi/openmpi-mca-params.conf)"; "none".
[[nodiscard]] std::string to_text(const LibrarySettings& settings);

/// The same without origins: equal for equal settings.
[[nodiscard]] std::string values_text(const LibrarySettings& settings);

/// Reads what to_text() wrote.
/// @throws UsageError naming the part that is no setting.
[[nodiscard]] LibrarySettings parse_library_settings(std::string_view text);

/// How settings differ from others: "UCX_TLS=tcp, was unset; btl=self, was ^openib". Empty: they
/// are the same.
[[nodiscard]] std::string difference(const LibrarySettings& now, const LibrarySettings& before);

}  // namespace breakeven
