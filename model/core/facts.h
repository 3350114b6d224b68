// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/code.h"
#include "model/core/access_facts.h"
#include "model/core/parameter.h"

namespace shflsim::model {

/// How the 5-bit issue codes turn into cycles.
struct IssueCodeParams {
  std::string codes;      ///< "maxwell": codes 28..31 are named waits; "volta": plain stall counts
  uint32_t pixbar = 0;    ///< cycles to the next issue behind code 28
  uint32_t yield6 = 0;    ///< ... 29
  uint32_t yield8 = 0;    ///< ... 30
  uint32_t off_deck = 0;  ///< ... 31

  void list(ParameterList& out) {
    out.choice("control.codes", &codes, {"maxwell", "volta"}, "meaning of issue codes 28 to 31");
    out.number("control.pixbar", &pixbar, 1, 64, "cycles",
               "issue-to-issue interval behind code 28, PIXBAR");
    out.number("control.yield6", &yield6, 1, 64, "cycles",
               "issue-to-issue interval behind code 29, YIELD6");
    out.number("control.yield8", &yield8, 1, 64, "cycles",
               "issue-to-issue interval behind code 30, YIELD8");
    out.number("control.off_deck", &off_deck, 1, 64, "cycles",
               "issue-to-issue interval behind code 31, OFF_DECK");
  }
};

/// Operations whose operands are wanted at the same time after the issue.
enum class ReadGroup : uint8_t { kFloat, kMultiply, kInteger };

/// MEMBAR that goes to the L2, for the chip or the whole system; one of the block's scope goes with
/// the order that stores have anyway.
enum class Fence : uint8_t { kNone, kChip, kSystem };

/// SYNCS, at a barrier in shared memory: an arrival, or the question whether a phase is over.
enum class SharedBarrierStep : uint8_t { kNone, kArrival, kCheck };

/// Products of matrices: of a first factor of one or two registers, of four, and of doubles.
enum class MatrixProduct : uint8_t { kNone, kSmall, kLarge, kDouble };

/// All that the model asks of a static instruction, worked out once before the run.
struct Facts {
  isa::Pipe pipe{};
  ReadGroup reads = ReadGroup::kFloat;
  isa::Control control{};
  isa::Footprint footprint{};
  uint16_t repeated_reads = 0;  ///< bit i: the footprint's read i names a register of one before
  uint16_t repeats_a = 0;       ///< bit i: the same, and that one is in position A
  bool marks_reuse = false;     ///< one of its reads is marked ".reuse"
  uint8_t stall = 1;        ///< cycles from its issue to the warp's next one, without dual issue
  bool dual_issue = false;  ///< the next instruction may issue in the same cycle
  bool yields = false;      ///< another warp is preferred in the next cycle
  bool is_exit = false;     ///< leaves the warp where all lanes take it
  bool is_block_barrier = false;
  bool is_convergence = false;      ///< BSYNC: lanes wait for one another there...
  uint8_t convergence_barrier = 0;  ///< ...at this barrier of the warp, 0 to 15
  bool is_indirect = false;         ///< RET, BRX, CALL: jumps to where a register says
  bool waits_behind_barrier =
      false;                      ///< a deferred one: MIO, branches, NOP, uniform constant loads
  bool parts_lanes = false;       ///< BRA, BRX, EXIT: some of the lanes may go elsewhere
  bool accesses_shared = false;   ///< goes to the banks of shared memory
  bool is_shared_atomic = false;  ///< ATOMS that takes the lanes on one word one after the other
  SharedBarrierStep barrier_step = SharedBarrierStep::kNone;
  bool is_clock_read = false;
  bool is_constant_load = false;
  bool has_constant = false;      ///< an operand c[bank][offset], and is no LDC
  bool indexes_constant = false;  ///< each step has the offset
  uint8_t constant_bank = 0;      ///< of this, or of an LDC
  uint16_t constant_offset = 0;
  bool is_reduction = false;        ///< over the lanes of a warp
  uint8_t match_words = 0;          ///< MATCH: of 32 bits that it compares, else 0
  bool goes_by_value = false;       ///< MATCH.ANY, LDC: takes longer for each value of the lanes
  bool syncs_warp = false;          ///< WARPSYNC...
  bool syncs_set = false;           ///< ...with the lanes in a register...
  bool parts_sets = false;          ///< ...each set of which goes on without the others...
  bool ends_set = false;            ///< ...until this, ENDCOLLECTIVE
  bool jumps = false;               ///< BRA, BRX, CALL, RET: its lanes go on there
  bool reduces_at_barrier = false;  ///< BAR.RED
  bool converts_wide = false;       ///< a conversion from 64 bits
  Fence fence = Fence::kNone;
  MatrixProduct matrices = MatrixProduct::kNone;
  bool is_to_uniform = false;  ///< S2UR, and B2R, which takes as long
  bool is_guarded = false;
  bool is_store = false;     ///< has no result: its time is taken to the read of its sources
  uint8_t access_bytes = 4;  ///< memory: bytes that a lane reads or writes
  AccessFacts access;        ///< global memory
  isa::BarrierOperands barrier;
  uint8_t depbar_mask = 0;  ///< DEPBAR: scoreboards that it waits for...
  uint8_t depbar_most = 0;  ///< ...until at most so many operations are pending
};

/// Of each line of the code.
std::vector<Facts> facts_of(const isa::Code& code, const IssueCodeParams& params);

using isa::is_mio;

}  // namespace shflsim::model
