// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "model/core/cycle.h"

namespace shflsim::model {

/// A register file, as seen by readers other than math instructions.
class BankUse : public virtual sc_core::sc_interface {
 public:
  /// True if a math instruction reads a register's bank at `now`, or has booked it for later.
  virtual bool bank_taken(uint8_t index, Cycle now) const = 0;
};

}  // namespace shflsim::model
