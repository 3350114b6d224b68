// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/warp.h"

namespace shflsim::isa {
namespace {

/// Tests 0 to 15, as for floats: below, equal, above, unordered. After an integer operation the
/// overflow corrects the sign; zero and sign together mean NaN (envytools, Tesla).
LaneMask ordered_test(uint8_t test, const ConditionCode& cc) {
  const LaneMask unordered = cc.zero & cc.sign;
  const LaneMask equal = cc.zero & ~cc.sign;
  const LaneMask below = (cc.sign ^ cc.overflow) & ~cc.zero;
  const LaneMask above = ~(unordered | equal | below);
  LaneMask result = 0;
  if ((test & 1) != 0) result |= below;
  if ((test & 2) != 0) result |= equal;
  if ((test & 4) != 0) result |= above;
  if ((test & 8) != 0) result |= unordered;
  return result;
}

}  // namespace

LaneMask condition_holds(uint8_t test, const ConditionCode& cc) {
  if (test < 16) return ordered_test(test, cc);
  switch (test) {
    case 16: return ~cc.overflow;          // OFF
    case 17: return ~cc.carry;             // LO
    case 18: return ~cc.sign;              // SFF
    case 19: return ~cc.carry | cc.zero;   // LS
    case 20: return cc.carry & ~cc.zero;   // HI
    case 21: return cc.sign;               // SFT
    case 22: return cc.carry;              // HS
    case 23: return cc.overflow;           // OFT
    case 30: return cc.zero | cc.sign;     // RLE
    case 31: return ~(cc.zero | cc.sign);  // RGT
    default: return 0;                     // clip tests of graphics
  }
}

}  // namespace shflsim::isa
