// SPDX-License-Identifier: Apache-2.0
// Branches, convergence barriers and calls of sm_70 and later, where every lane has a program
// counter (isa/machine/convergence.h).
#include <fmt/format.h>

#include <algorithm>

#include "isa/code/launch_layout.h"
#include "isa/machine/address_space.h"
#include "isa/machine/cluster.h"
#include "isa/machine/operations.h"
#include "isa/machine/sm70/wide_source.h"

namespace shflsim::isa {
namespace {

Convergence& flow_of(Execution& execution) { return execution.warp.convergence; }

uint32_t index_at(const Execution& execution, uint64_t address, unsigned lane) {
  const Program& program = execution.block.grid.program;
  const int index = program.index_at(static_cast<int64_t>(address));
  const auto function = index < 0 ? program.functions.find(address) : program.functions.end();
  if (function != program.functions.end()) return function->second;
  if (index < 0) fail(execution, fmt::format("jumps to 0x{:x}, outside the code", address), lane);
  return static_cast<uint32_t>(index);
}

enum BranchKind : uint8_t { kPlain, kUniform, kIfDivergent, kIfConvergent };

/// The lanes that BRA.DIV and BRA.CONV compare with the lanes whose guard is true.
LaneMask named_lanes(const Execution& execution) {
  const Operand& mask = execution.operand(Role::kA);
  if (!mask.is(Operand::Kind::kUniform)) return kAllLanes;
  const uint32_t value = execution.warp.uniform(mask.index);
  return mask.invert ? ~value : value;
}

/// The lanes that branch. With .ANY all branch if one does: loops on uniform registers use it.
LaneMask branching(const Execution& execution) {
  const uint8_t kind = execution.instruction[Mod::k_bra];
  if (kind != kIfDivergent && kind != kIfConvergent) {
    const LaneMask going = execution.lanes & predicate_of(execution, Role::kS);
    const bool together = execution.instruction[Mod::k_any] != 0 && going != 0;
    return together ? execution.warp.convergence.active() : going;
  }
  const bool together = execution.lanes == named_lanes(execution);
  return together == (kind == kIfConvergent) ? execution.warp.convergence.active() : 0;
}

void bra(Execution& execution) {
  const LaneMask lanes = branching(execution);
  execution.lanes = lanes;
  if (lanes == 0) return;
  Convergence& flow = flow_of(execution);
  const auto target = static_cast<uint64_t>(execution.operand(Role::kB).value);
  flow.branch(lanes, index_at(execution, target, kNoLane), flow.pc());
}

/// Lets lanes with different targets diverge.
template <class Target>
void go_to_each(Execution& execution, Target target_of) {
  const LaneMask going = execution.lanes & predicate_of(execution, Role::kS);
  std::array<uint32_t, kLanes> targets{};
  for_each_lane(going,
                [&](unsigned lane) { targets[lane] = index_at(execution, target_of(lane), lane); });
  flow_of(execution).scatter(going, targets);
}

/// BRX, BRXU: relative to the next instruction; CALL.ABS, CALL.REL and RET with a register:
/// relative to B, the address that is printed after the register, or to 0.
template <bool from_next>
void indirect(Execution& execution) {
  const WideSource a(execution, Role::kA);
  const auto offset = static_cast<uint64_t>(execution.operand(Role::kB).value);
  const uint64_t base = (from_next ? execution.instruction.address + 16 : 0) + offset;
  go_to_each(execution, [&](unsigned lane) { return base + a[lane]; });
  if (!execution.warp.marked || !execution.operand(Role::kA).is_live_register()) return;
  const Marks& marks = execution.warp.register_marks[execution.operand(Role::kA).index];
  report_undefined(execution, marks.undefined & execution.lanes, "branches to an undefined target");
}

/// The code itself puts the return address into registers before a call.
void call(Execution& execution) {
  if (execution.operand(Role::kA).is(Operand::Kind::kRegister)) return indirect<false>(execution);
  const auto target = static_cast<uint64_t>(execution.operand(Role::kB).value);
  go_to_each(execution, [target](unsigned) { return target; });
}

void bssy(Execution& execution) {
  const LaneMask lanes = execution.lanes & predicate_of(execution, Role::kS);
  BarrierRegisters& barriers = flow_of(execution).barriers;
  barriers.add(execution.operand(Role::kD).index, lanes);
}

void bsync(Execution& execution) {
  const LaneMask lanes = execution.lanes & predicate_of(execution, Role::kS);
  flow_of(execution).wait_at_barrier(execution.operand(Role::kD).index, lanes);
}

void leave(Execution& execution) {
  const LaneMask lanes = execution.lanes & predicate_of(execution, Role::kS);
  flow_of(execution).leave_barrier(execution.operand(Role::kD).index, lanes);
}

/// Moves between a convergence barrier and a register, an immediate, another barrier or the set of
/// running lanes (MACTIVE). As on an H200 a barrier takes the value of the lowest lane.
void bmov(Execution& execution) {
  if (execution.lanes == 0) return;
  BarrierRegisters& barriers = flow_of(execution).barriers;
  const Operand& to = execution.operand(Role::kD);
  const Operand& from = execution.operand(Role::kA);
  if (to.is(Operand::Kind::kConvergence) && !from.is(Operand::Kind::kConvergence))
    return barriers.set(to.index, execution.lanes);
  const LaneMask members = barriers[from.index];
  if (to.is(Operand::Kind::kRegister)) {
    set_result(execution, [members](unsigned) { return members; });
  } else if (to.is(Operand::Kind::kConvergence)) {
    barriers.set(to.index, members);
  } else {
    const SourceOperand b(execution, Role::kB);
    barriers.set(from.index, b[first_lane(execution)]);
  }
  if (execution.instruction[Mod::k_clear] != 0) barriers.set(from.index, 0);
}

std::string refuse_bmov(const Instruction& instruction) {
  return form_says(instruction, "MACTIVE, ") ? "the form that writes MACTIVE" : "";
}

/// Moves between a register and half of Rpc; ptxas' code also keeps other values in it.
void rpcmov(Execution& execution) {
  LaneValues& half = execution.warp.return_address[execution.instruction[Mod::k_rpc] & 1u];
  if (execution.operand(Role::kD).is(Operand::Kind::kRegister))
    return write_result(execution, half);
  const SourceOperand b(execution, Role::kB);
  for_each_lane(execution.lanes, [&](unsigned lane) { half[lane] = b[lane]; });
}

void exit_lanes(Execution& execution) {
  const LaneMask lanes = execution.lanes & predicate_of(execution, Role::kS);
  if (lanes == 0) return;
  flow_of(execution).exit(lanes);
  execution.block.lanes_ended();
  AccessOrder* const order = execution.block.order();
  if (order == nullptr || flow_of(execution).alive() != 0) return;
  const AccessFault fault =
      order->end({execution.block.rank, execution.warp_index}, execution.block.live_threads() == 0);
  if (fault != AccessFault::kNone) report_undefined(execution, lanes, text_of(fault));
}

/// YIELD is in loops that wait for other lanes or other warps.
void yield(Execution& execution) {
  if (execution.lanes == 0) return;
  flow_of(execution).yield();
  execution.warp.gives_way = true;
}

/// The nanoseconds take time only in the model. With .SYNCS they limit the preceding wait if that
/// waits, which it does not while other lanes are ready. A wait of all lanes takes as long as
/// without the limit on an H100 (never, in waits.csv.gz).
void nanosleep(Execution& execution) {
  if (execution.lanes == 0) return;
  const SourceOperand nanoseconds(execution, Role::kB);
  const bool is_limit = (execution.instruction[Mod::k_wsm] & 1) != 0;
  if (!is_limit || flow_of(execution).others().ready() != 0) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      execution.block.addresses[lane] = nanoseconds[lane];
    execution.addresses = &execution.block.addresses;
  }
  yield(execution);
}

/// True if the code reads the address of a cooperative launch's workspace.
bool synchronises_grid(const Program& program) {
  const uint32_t workspace = launch_layout(program.arch).workspace_low;
  const auto is_workspace = [&](const Operand& operand) {
    return operand.is(Operand::Kind::kConstant) && operand.bank == 0 && operand.value == workspace;
  };
  return std::any_of(program.code.begin(), program.code.end(), [&](const Instruction& each) {
    return std::any_of(each.operands.begin(), each.operands.end(), is_workspace);
  });
}

/// A function of the CUDA runtime is a trap whose text is the function's name.
void trap(Execution& execution) {
  if (execution.lanes == 0) return;
  const Grid& grid = execution.block.grid;
  const std::string& text = grid.program.texts[execution.index];
  if (text.find("BPT") == std::string::npos) fail(execution, "calls " + text);
  const bool lacks_workspace = !grid.launch.is_cooperative && synchronises_grid(grid.program);
  fail(execution,
       lacks_workspace ? "the kernel traps, since its blocks wait for each other; "
                         "expected a cooperative launch (--cooperative)"
                       : "the kernel traps",
       kNoLane, LaunchFault::kTrap);
}

/// D = the instruction's own address, from which ptxas' code of sm_80 computes the return address
/// of a call of printf, or the address of a target.
void lepc(Execution& execution) {
  const Operand& target = execution.operand(Role::kB);
  const uint64_t address = target.is(Operand::Kind::kTarget)
                               ? static_cast<uint64_t>(target.value)
                               : uint64_t{execution.instruction.address};
  set_result(execution, [address](unsigned) { return static_cast<uint32_t>(address); });
  set_result(
      execution, [address](unsigned) { return static_cast<uint32_t>(address >> 32); }, 1);
}

constexpr Operation control(void (*execute)(Execution&),
                            std::string (*refuse)(const Instruction&) = nullptr) {
  return {execute, refuse, false, true};
}

/// "DEPBAR.LE SB0, 0x1" also waits for groups of bulk copies from shared memory.
void wait_for_copies(Execution& execution) {
  const Operand& most = execution.operand(Role::kC);
  AccessOrder* const order = execution.block.order();
  if (order != nullptr && most.is(Operand::Kind::kImmediate))
    order->wait_for_copies({execution.block.rank, execution.warp_index},
                           static_cast<uint32_t>(most.value));
}

/// An H200 stops at "DEPBAR.LE SB0, 0x1, {0}" with "illegal instruction".
std::string refuse_depbar(const Instruction& depbar) {
  const Operand& list = depbar[Role::kG];
  const bool counts = depbar[Role::kC].is(Operand::Kind::kImmediate);
  if (!counts || !list.is(Operand::Kind::kImmediate)) return "";
  return (list.value >> depbar[Mod::k_sb] & 1) != 0 ? "a list with the scoreboard that is counted"
                                                    : "";
}

/// The fence of memory in front of one of the proxies publishes nothing to other warps.
void fence(Execution& execution) {
  const std::vector<Instruction>& code = execution.block.grid.program.code;
  const size_t next = execution.index + size_t{1};
  if (next < code.size() && code[next].op == Op::kSm70_FENCE) return;
  execution.block.fence(execution.warp_index);
}

/// FENCE.VIEW.ASYNC, for AccessOrder; .G is of global memory alone.
void fence_proxy(Execution& execution) {
  constexpr uint8_t kGlobalMemory = 1;  // bit of the value of the field fence
  AccessOrder* const order = execution.block.order();
  if (order != nullptr && execution.instruction[Mod::k_fence] != kGlobalMemory)
    order->fence_proxy({execution.block.rank, execution.warp_index});
}

/// The end of a group of loads to shared memory (PTX: cp.async.commit_group), for AccessOrder.
void end_loads(Execution& execution) {
  AccessOrder* const order = execution.block.order();
  if (order != nullptr) order->end_loads({execution.block.rank, execution.warp_index});
}

}  // namespace

