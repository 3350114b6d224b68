// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "report/run/field.h"

namespace shflsim::report {

/// The runs of a machine with one value changed.
struct VariedValue {
  struct Trial {
    uint32_t value = 0;
    uint64_t cycles = 0;
  };
  std::string key;
  std::string unit;
  uint64_t value = 0;         ///< value that the machine has
  uint64_t cycles = 0;        ///< cycles of the run with `value`
  std::optional<Trial> low;   ///< nothing if there is no lower value that can run
  std::optional<Trial> high;  ///< likewise

  uint64_t least() const;  ///< cycles of the fastest of the three runs
  uint64_t most() const;
};

/// How the cycles of a run depend on values (computed in sweep/sensitivity.h).
struct Sensitivity {
  uint64_t cycles = 0;              ///< cycles of the machine as configured
  size_t runs = 0;                  ///< number of simulations done
  std::vector<VariedValue> values;  ///< the greatest effect first
  bool are_wanted = false;          ///< true: the user named the values; false: the assumed ones
};

const Fields<VariedValue>& varied_columns();
/// Writes the range of cycles, and the values that change them, one at a time.
void write_sensitivity(std::ostream& out, const Sensitivity& sensitivity);

}  // namespace shflsim::report
