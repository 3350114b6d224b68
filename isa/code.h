// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/arch.h"
#include "isa/control.h"
#include "isa/footprint.h"
#include "isa/instruction.h"
#include "isa/lane_map.h"
#include "isa/program.h"

namespace shflsim::isa {

struct FamilyFacts {
  const char* name;
  uint32_t bundle_bytes;         ///< instructions that stand together with their control bits
  uint32_t bundle_instructions;  ///< and how many these are
  bool has_half_and_tensor;      ///< pipes of their own for these
};
const FamilyFacts& facts(Family family);

/// What a SHFL's word says of index and clamp.
struct ShuffleOperands {
  ShuffleMode mode = ShuffleMode::kIdx;
  bool index_is_register = false;
  bool clamp_is_register = false;
  uint32_t index = 0;  ///< the register's number or the value
  uint32_t clamp = 0;

  bool are_immediate() const { return !index_is_register && !clamp_is_register; }
};

/// What a BAR asks of which of its block's 16 barriers.
struct BarrierOperands {
  bool stops = true;          ///< SYNC and RED wait; ARV arrives and goes on
  bool in_registers = false;  ///< number and threads are in registers: each step has them
  uint8_t number = 0;         ///< 0..15
  uint16_t threads = 0;       ///< that have to arrive; 0: all of the block
};
/// As disassemblers print it, guard included: immediates are 0x1. Where a number is in a register,
/// or not said, it is the barrier of the whole block.
BarrierOperands barrier_operands(const std::string& text);
/// Number and threads as one value: what a step has in the place of addresses.
constexpr uint64_t packed_barrier(uint32_t number, uint32_t threads) {
  return uint64_t{threads} << 4 | number;
}
void unpack_barrier(uint64_t packed, BarrierOperands* operands);

/// All that timing, reports and trace files know of a static instruction, whatever it was read
/// from: a word of SPA 5.0, a listing of sm_70 and later, or a name in somebody else's trace.
struct CodeLine {
  uint32_t address = 0;  ///< byte address in the kernel; SPA 5.0: control words count
  std::string text;      ///< for reports, guard included, without a semicolon
  uint64_t word = 0;     ///< SPA 5.0; 0 where Code::has_words is not set
  Pipe pipe = Pipe::kFrontEnd;
  Control control;
  Footprint footprint;
  ShuffleOperands shuffle;  ///< SHFL only
  BarrierOperands barrier;  ///< BAR only
  bool is_guarded = false;
  bool is_exit = false;  ///< leaves the warp where all lanes take it
  bool is_clock_read = false;
  bool is_block_barrier = false;
  bool accesses_shared = false;  ///< goes to the banks of shared memory
  bool is_constant_load = false;
  bool is_reduction = false;  ///< over the lanes of a warp: REDUX, MATCH
  bool is_store = false;      ///< has no result: its time is taken to the read of its sources
  uint8_t access_bytes = 4;   ///< memory: bytes that a lane reads or writes
  uint8_t depbar_mask = 0;    ///< DEPBAR: scoreboards that it waits for...
  uint8_t depbar_most = 0;    ///< ...until at most so many operations are pending
  int64_t target = -1;        ///< listings of sm_70 and later, BRA: address of its target
  int address_register = -1;  ///< the same, shared memory: R of [R + offset]
  SourceLine source;

  bool is_shuffle() const { return pipe == Pipe::kShuffle; }
};

/// The static code of one kernel, in address order.
struct Code {
  std::string name;
  Family family = Family::kMaxwell;
  bool has_words = false;     ///< each line has its SPA 5.0 word
  bool has_control = true;    ///< false: timed by a register scoreboard
  bool is_lowered = false;    ///< made here of PTX: not the code that ptxas makes of it
  unsigned registers = 0;     ///< that a thread needs
  unsigned shared_bytes = 0;  ///< static shared memory, 0 where the input does not say
  unsigned local_bytes = 0;   ///< local memory of a thread, 0 where the input does not say
  std::vector<CodeLine> lines;
  std::vector<std::string> source_files;
  std::vector<std::string> warnings;  ///< what the text does that it should not, a line each
};

CodeLine code_line(const Instruction& instruction, const std::string& text);
Code code_of(const Program& program);

}  // namespace shflsim::isa
