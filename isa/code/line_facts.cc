// SPDX-License-Identifier: Apache-2.0
#include "isa/code/line_facts.h"

#include <algorithm>
#include <vector>

#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/codec/group_shape.h"

namespace shflsim::isa {
namespace {

Branch branch_of(OpKind kind) {
  switch (kind) {
    case OpKind::kJump: return Branch::kJump;
    case OpKind::kIndirectJump: return Branch::kIndirectJump;
    case OpKind::kFarJump: return Branch::kFarJump;
    case OpKind::kCall: return Branch::kCall;
    case OpKind::kReturn: return Branch::kReturn;
    case OpKind::kExit: return Branch::kExit;
    case OpKind::kConvergence: return Branch::kConvergence;
    case OpKind::kWarpSync: return Branch::kWarpSync;
    case OpKind::kSetEnd: return Branch::kSetEnd;
    default: return Branch::kNone;
  }
}

AccessFacts access_of(OpKind kind) {
  switch (kind) {
    case OpKind::kLocalLoad: return {AccessKind::kLoad, true};
    case OpKind::kLocalStore: return {AccessKind::kStore, true};
    case OpKind::kStore: return {AccessKind::kStore, false};
    case OpKind::kAtomic:
    case OpKind::kAtomicStore: return {AccessKind::kAtomic, false};
    default: return {};
  }
}

bool is_store(OpKind kind) {
  return kind == OpKind::kStore || kind == OpKind::kLocalStore || kind == OpKind::kAtomicStore;
}

bool has_register(const Instruction& instruction, Role role) {
  return instruction[role].is(Operand::Kind::kRegister);
}

Branch branch_of(const Instruction& instruction, Branch branch) {
  constexpr uint8_t kDiverging = 2;  // value of the modifier bra: ".DIV" and ".CONV"
  switch (branch) {
    case Branch::kJump:
      return instruction[Mod::k_bra] >= kDiverging ? Branch::kWarpJump : Branch::kJump;
    case Branch::kCall:
      return has_register(instruction, Role::kA) ? Branch::kIndirectCall : Branch::kCall;
    case Branch::kWarpSync: {
      const bool in_register =
          has_register(instruction, Role::kA) || has_register(instruction, Role::kB);
      return in_register ? Branch::kSetSync : Branch::kWarpSync;
    }
    default: return branch;
  }
}

uint8_t convergence_barrier_of(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands)
    if (operand.is(Operand::Kind::kConvergence)) return operand.index & 15u;
  return 0;
}

bool reads_special(const Instruction& instruction, const char* name) {
  const Operand& source = instruction[Role::kA];
  return source.is(Operand::Kind::kSpecial) &&
         source.index == special_register_number(name, family_of(instruction.arch));
}

/// The constant operand. Bindless constants, cx[UR][offset], are skipped: they are in no bank.
ConstantOperand constant_of(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands) {
    if (!operand.is(Operand::Kind::kConstant)) continue;
    if (!operand.indexed && operand.has_uniform) continue;
    const bool adds_uniform = operand.has_uniform && operand.uniform != kRZ;
    return {true, operand.indexed && (operand.index != kRZ || adds_uniform), operand.bank,
            static_cast<uint16_t>(operand.value)};
  }
  return {};
}

Fence fence_of(const Instruction& instruction) {
  const bool is_maxwell = family_of(instruction.arch) == Family::kMaxwell;
  constexpr uint8_t kMaxwellSystem = 2;  // value of the modifier level
  constexpr uint8_t kChip = 2;           // value of the modifier mscope
  constexpr uint8_t kSystem = 3;
  if (is_maxwell) {
    return instruction[Mod::k_level] == kMaxwellSystem ? Fence::kSystem : Fence::kNone;
  }
  switch (instruction[Mod::k_mscope]) {
    case kChip: return Fence::kChip;
    case kSystem: return Fence::kSystem;
    default: return Fence::kNone;
  }
}

MatrixProduct matrices_of(const Instruction& instruction, Pipe pipe) {
  constexpr uint8_t kLargeFactor = 4;
  if (pipe == Pipe::kDouble) return MatrixProduct::kDouble;
  return instruction[Role::kA].count == kLargeFactor ? MatrixProduct::kLarge
                                                     : MatrixProduct::kSmall;
}

BarrierOperands barrier_operands(const Instruction& bar) {
  constexpr uint8_t kArrive = 1;  // value of the modifiers bar and barm
  constexpr uint8_t kReduce = 2;
  const bool is_maxwell = family_of(bar.arch) == Family::kMaxwell;
  const uint8_t step = bar[is_maxwell ? Mod::k_bar : Mod::k_barm];
  const Operand& number = bar[Role::kB];
  const Operand& threads = bar[Role::kC];
  BarrierOperands operands;
  operands.stops = step != kArrive;
  operands.reduces = step == kReduce;
  if (number.is(Operand::Kind::kImmediate)) operands.number = number.value & 15u;
  if (threads.is(Operand::Kind::kImmediate)) operands.threads = threads.value & 0xFFFu;
  operands.in_registers = number.is_live_register() || threads.is_live_register();
  return operands;
}

