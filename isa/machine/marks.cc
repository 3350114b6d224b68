// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/marks.h"

#include "isa/codec/form.h"

namespace shflsim::isa {
namespace {

template <class F>
void for_each_bit(unsigned mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(__builtin_ctz(mask)));
}

Marks source_marks(const Footprint& footprint, const Warp& warp) {
  Marks marks;
  footprint.for_each_read([&](unsigned index) { marks = marks | warp.register_marks[index]; });
  for_each_bit(footprint.predicates_read,
               [&](unsigned index) { marks = marks | warp.predicate_marks[index]; });
  if (footprint.reads_carry) marks = marks | warp.cc_marks;
  return marks;
}

/// Calls f with the marks of each register and predicate that the instruction writes.
template <class F>
void for_each_written(const Footprint& footprint, Warp& warp, F f) {
  for (unsigned i = 0; i < footprint.write_count; ++i) {
    f(warp.register_marks[footprint.first_write + i]);
  }
  for_each_bit(footprint.predicates_written,
               [&](unsigned index) { f(warp.predicate_marks[index]); });
  if (footprint.writes_carry) f(warp.cc_marks);
}

/// Lanes whose guard is undefined.
Marks guard_marks(const Prepared& prepared, const Footprint& footprint, const Execution& execution,
                  LaneMask active) {
  Marks marks;
  if (execution.instruction.guard != kPT && !execution.instruction.guard_is_uniform)
    marks = execution.warp.predicate_marks[execution.instruction.guard];
  if (prepared.tests_cc && footprint.reads_carry) marks = marks | execution.warp.cc_marks;
  return marks & active;
}

bool writes_memory(Op op) {
  const Pipe pipe = facts(op).pipe;
  return (pipe == Pipe::kShared || pipe == Pipe::kGlobal);
}

}  // namespace

void carry_marks(const Prepared& prepared, const Footprint& footprint, Execution& execution,
                 LaneMask active) {
  const Marks guard = guard_marks(prepared, footprint, execution, active);
  if (!prepared.operation.own_marks) {
    const Marks marks = source_marks(footprint, execution.warp);
    for_each_written(footprint, execution.warp,
                     [&](Marks& target) { target = target.replaced(marks, execution.lanes); });
  }
  if (!guard.any()) return;
  for_each_written(footprint, execution.warp, [&](Marks& target) { target = target | guard; });
  if (prepared.operation.control) {
    report_undefined(execution, guard.undefined, "branches on an undefined predicate");
  } else if (footprint.write_count == 0 && writes_memory(execution.instruction.op)) {
    report_undefined(execution, guard.undefined, "stores under an undefined predicate");
  }
}

}  // namespace shflsim::isa
