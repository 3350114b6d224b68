// SPDX-License-Identifier: Apache-2.0
// Comparisons, predicates and votes.
#include "isa/machine/alu/relation.h"
#include "isa/machine/operations.h"
#include "isa/machine/warp.h"

namespace shflsim::isa {
namespace {

/// The relation of a and b. With .X a subtraction with ".CC" has compared the lower words before:
/// its carry means "not below", its zero flag "equal".
Relation integer_relation(const Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const uint32_t bias = execution.instruction[Mod::k_unsigned_] == 0 ? 0 : 0x80000000u;
  Relation relation;
  relation.below = lanes_where([&](unsigned lane) { return (a[lane] ^ bias) < (b[lane] ^ bias); });
  relation.equal = lanes_where([&](unsigned lane) { return a[lane] == b[lane]; });
  if (execution.instruction[Mod::k_x] != 0) {
    const ConditionCode& lower = execution.warp.cc;
    relation.below |= relation.equal & ~lower.carry;
    relation.equal &= lower.zero;
  }
  relation.above = ~(relation.below | relation.equal);
  return relation;
}

void iset(Execution& execution) {
  const LaneMask test = holds(integer_relation(execution), execution.instruction[Mod::k_icmp]);
  write_set(execution,
            combine(execution.instruction[Mod::k_bool_], test, predicate_of(execution, Role::kS)));
}

void isetp(Execution& execution) {
  const LaneMask test = holds(integer_relation(execution), execution.instruction[Mod::k_icmp]);
  write_set_predicates(execution, test);
}

/// D = c compared with 0 holds ? a : b.
void icmp(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const SourceOperand c(execution, Role::kC);
  const bool is_signed = execution.instruction[Mod::k_unsigned_] != 0;
  Relation relation;
  relation.below = lanes_where([&](unsigned lane) { return is_signed && (c[lane] >> 31) != 0; });
  relation.equal = lanes_where([&](unsigned lane) { return c[lane] == 0; });
  relation.above = ~(relation.below | relation.equal);
  const LaneMask selects_a = holds(relation, execution.instruction[Mod::k_icmp]);
  set_result(execution, [&](unsigned lane) { return bit_of(selects_a, lane) ? a[lane] : b[lane]; });
}

/// P = (t op u) op2 s, Q = not (t op u) op2 s.
void psetp(Execution& execution) {
  const LaneMask first =
      combine(execution.instruction[Mod::k_bool_], predicate_of(execution, Role::kT),
              predicate_of(execution, Role::kU));
  const LaneMask s = predicate_of(execution, Role::kS);
  const uint8_t second = execution.instruction[Mod::k_bool2];
  write_predicate(execution, Role::kP, combine(second, first, s));
  write_predicate(execution, Role::kQ, combine(second, ~first, s));
}

void pset(Execution& execution) {
  const LaneMask first =
      combine(execution.instruction[Mod::k_bool_], predicate_of(execution, Role::kT),
              predicate_of(execution, Role::kU));
  write_set(execution,
            combine(execution.instruction[Mod::k_bool2], first, predicate_of(execution, Role::kS)));
}

void cset(Execution& execution) {
  const LaneMask test = condition_holds(execution.instruction[Mod::k_cct], execution.warp.cc);
  write_set(execution,
            combine(execution.instruction[Mod::k_bool_], test, predicate_of(execution, Role::kS)));
}

void csetp(Execution& execution) {
  write_set_predicates(execution,
                       condition_holds(execution.instruction[Mod::k_cct], execution.warp.cc));
}

constexpr unsigned kPredicates = 7;  // P0 to P6
constexpr unsigned kFlags = 4;       // zero, sign, carry, overflow

/// Packs the predicates (or the condition code) of the mask b into a byte of a; UP2UR packs
/// uniform predicates.
void p2r(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  const Warp& warp = execution.warp;
  const bool flags = execution.instruction[Mod::k_flags] != 0;
  const unsigned shift = 8u * execution.instruction[Mod::k_byte];
  const bool uniform = execution.operand(Role::kD).is(Operand::Kind::kUniform);
  const LaneMask codes[] = {warp.cc.zero, warp.cc.sign, warp.cc.carry, warp.cc.overflow};
  set_result(execution, [&](unsigned lane) {
    uint32_t packed = 0;
    for (unsigned i = 0; i < (flags ? kFlags : kPredicates); ++i) {
      const LaneMask bits = flags     ? codes[i]
                            : uniform ? warp.uniform_predicate(i)
                                      : warp.predicate(i);
      packed |= ((bits >> lane) & 1u) << i;
    }
    const uint32_t mask = b[lane] & 0xFF;
    return (a[lane] & ~(mask << shift)) | ((packed & mask) << shift);
  });
}

void r2p(Execution& execution) {
  const SourceOperand a(execution, Role::kA);
  const SourceOperand b(execution, Role::kB);
  Warp& warp = execution.warp;
  const unsigned byte = execution.operand(Role::kA).half | execution.instruction[Mod::k_byte];
  const unsigned shift = 8 * byte;
  LaneMask* const codes[] = {&warp.cc.zero, &warp.cc.sign, &warp.cc.carry, &warp.cc.overflow};
  const bool flags = execution.instruction[Mod::k_flags] != 0;
  const bool uniform = execution.operand(Role::kA).is(Operand::Kind::kUniform);
  for (unsigned i = 0; i < (flags ? kFlags : kPredicates); ++i) {
    const LaneMask bits =
        lanes_where([&](unsigned lane) { return ((a[lane] >> (shift + i)) & 1u) != 0; });
    const LaneMask chosen =
        execution.lanes & lanes_where([&](unsigned lane) { return ((b[lane] >> i) & 1u) != 0; });
    if (flags) {
      *codes[i] = (*codes[i] & ~chosen) | (bits & chosen);
    } else if (uniform) {
      if (chosen != 0) warp.write_uniform_predicate(i, (bits & chosen) != 0);
    } else {
      warp.write_predicate(i, chosen, bits);
    }
  }
}

/// One lane's undefined vote makes the result undefined for all.
void mark_vote(Execution& execution) {
  Warp& warp = execution.warp;
  const Operand& s = execution.operand(Role::kS);
  if (!warp.marked || !s.is(Operand::Kind::kPredicate)) return;
  const Marks voted = warp.predicate_marks[s.index] & execution.lanes;
  const Marks result{all_ones_if(voted.undefined != 0)};
  const Operand& d = execution.operand(Role::kD);
  const Operand& p = execution.operand(Role::kP);
  if (d.is_live_register()) {
    warp.register_marks[d.index] = warp.register_marks[d.index].replaced(result, execution.lanes);
  }
  if (p.is(Operand::Kind::kUniformPredicate)) {
    report_undefined(execution, result.undefined & execution.lanes,
                     "votes on an undefined value for a uniform predicate");
  } else if (p.index != kPT) {
    warp.predicate_marks[p.index] = warp.predicate_marks[p.index].replaced(result, execution.lanes);
  }
}

/// D = the executing lanes whose predicate is true; P = all, any, or all or none are true.
void vote(Execution& execution) {
  const LaneMask ballot = predicate_of(execution, Role::kS) & execution.lanes;
  const bool all = ballot == execution.lanes;
  const bool any = ballot != 0;
  const bool results[] = {all, any, all || !any, false};
  mark_vote(execution);
  set_result(execution, [ballot](unsigned) { return ballot; });
  write_predicate(execution, Role::kP, all_ones_if(results[execution.instruction[Mod::k_vote]]));
}

}  // namespace

LaneMask holds(const Relation& relation, uint8_t comparison) {
  LaneMask result = 0;
  if ((comparison & 1) != 0) result |= relation.below;
  if ((comparison & 2) != 0) result |= relation.equal;
  if ((comparison & 4) != 0) result |= relation.above;
  if ((comparison & 8) != 0) result |= relation.unordered;
  return result;
}

LaneMask combine(uint8_t operation, LaneMask a, LaneMask b) {
  switch (operation) {
    case 0: return a & b;
    case 1: return a | b;
    default: return a ^ b;
  }
}

void write_set(Execution& execution, LaneMask test) {
  const uint32_t truth = execution.instruction[Mod::k_bf] != 0 ? 0x3F800000u : ~0u;
  LaneValues values;
  for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = bit_of(test, lane) ? truth : 0;
  write_result(execution, values);
  write_condition(execution, values, 0, 0);
}

void write_set_predicates(Execution& execution, LaneMask test) {
  const LaneMask s = predicate_of(execution, Role::kS);
  const uint8_t operation = execution.instruction[Mod::k_bool_];
  write_predicate(execution, Role::kP, combine(operation, test, s));
  write_predicate(execution, Role::kQ, combine(operation, ~test, s));
}

void add_compare_operations(OperationTable& table) {
  entry(table, Op::kISET) = {iset};
  entry(table, Op::kISETP) = {isetp};
  entry(table, Op::kICMP) = {icmp};
  entry(table, Op::kPSETP) = {psetp};
  entry(table, Op::kPSET) = {pset};
  entry(table, Op::kCSET) = {cset};
  entry(table, Op::kCSETP) = {csetp};
  for (const Op op : {Op::kP2R, Op::kSm70_P2R, Op::kSm70_UP2UR}) entry(table, op) = {p2r};
  for (const Op op : {Op::kR2P, Op::kSm70_R2P, Op::kSm70_UR2UP}) entry(table, op) = {r2p};
  for (const Op op : {Op::kVOTE, Op::kSm70_VOTE, Op::kSm70_VOTEU})
    entry(table, op) = {vote, nullptr, true};
}

}  // namespace shflsim::isa
