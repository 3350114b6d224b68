// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/base/input_error.h"

namespace shflsim {

/// Collects the faults of one input, so that all are reported at once: a reader keeps the fault of
/// a line and continues with the next line.
class Faults {
 public:
  static constexpr size_t kMostTold = 20;  ///< further ones are only counted

  /// Calls `read` and keeps the InputError that it throws. False if it threw one.
  template <class Read>
  bool hold(Read read) {
    try {
      read();
      return true;
    } catch (const InputError& error) {
      add(error);
      return false;
    }
  }
  void add(const InputError& error);

  bool any() const { return !first_.empty(); }
  /// Throws the kept faults, sorted by line and column; returns if there are none.
  void raise() const;

 private:
  std::vector<Fault> first_;  ///< first faults, in the order of the input
  size_t untold_ = 0;
};

}  // namespace shflsim
