// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/pairs.h"

#include "isa/codec/form.h"

namespace shflsim::isa {

bool may_pair(const Instruction& first, const Instruction& second) {
  const Pipe math = facts(first.op).pipe;
  const bool begins = is_math(math) && math != Pipe::kDouble;
  const bool stays_alone = second.op == Op::kCAL || second.op == Op::kJCAL ||
                           second.op == Op::kMEMBAR || second.op == Op::kNOP;
  return begins && !is_math(facts(second.op).pipe) && !stays_alone;
}

}  // namespace shflsim::isa