GroupProduct group_product_of(const Instruction& instruction) {
  constexpr uint8_t kNoGroup = 7;  // value of the modifier gsb
  GroupProduct product;
  product.columns = static_cast<uint16_t>(group_shape(instruction).columns);
  if (product.columns == 0) return product;
  product.is_shared = has_shared_factor(instruction);
  product.is_integer = has_integer_sums(instruction.op);
  product.ends_group = instruction[Mod::k_gsb] != kNoGroup;
  return product;
}

/// "WARPGROUP.DEPBAR.LE gsb0, 0x1"; WARPGROUP.ARRIVE waits for none.
ScoreboardWait group_wait_of(const Instruction& depbar) {
  const Operand& most = depbar[Role::kB];
  if (!most.is(Operand::Kind::kImmediate)) return {};
  return {1u << kGroupScoreboard, static_cast<uint8_t>(most.value)};
}

/// "DEPBAR.LE SB0, 0x1, {3}": all but the last operation of SB0 are complete, and, as if the
/// control bits named it, all of SB3 (measured: H200). "DEPBAR {3}" has the list alone.
void set_scoreboard_wait(const Instruction& depbar, LineFacts* line) {
  const Operand& most = depbar[Role::kC];
  const Operand& list = depbar[Role::kG];
  if (list.is(Operand::Kind::kImmediate))
    line->control.wait_mask |= static_cast<uint8_t>(list.value & 0x3Fu);
  if (!most.is(Operand::Kind::kImmediate)) return;
  line->scoreboard_wait = {static_cast<uint8_t>(1u << depbar[Mod::k_sb]),
                           static_cast<uint8_t>(most.value)};
}

/// The kind of a load of sm_80 and later, by its memory order.
AccessKind ordered_load(uint8_t order) {
  enum Order : uint8_t { kWeak = 0, kConstant = 4, kStrongSm = 5, kConstantChip = 15 };
  if (order == kWeak || order == kStrongSm) return AccessKind::kLoad;
  const bool is_constant = order <= kConstant || order == kConstantChip;
  return is_constant ? AccessKind::kReadOnlyLoad : AccessKind::kPastL1Load;
}

/// The kind of an ordered load of sm_70 and sm_75, where each order has four scopes.
AccessKind early_ordered_load(uint8_t order) {
  enum Order : uint8_t { kLastConstant = 3, kStrongChip = 10 };
  if (order <= kLastConstant) return AccessKind::kReadOnlyLoad;
  return order < kStrongChip ? AccessKind::kLoad : AccessKind::kPastL1Load;
}

/// The kind of a load of SPA 5.0, by its cache operator.
AccessKind cached_load(uint8_t cached, bool is_local) {
  enum Cached : uint8_t { kAll, kL2, kConstantData, kNone };  // values of the modifier cache
  switch (cached) {
    case kL2: return is_local ? AccessKind::kLoad : AccessKind::kPastL1Load;  // LDL: .LU
    case kConstantData: return AccessKind::kReadOnlyLoad;
    case kNone: return AccessKind::kPastL1Load;
    default: return AccessKind::kLoad;
  }
}

AccessKind load_kind_of(const Instruction& load, const LineFacts& line) {
  if (family_of(load.arch) == Family::kMaxwell)
    return cached_load(load[Mod::k_cache], line.access.is_local);
  if (line.kind != OpKind::kLoad) return AccessKind::kLoad;
  constexpr unsigned kNewOrders = 80;
  return number_of(load.arch) < kNewOrders ? early_ordered_load(load[Mod::k_order75])
                                           : ordered_load(load[Mod::k_order]);
}

/// Bytes that a lane reads or writes, from the form's size or else from the number of registers.
/// An access to a barrier in shared memory takes the banks of a word (measured: sync_arrive_4).
uint8_t access_bytes_of(const Instruction& access) {
  const OpKind kind = facts(access.op).kind;
  if (kind == OpKind::kSharedArrival || kind == OpKind::kSharedCheck) return 4;
  static constexpr uint8_t kSizes[] = {1, 1, 2, 2, 4, 8, 16, 16};  // bytes by value of Mod::k_size
  const Form& form = forms(access.arch)[access.form];
  if (has_field(form, Mod::k_size)) return kSizes[access[Mod::k_size]];
  if (has_field(form, Mod::k_gsz9)) return static_cast<uint8_t>(4u << access[Mod::k_gsz9]);
  const Operand& result = access[Role::kD];
  const Operand& data = access[Role::kB];
  const auto registers = [](const Operand& operand) {
    return operand.is(Operand::Kind::kRegister) || operand.is(Operand::Kind::kUniform)
               ? operand.count
               : uint8_t{1};
  };
  return static_cast<uint8_t>(4 * std::max(registers(result), registers(data)));
}

/// True if the source operand has two registers, or is a constant or an immediate of
/// 64 bits.
bool has_wide_source(const Instruction& instruction) {
  const std::vector<Token>& tokens = forms(instruction.arch)[instruction.form].tokens;
  return std::any_of(tokens.begin(), tokens.end(), [&instruction](const Token& token) {
    return token.role == Role::kB && registers_of(token, instruction) > 1;
  });
}

