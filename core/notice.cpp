// SPDX-License-Identifier: BSD-3-Clause
#include "core/notice.hpp"

#include "core/error.hpp"
#include "core/json.hpp"

namespace breakeven {

constexpr auto fields(std::type_identity<Notice>) {
  return kPlainFields<&Notice::kind, &Notice::cookie, &Notice::job, &Notice::procs, &Notice::rank,
                      &Notice::node, &Notice::pid, &Notice::program, &Notice::detail,
                      &Notice::library_version, &Notice::cpu, &Notice::unreadable>;
}

std::string to_text(const Notice& notice) { return line_of(json_of(notice)); }

Notice notice_of(std::string_view text) {
  try {
    return value_in<Notice>(Json::parse(text));
  } catch (const Json::exception&) {
    throw Error("no notice of a preloaded program");
  }
}

}  // namespace breakeven
