// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "core/units.hpp"

namespace breakeven::session {

/// Who is told how far a session is.
class Listener {
 public:
  Listener() = default;
  virtual ~Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// The measurements that probably remain, and how long they take.
  virtual void expect(std::size_t count, Seconds time) = 0;
  /// A part of the whole begins: "p = 3, launch 2".
  virtual void begin_part(const std::string& part) = 0;
  /// What is being measured now.
  virtual void at(const std::string& what) = 0;
  /// One more is measured, or has failed for good.
  virtual void advance() = 0;
  /// A line of its own for the user.
  virtual void say(const std::string& line) = 0;
};

}  // namespace breakeven::session
