// SPDX-License-Identifier: BSD-3-Clause
#include <malloc.h>

#include "cli/command.hpp"

int main(int argc, char** argv) {
  // A million measurements are many small blocks: without this, threads that make room for them a
  // page at a time wait for each other in the kernel for a fifth of the time.
  constexpr int kRoom = 64 << 20;
  mallopt(M_TOP_PAD, kRoom);
  return breakeven::cli::run(argc, argv);
}