bool has_result(const Footprint& footprint) {
  return footprint.write_count != 0 || footprint.predicates_written != 0;
}

void set_branch(const Instruction& instruction, LineFacts* line) {
  line->branch = branch_of(instruction, line->branch);
  line->convergence_barrier = convergence_barrier_of(instruction);
  line->parts_sets = line->kind == OpKind::kWarpSync && instruction[Mod::k_wsy] != 0;
}

bool spins(const Instruction& instruction) {
  constexpr uint8_t kSpins = 3;  // value of the field compare
  return instruction[Mod::k_compare] == kSpins || form_says(instruction, ".CAST.SPIN");
}

void set_access(const Instruction& instruction, LineFacts* line) {
  const bool is_memory = line->pipe == Pipe::kGlobal || line->pipe == Pipe::kShared;
  if (!is_memory && !line->is_constant_load()) return;
  line->access_bytes = access_bytes_of(instruction);
  if (line->op == Op::kSm70_LDGSTS && instruction[Mod::k_byp] != 0)  // without .BYPASS
    line->access.kind = AccessKind::kLoad;
  if (line->pipe != Pipe::kGlobal || line->access.kind != AccessKind::kLoad) return;
  line->access.kind = line->is_store ? AccessKind::kStore : load_kind_of(instruction, *line);
}

}  // namespace

void unpack_barrier(uint64_t packed, BarrierOperands* operands) {
  operands->number = packed & 15u;
  operands->threads = packed >> 4 & 0xFFFu;
}

void set_operation(Op op, LineFacts* line) {
  const OpFacts& of = facts(op);
  line->op = op;
  line->kind = of.kind;
  line->pipe = of.pipe;
  line->branch = branch_of(of.kind);
  line->is_store = is_store(of.kind);
  line->access = access_of(of.kind);
  if (op == Op::kSm70_LDGSTS) {  // its only result goes to shared memory
    line->is_store = false;
    line->access.kind = AccessKind::kPastL1Load;
  }
  line->accesses_shared =
      of.pipe == Pipe::kShared && of.kind != OpKind::kBarrier && of.kind != OpKind::kBarrierState;
}

LineFacts line_facts(const Instruction& instruction) {
  LineFacts line;
  set_operation(instruction.op, &line);
  line.control = instruction.control;
  line.footprint = footprint(instruction);
  line.is_guarded = instruction.has_guard();
  line.is_clock_read = reads_special(instruction, "SR_CLOCKLO");
  line.reads_cluster = reads_special(instruction, "SR_CgaCtaId");
  line.constant = constant_of(instruction);
  // A load into RZ in SPA 5.0 has no result either.
  if (family_of(instruction.arch) == Family::kMaxwell)
    line.is_store = is_mio(line.pipe) && !has_result(line.footprint);
  set_branch(instruction, &line);
  set_access(instruction, &line);
  line.access.swaps = line.access.kind == AccessKind::kAtomic && is_swap(instruction);
  line.access.spins = line.access.swaps && spins(instruction);
  line.converts_wide = line.kind == OpKind::kConversion && has_wide_source(instruction);
  switch (line.kind) {
    case OpKind::kMatch:
      line.match_words = instruction[Role::kA].count;
      line.matches_any = instruction[Role::kP].is(Operand::Kind::kNone);
      break;
    case OpKind::kFence: line.fence = fence_of(instruction); break;
    case OpKind::kMatrix: line.matrices = matrices_of(instruction, line.pipe); break;
    case OpKind::kBarrier: line.barrier = barrier_operands(instruction); break;
    default: break;
  }
  const bool is_depbar = instruction.op == Op::kDEPBAR || instruction.op == Op::kSm70_DEPBAR;
  if (is_depbar) set_scoreboard_wait(instruction, &line);
  line.group_product = group_product_of(instruction);
  if (instruction.op == Op::kSm70_WARPGROUP) line.scoreboard_wait = group_wait_of(instruction);
  return line;
}

bool passes_check(const LineFacts& check, const LineFacts& line) {
  const bool is_of_warp = is_math(line.pipe) && line.group_product.columns == 0 &&
                          line.op != Op::kSm70_FENCE && !line.is_clock_read;
  if ((line.kind != OpKind::kUniform && !is_of_warp) || line.branch != Branch::kNone) return false;
  if ((line.control.wait_mask >> check.control.write_barrier & 1) != 0) return false;
  const uint8_t used = line.footprint.predicates_read | line.footprint.predicates_written;
  return (used & check.footprint.predicates_written) == 0;
}

bool is_swap(const Instruction& instruction) {
  return form_says(instruction, ".CAS") || form_says(instruction, "{compare@");
}

bool reads_clock(const Instruction& instruction) {
  for (const char* name : {"SR_CLOCKLO", "SR_CLOCKHI", "SR_GLOBALTIMERLO", "SR_GLOBALTIMERHI"}) {
    if (reads_special(instruction, name)) return true;
  }
  return false;
}

}  // namespace shflsim::isa
