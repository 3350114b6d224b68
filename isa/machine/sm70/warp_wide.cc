// SPDX-License-Identifier: Apache-2.0
// Warp-wide operations of sm_70 and later: MATCH, REDUX, ELECT, R2UR. They work on the lanes that
// execute the instruction together.
#include <algorithm>

#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"
#include "isa/machine/sm70/wide_source.h"

namespace shflsim::isa {
namespace {

Marks marks_of_source(const Execution& execution) {
  const Operand& a = execution.operand(Role::kA);
  Marks marks;
  if (!execution.warp.marked || !a.is_live_register()) return marks;
  for (unsigned word = 0; word < a.count; ++word)
    marks = marks | execution.warp.register_marks[a.index + word];
  return marks & execution.lanes;
}

/// One lane's undefined value makes the result undefined for all.
void mark_match(Execution& execution) {
  Warp& warp = execution.warp;
  if (!warp.marked) return;
  const Marks found = marks_of_source(execution);
  const Marks result{all_ones_if(found.undefined != 0)};
  const Operand& d = execution.operand(Role::kD);
  const Operand& p = execution.operand(Role::kP);
  const auto mark = [&](Marks& marks) { marks = marks.replaced(result, execution.lanes); };
  if (d.is_live_register()) mark(warp.register_marks[d.index]);
  if (is_kept(execution, Role::kP)) mark(warp.predicate_marks[p.index]);
}

/// The executing lanes that have the value of `lane`.
template <class Values>
LaneMask same_as(const Execution& execution, const Values& a, unsigned lane) {
  return execution.lanes & lanes_where([&](unsigned other) { return a[other] == a[lane]; });
}

/// D = the lanes with an equal value; .ALL: all executing lanes if their values are equal, else 0.
template <class Values>
void match(Execution& execution, const Values& a) {
  LaneAddresses& compared = execution.block.addresses;
  for (unsigned lane = 0; lane < kLanes; ++lane) compared[lane] = a[lane];
  execution.addresses = &compared;
  LaneValues values{};
  if (has_operand(execution, Role::kP)) {
    const LaneMask same = same_as(execution, a, first_lane(execution));
    const bool all = same == execution.lanes;
    values.fill(all ? same : 0);
    write_predicate(execution, Role::kP, all_ones_if(all));
  } else {
    for (LaneMask left = execution.lanes; left != 0;) {
      const LaneMask same = same_as(execution, a, static_cast<unsigned>(__builtin_ctz(left)));
      for_each_lane(same, [&](unsigned lane) { values[lane] = same; });
      left &= ~same;
    }
  }
  write_result(execution, values);
}

void match(Execution& execution) {
  mark_match(execution);
  if (execution.instruction[Mod::k_u64] != 0) {
    match(execution, WideSource(execution, Role::kA));
  } else {
    match(execution, SourceOperand(execution, Role::kA));
  }
}

/// Reports undefined values that go to a uniform register, which has no marks.
void report_lost_marks(const Execution& execution) {
  report_undefined(execution, marks_of_source(execution).undefined,
                   "moves an undefined value to a uniform register");
}

enum Reduction : uint8_t { kAnd, kOr, kXor, kSum, kMinimum, kMaximum };  // Mod::k_redux

uint32_t reduced(uint32_t x, uint32_t y, uint8_t reduction, uint32_t bias) {
  switch (reduction) {
    case kAnd: return x & y;
    case kOr: return x | y;
    case kXor: return x ^ y;
    case kSum: return x + y;
    case kMinimum: return std::min(x ^ bias, y ^ bias) ^ bias;
    default: return std::max(x ^ bias, y ^ bias) ^ bias;
  }
}

/// The reduction; CREDUX of sm_100 has only minimum and maximum.
uint8_t reduction_of(const Instruction& instruction) {
  if (instruction.op == Op::kSm70_REDUX) return instruction[Mod::k_redux];
  return instruction[Mod::k_credux] != 0 ? kMinimum : kMaximum;
}

void redux(Execution& execution) {
  report_lost_marks(execution);
  const SourceOperand a(execution, Role::kA);
  const uint8_t reduction = reduction_of(execution.instruction);
  const uint32_t bias = execution.instruction[Mod::k_s32] != 0 ? 0x80000000u : 0;
  const unsigned first = first_lane(execution);
  uint32_t result = a[first];
  for_each_lane(execution.lanes & (execution.lanes - 1),
                [&](unsigned lane) { result = reduced(result, a[lane], reduction, bias); });
  set_result(execution, [result](unsigned) { return result; });
}

/// Elects the lowest lane for which S is true: P is true only in that lane, D is its number.
void elect(Execution& execution) {
  const LaneMask candidates = execution.lanes & predicate_of(execution, Role::kS);
  const LaneMask leader = candidates & (0 - candidates);
  write_predicate(execution, Role::kP, leader);
  const uint32_t lane = leader == 0 ? 0 : static_cast<uint32_t>(__builtin_ctz(leader));
  set_result(execution, [lane](unsigned) { return lane; });
}

/// UR = the value of the lowest lane; P = the lane has another value, with .OR also where P was
/// true (measured: lanes.csv.gz of tests/data/h200/2026-12-01). ptxas' code loops over these lanes,
/// and it keeps tiles of a warp, which have different masks, off the path for one mask (BRA.DIV).
void r2ur(Execution& execution) {
  report_lost_marks(execution);
  const SourceOperand a(execution, Role::kA);
  set_result(execution, [&](unsigned lane) { return a[lane]; });
  if (!is_kept(execution, Role::kP)) return;
  const bool adds = execution.instruction[Mod::k_or_p] != 0;
  const LaneMask before = adds ? predicate_of(execution, Role::kP) : 0;
  write_predicate(execution, Role::kP, before | ~same_as(execution, a, first_lane(execution)));
}

}  // namespace

void add_sm70_warp_operations(OperationTable& table) {
  entry(table, Op::kSm70_MATCH) = {match, nullptr, true};
  for (const Op op : {Op::kSm70_REDUX, Op::kSm70_CREDUX}) entry(table, op) = {redux};
  entry(table, Op::kSm70_ELECT) = {elect};
  entry(table, Op::kSm70_R2UR) = {r2ur};
}

}  // namespace shflsim::isa
