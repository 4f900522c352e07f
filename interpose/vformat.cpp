// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <iterator>
#include <string>

// This library has operators new and delete of its own (-static-libstdc++). In libfmt, which is
// shared, they are the program's, and a text made there would be freed here: a program that
// replaces them would crash. So the one function of libfmt that returns memory is here, too.
FMT_BEGIN_NAMESPACE

std::string vformat(string_view text, format_args arguments) {
  memory_buffer buffer;
  vformat_to(std::back_inserter(buffer), text, arguments);
  return to_string(buffer);
}

FMT_END_NAMESPACE
