// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "model/core/cycle.h"

namespace shflsim::model {

/// A register file, as seen by readers other than math instructions.
class BankUse : public virtual sc_core::sc_interface {
 public:
  /// Reads the register in the cycle `at`, before any math instruction. Must be called before the
  /// issues of the third cycle before it.
  virtual void take_port(uint8_t index, Cycle at) = 0;
};

}  // namespace shflsim::model
