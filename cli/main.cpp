// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command.hpp"

int main(int argc, char** argv) { return breakeven::cli::run(argc, argv); }
