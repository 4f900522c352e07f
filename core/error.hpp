// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

namespace breakeven {

/// Every failure that this project reports: `what()` is one line that tells what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The request can't be met as asked (unknown name, unmet need, unusable file). Exit status 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A schedule or a measured result is wrong. Never downgraded to a warning. Exit status 3.
class VerificationError : public Error {
 public:
  using Error::Error;
};

}  // namespace breakeven