void add_sm70_control_operations(OperationTable& table) {
  entry(table, Op::kSm70_BRA) = control(bra);
  entry(table, Op::kSm70_BRX) = control(indirect<true>);
  entry(table, Op::kSm70_BRXU) = control(indirect<true>);
  entry(table, Op::kSm70_CALL) = control(call);
  entry(table, Op::kSm70_RET) = control(indirect<false>);
  entry(table, Op::kSm70_BSSY) = control(bssy);
  entry(table, Op::kSm70_BSYNC) = control(bsync);
  entry(table, Op::kSm70_BREAK) = control(leave);
  entry(table, Op::kSm70_BMOV) = {bmov, refuse_bmov};
  entry(table, Op::kSm70_RPCMOV) = {rpcmov};
  entry(table, Op::kSm70_EXIT) = control(exit_lanes);
  entry(table, Op::kSm70_YIELD) = control(yield);
  entry(table, Op::kSm70_NANOSLEEP) = control(nanosleep);
  entry(table, Op::kSm70_BPT) = control(trap);
  entry(table, Op::kSm70_LEPC) = {lepc};
  entry(table, Op::kSm70_NOP) = {nothing};
  entry(table, Op::kSm70_DEPBAR) = {wait_for_copies, refuse_depbar};
  entry(table, Op::kSm70_LDGDEPBAR) = {end_loads};
  entry(table, Op::kSm70_MEMBAR) = {fence};
  entry(table, Op::kSm70_ERRBAR) = {nothing};
  entry(table, Op::kSm70_CGAERRBAR) = {nothing};
  entry(table, Op::kSm70_CCTL) = {nothing};
  entry(table, Op::kSm70_PMTRIG) = {nothing};
  entry(table, Op::kSm70_FENCE) = {fence_proxy};
  // Programmatic dependent launches: the grid is the only one.
  entry(table, Op::kSm70_PREEXIT) = {nothing};
  entry(table, Op::kSm70_ACQBULK) = {nothing};
}

}  // namespace shflsim::isa
