// SPDX-License-Identifier: Apache-2.0
// Comparisons of integers of sm_70 and later: ISETP and UISETP.
#include "isa/machine/alu/relation.h"
#include "isa/machine/operations.h"
#include "isa/machine/sm70/wide_source.h"

namespace shflsim::isa {
namespace {

/// Mod::k_unsigned_ and k_ityp: U32, S32, U64, S64.
uint8_t type_of(const Instruction& instruction) {
  return static_cast<uint8_t>(instruction[Mod::k_unsigned_] | instruction[Mod::k_ityp]);
}

template <class Values, class Bits>
Relation relation_of(const Values& a, const Values& b, Bits bias) {
  Relation relation;
  relation.below = lanes_where([&](unsigned lane) { return (a[lane] ^ bias) < (b[lane] ^ bias); });
  relation.equal = lanes_where([&](unsigned lane) { return a[lane] == b[lane]; });
  relation.above = ~(relation.below | relation.equal);
  return relation;
}

Relation integer_relation(const Execution& execution) {
  const uint8_t type = type_of(execution.instruction);
  const bool is_signed = (type & 1) != 0;
  if ((type & 2) != 0) {
    const WideSource a(execution, Role::kA), b(execution, Role::kB);
    return relation_of(a, b, is_signed ? uint64_t{1} << 63 : uint64_t{0});
  }
  const SourceOperand a(execution, Role::kA), b(execution, Role::kB);
  return relation_of(a, b, is_signed ? 0x80000000u : 0u);
}

/// .EX compares the upper words; if they are equal, the result is U, that of the lower words.
void isetp(Execution& execution) {
  const Relation relation = integer_relation(execution);
  LaneMask test = holds(relation, execution.instruction[Mod::k_icmp]);
  if (execution.instruction[Mod::k_ex] != 0) {
    const LaneMask lower = predicate_of(execution, Role::kU);
    test = (test & ~relation.equal) | (lower & relation.equal);
  }
  write_set_predicates(execution, test);
}

/// No source documents what the form without .EX (sm_70, sm_75) does with this predicate.
std::string refuse_isetp(const Instruction& instruction) {
  const Operand& u = instruction[Role::kU];
  const bool plain = u.is(Operand::Kind::kNone) || (u.index == kPT && !u.negate);
  return instruction[Mod::k_ex] != 0 || plain ? "" : "the form with a third predicate";
}

}  // namespace

void add_sm70_compare_operations(OperationTable& table) {
  for (const Op op : {Op::kSm70_ISETP, Op::kSm70_UISETP}) entry(table, op) = {isetp, refuse_isetp};
}

}  // namespace shflsim::isa
