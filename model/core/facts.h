// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/code/code.h"
#include "model/core/parameter.h"

namespace shflsim::model {

/// The translation of the 5-bit issue codes to cycles.
struct IssueCodeParams {
  std::string codes;      ///< "maxwell": codes 28..31 are named waits; "volta": plain stall counts
  uint32_t pixbar = 0;    ///< cycles from code 28 to the next issue
  uint32_t yield6 = 0;    ///< ... 29
  uint32_t yield8 = 0;    ///< ... 30
  uint32_t off_deck = 0;  ///< ... 31

  void list(ParameterList& out) {
    out.choice("control.codes", &codes, {"maxwell", "volta"}, "meaning of issue codes 28 to 31");
    out.number("control.pixbar", &pixbar, 1, 64, "cycles",
               "time from an instruction with issue code 28 (PIXBAR) to the next issue");
    out.number("control.yield6", &yield6, 1, 64, "cycles",
               "time from an instruction with issue code 29 (YIELD6) to the next issue");
    out.number("control.yield8", &yield8, 1, 64, "cycles",
               "time from an instruction with issue code 30 (YIELD8) to the next issue");
    out.number("control.off_deck", &off_deck, 1, 64, "cycles",
               "time from an instruction with issue code 31 (OFF_DECK) to the next issue");
  }
};

/// Which registers of a math instruction's wide operands use a read port of their bank.
enum class WideReads : uint8_t {
  kEach,  ///< every register
  kOnce,  ///< the first: a pair is one read; but both of a 64-bit product's addend
};

/// A register that a math instruction reads from its bank.
struct BankRead {
  uint8_t index = 0;
  uint8_t position = 0;  ///< as isa::RegisterRead::position
  bool reuse = false;    ///< marked ".reuse"
};

/// The bank reads of an instruction, in the order of the operands.
struct BankReads {
  static constexpr unsigned kMost = 12;  ///< further ones are of matrix products; read separately
  std::array<BankRead, kMost> reads{};
  uint8_t count = 0;
  bool marks_reuse = false;  ///< one of them is marked ".reuse"
  uint16_t repeated = 0;     ///< bit i: read i repeats the register of an earlier one
};
BankReads bank_reads(const isa::LineFacts& line, WideReads wide);

/// Registers, predicates and the carry as bits; several registers share a bit.
struct RegisterBits {
  uint64_t reads = 0;   ///< registers
  uint64_t writes = 0;  ///< registers, predicates, the carry
  uint64_t uses = 0;    ///< all registers that it reads or writes
};
RegisterBits register_bits(const isa::Footprint& footprint);

/// All facts that the model needs of a static instruction, computed once before the run.
struct Facts : isa::LineFacts {
  BankReads bank_reads;     ///< math instructions
  RegisterBits bits;        ///< registers that it reads and writes
  uint8_t stall = 1;        ///< cycles from its issue to the warp's next issue, without dual issue
  bool dual_issue = false;  ///< the next instruction may issue in the same cycle
  bool yields = false;      ///< another warp is preferred in the next cycle
  bool waits_behind_barrier =
      false;                 ///< a deferred one: NOP, uniform moves and votes, HGMMA and its kin
  bool meets_group = false;  ///< WARPGROUP.ARRIVE
  bool lets_others_run = false;  ///< YIELD: lanes of the warp, or other warps
  bool sleeps = false;           ///< NANOSLEEP
  bool may_be_held = false;      ///< UCGABAR_WAIT, SYNCS.PHASECHK.TRYWAIT: others may release it
  bool passes_wait = false;      ///< the last step that executes before such a check is held
  uint32_t passes = 0;           ///< SYNCS.PHASECHK.TRYWAIT: later steps that do not wait
  bool has_limit = false;        ///< the check: NANOSLEEP.SYNCS limits the time of its wait
  uint32_t limit = 0;            ///< that limit in nanoseconds; 0: none, or in a register
  bool empties_l1 = false;       ///< CCTL.IVALL
  bool loads_to_shared = false;  ///< LDGSTS
  bool fences_block = false;     ///< MEMBAR.CTA, FENCE: goes through the MIO after earlier accesses
  bool changes_registers = false;  ///< USETMAXREG
  bool gets_registers = false;     ///< with ALLOC: gets more registers
  bool ends_loads = false;         ///< LDGDEPBAR: holds a scoreboard until the LDGSTS are done
  bool is_long = false;            ///< is_waited_long()
  bool parts_lanes = false;        ///< BRA, BRX, EXIT: some of the lanes may go elsewhere
  bool jumps = false;              ///< BRA, BRX, CALL, RET: its lanes continue at the target
  bool is_indirect = false;        ///< RET, BRX, CALL: jumps to an address in a register
  bool goes_by_value = false;      ///< MATCH.ANY, LDC: takes longer for each different value

  bool is_convergence() const { return branch == isa::Branch::kConvergence; }
  bool syncs_set() const { return branch == isa::Branch::kSetSync; }
  bool syncs_warp() const { return branch == isa::Branch::kWarpSync || syncs_set(); }
  bool opens_convergence() const { return op == isa::Op::kSm70_BSSY; }
  /// BMOV: reads a convergence barrier into a register, or writes it.
  bool moves_barrier() const { return op == isa::Op::kSm70_BMOV; }
  bool writes_barrier() const { return moves_barrier() && footprint.write_count == 0; }
  /// LDGSTS.BYPASS
  bool copies_past_l1() const {
    return loads_to_shared && access.kind == isa::AccessKind::kPastL1Load;
  }
  bool ends_set() const { return branch == isa::Branch::kSetEnd; }
  /// ATOMS that serves the lanes on one word one after another.
  bool is_shared_atomic() const { return accesses_shared && kind == isa::OpKind::kAtomic; }
  /// Reads of special registers that wait neither in the MIO's queue nor for its pipe.
  bool passes_pipe() const { return reads_cluster || kind == isa::OpKind::kToUniform; }
  /// S2UR, and B2R, which takes as long.
  bool is_to_uniform() const {
    return kind == isa::OpKind::kToUniform || kind == isa::OpKind::kBarrierState;
  }
};

/// True if a wait for the instruction's scoreboard counts as one for global memory: Nsight Compute
/// counts copies, and waits for them or for phases of barriers, among these (measured: samples of
/// an H100).
bool is_waited_long(const Facts& facts);

/// The facts of each line of the code.
std::vector<Facts> facts_of(const isa::Code& code, const IssueCodeParams& params, WideReads wide);

using isa::AccessFacts;
using isa::AccessKind;
using isa::Fence;
using isa::is_mio;
using isa::MatrixProduct;

}  // namespace shflsim::model
