// SPDX-License-Identifier: Apache-2.0
// Conversions between integers and floats.
#include "isa/machine/operations.h"
#include "isa/machine/rounding.h"

namespace shflsim::isa {
namespace {

void i2f(Issue& issue) {
  const Source b(issue, Role::kB);
  set_result(issue, [&](unsigned lane) {
    return static_cast<uint32_t>(pack({false, b[lane], 0}, kSingle, Rounding::kNearest));
  });
}

}  // namespace

void add_conversion_operations(OperationTable& table) { entry(table, Op::kI2F) = {i2f}; }

}  // namespace shflsim::isa
