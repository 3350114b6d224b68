// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/prepare.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/input_error.h"
#include "isa/code/launch_layout.h"
#include "isa/code/line_facts.h"
#include "isa/codec/form.h"
#include "isa/codec/group_shape.h"
#include "isa/machine/bit_activity.h"

namespace shflsim::isa {
namespace {

bool has_field(const std::vector<Token>& tokens, Mod mod) {
  for (const Token& token : tokens) {
    if (token.mod == mod && token.type == Token::Type::kModifier) return true;
    if (has_field(token.children, mod)) return true;
  }
  return false;
}

/// Bytes of a constant that an instruction reads; ULDC has a width.
size_t constant_bytes(const Instruction& instruction, const Operand& operand) {
  static constexpr size_t kBytesOfSize[] = {1, 1, 2, 2, 4, 8, 16, 16};  // by value of Mod::k_size
  const bool has_size = has_field(forms(instruction.arch)[instruction.form], Mod::k_size);
  return has_size ? kBytesOfSize[instruction[Mod::k_size]] : size_t{4} * operand.count;
}

void check_constant(const Grid& grid, uint32_t index, const Operand& operand) {
  if (!operand.is(Operand::Kind::kConstant) || operand.indexed || operand.has_uniform) return;
  const uint64_t offset = static_cast<uint64_t>(operand.value);
  const size_t size = constant_bytes(grid.program.code[index], operand);
  if (grid.constant(operand.bank, offset, size) != nullptr) return;
  const size_t held = operand.bank < grid.banks.size() ? grid.banks[operand.bank].size() : 0;
  const uint32_t base = launch_layout(grid.program.arch).parameters;
  if (operand.bank == 0 && offset >= base) {
    fail_at(grid.program, index,
            fmt::format("reads bytes {} to {} of the kernel's arguments, but only {} were given",
                        offset - base, offset + size - 1 - base, grid.launch.parameters.size()));
  }
  fail_at(grid.program, index,
          fmt::format("constant bank {} holds {} bytes{}", operand.bank, held,
                      expected_constants(grid, operand.bank)));
}

/// The operand that names bytes of bank 0 which the launch does not fill; nullptr if none does.
const Operand* unfilled_operand(const Grid& grid, const Instruction& instruction) {
  for (const Operand& operand : instruction.operands) {
    if (!operand.is(Operand::Kind::kConstant) || operand.bank != 0) continue;
    if (operand.indexed || operand.has_uniform) continue;
    const size_t size = constant_bytes(instruction, operand);
    if (!grid.launch_bank.fills(static_cast<uint64_t>(operand.value), size)) return &operand;
  }
  return nullptr;
}

/// Stands for an instruction that reads such bytes: only what is executed is a fault.
void fail_unfilled(Execution& execution) {
  if (execution.lanes == 0) return;
  const Grid& grid = execution.block.grid;
  const Operand& operand = *unfilled_operand(grid, execution.instruction);
  fail(execution,
       LaunchBank::name_of(grid.program.arch, static_cast<uint64_t>(operand.value),
                           constant_bytes(execution.instruction, operand)),
       kNoLane);
}

/// Throws for a bindless constant, cx[UR][...], whose bank is an address in a uniform register.
void check_bank(const Grid& grid, uint32_t index, const Operand& operand) {
  if (!operand.is(Operand::Kind::kConstant) || operand.indexed || !operand.has_uniform) return;
  fail_at(grid.program, index, "a constant bank in a uniform register cannot be executed");
}

void check_target(const Grid& grid, uint32_t index, const Operand& operand) {
  if (!operand.is(Operand::Kind::kTarget)) return;
  if (grid.program.index_at(operand.value) < 0) {
    fail_at(grid.program, index, "jumps outside the kernel");
  }
}

/// Registers of one value begin at a multiple of 2 (two registers) or 4, and do not include R255;
/// hardware reports MISALIGNED_REG and OOR_REG (Linux, nouveau's gf100.c).
void check_registers(const Grid& grid, uint32_t index, const Operand& operand) {
  if (!operand.is_live_register() || operand.count < 2) return;
  // In an address with R.U32 it is the uniform register that has 64 bits.
  if (operand.is(Operand::Kind::kMemory) && operand.has_uniform && !operand.is_wide) return;
  const unsigned alignment = operand.count == 2 ? 2 : 4;
  if (operand.index % alignment == 0 && operand.index + operand.count <= kRZ) return;
  fail_at(
      grid.program, index,
      fmt::format("R{} cannot be the first of {} registers; expected a multiple of {} up to R{}",
                  operand.index, operand.count, alignment,
                  (kRZ - operand.count) / alignment * alignment));
}

/// Names an instruction whose word has bits that no form names: a form of which nothing is known.
std::string unknown_form(const Instruction& instruction) {
  const Word known = forms(instruction.arch)[instruction.form].idle;
  const Word rest = instruction.rest & ~known;
  if (rest.none()) return "";
  const int bit = rest.low != 0 ? __builtin_ctzll(rest.low) : 64 + __builtin_ctzll(rest.high);
  return fmt::format("the form with bit {}, which is not known,", bit);
}

/// Why the machine cannot execute the instruction; "" if it can.
std::string refusal_of(const Instruction& instruction) {
  const Operation& operation = operations()[static_cast<size_t>(instruction.op)];
  std::string what = operation.refuse != nullptr ? operation.refuse(instruction) : "";
  if (what.empty() && operation.execute == nullptr) what = facts(instruction.op).name;
  if (what.empty()) what = unknown_form(instruction);
  return what.empty() ? "" : what + " cannot be executed";
}

/// False for shared, global and generic memory, barriers of block and cluster, copies, and EXIT.
bool is_own(const Instruction& instruction) {
  const OpFacts& of = facts(instruction.op);
  switch (of.kind) {
    case OpKind::kLocalLoad:
    case OpKind::kLocalStore: return true;
    case OpKind::kBarrier:
    case OpKind::kBarrierState:
    case OpKind::kBulkCopy:
    case OpKind::kClusterBarrier:
    case OpKind::kExit: return false;
    default: break;
  }
  const bool reads_matrix = group_shape(instruction).columns != 0;  // in shared memory
  return of.pipe != Pipe::kShared && of.pipe != Pipe::kGlobal && !reads_matrix;
}

/// False for shared memory, barriers of the block, and EXIT, unless blocks form clusters.
bool reaches_others(const Grid& grid, const Instruction& instruction) {
  if (is_own(instruction)) return false;
  const OpFacts& of = facts(instruction.op);
  const bool is_of_block = of.kind == OpKind::kBarrier || of.kind == OpKind::kBarrierState ||
                           of.kind == OpKind::kExit || of.pipe == Pipe::kShared;
  return !is_of_block || of.kind == OpKind::kBulkCopy || grid.cluster.count() > 1;
}

bool takes_time(const Instruction& instruction) {
  return instruction.op == Op::kSm70_NANOSLEEP || reads_clock(instruction);
}

/// Observes the result; of a matrix product the first factor, whose bits the unit's wires carry.
void observe(const Instruction& instruction, Prepared* out) {
  const bool is_product = facts(instruction.op).kind == OpKind::kMatrix;
  for (const Role role : {is_product ? Role::kA : Role::kD, Role::kB, Role::kC, Role::kA}) {
    const Operand& operand = instruction[role];
    if (!operand.is(Operand::Kind::kRegister) || operand.index == kRZ) continue;
    out->observed = operand.index;
    out->observed_count =
        static_cast<uint8_t>(std::min<unsigned>(operand.count, BitActivity::kMostRegisters));
    return;
  }
}

/// The function that executes a call of the driver.
void (*driver_function(Program::DriverCall call))(Execution&) {
  switch (call) {
    case Program::DriverCall::kPrint: return print_formatted;
    case Program::DriverCall::kAllocate: return allocate_memory;
    case Program::DriverCall::kFree: return free_memory;
    case Program::DriverCall::kAssert: break;
  }
  return fail_assertion;
}

/// Instructions behind a check of a phase that do not need its answer.
uint32_t passes_of(const Grid& grid, uint32_t index) {
  const std::vector<Instruction>& code = grid.program.code;
  if (facts(code[index].op).kind != OpKind::kSharedCheck) return 0;
  const LineFacts check = line_facts(code[index]);
  uint32_t passes = 0;
  while (index + passes + 1 < code.size() &&
         passes_check(check, line_facts(code[index + passes + 1])))
    ++passes;
  return passes;
}

Prepared prepare_one(const Grid& grid, uint32_t index) {
  const Instruction& instruction = grid.program.code[index];
  Prepared out;
  const auto call = grid.program.extras.driver_calls.find(index);
  if (call != grid.program.extras.driver_calls.end()) {
    out.operation.execute = driver_function(call->second);
    return out;
  }
  out.operation = operations()[static_cast<size_t>(instruction.op)];
  const std::string refused = refusal_of(instruction);
  if (!refused.empty()) fail_at(grid.program, index, refused);
  for (const Operand& operand : instruction.operands) {
    check_registers(grid, index, operand);
    check_bank(grid, index, operand);
    check_constant(grid, index, operand);
    check_target(grid, index, operand);
  }
  if (unfilled_operand(grid, instruction) != nullptr) out.operation.execute = fail_unfilled;
  observe(instruction, &out);
  out.is_own = is_own(instruction);
  out.is_private = out.is_own && !takes_time(instruction);
  out.reaches_others = reaches_others(grid, instruction);
  out.passes = passes_of(grid, index);
  const Program::Extras& extras = grid.program.extras;
  out.has_members = extras.membermasks.count(index) + extras.meetings.count(index) != 0;
  out.tests_cc = out.operation.control &&
                 has_field(forms(instruction.arch)[instruction.form].tokens, Mod::k_cct);
  return out;
}

}  // namespace

std::string refusal_of_line(const Instruction& instruction) { return refusal_of(instruction); }

std::string refusal_of(const Program& program) {
  for (uint32_t i = 0; i < program.code.size(); ++i) {
    const std::string refused = refusal_of(program.code[i]);
    if (!refused.empty()) return message_at(program, i, refused);
  }
  return "";
}

std::vector<Prepared> prepare(const Grid& grid) {
  if (grid.program.code.empty())
    throw InputError("kernel '" + grid.program.name +
                     "' has no instructions; expected one at least");
  std::vector<Prepared> code;
  code.reserve(grid.program.code.size());
  for (uint32_t i = 0; i < grid.program.code.size(); ++i) code.push_back(prepare_one(grid, i));
  return code;
}

}  // namespace shflsim::isa
