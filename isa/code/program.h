// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "isa/base/input_error.h"
#include "isa/codec/instruction.h"

namespace shflsim::isa {

/// A line of the code that an instruction was compiled from.
struct SourceLine {
  uint32_t file = 0;    ///< into source_files
  uint32_t number = 0;  ///< line number from 1; 0: not known
};

/// One kernel: its instructions in address order. On sm_70 and later they are 16 bytes apart. In
/// SPA 5.0 the first instruction has address 8, since a control word precedes every three
/// instructions (addresses 0x00, 0x20, 0x40...).
struct Program {
  std::string name;
  Arch arch = Arch::kSm50;
  std::vector<Instruction> code;
  /// Text of each instruction for reports, in nvdisasm's words; same length as `code`.
  std::vector<std::string> texts;
  /// Symbolic registers of the manual's syntax ("Rx") and the registers they stand for.
  std::map<std::string, uint8_t> symbols;
  /// A read of a symbolic register that no instruction can have written: the launch has to set it.
  struct UnwrittenRead {
    std::string name;
    Position where;
  };
  std::vector<UnwrittenRead> unwritten_reads;
  /// Functions of the CUDA runtime that the driver implements.
  enum class DriverCall : uint8_t { kPrint, kAssert, kAllocate, kFree };
  /// Additional actions of instructions, by index into `code`, and limits of launches.
  struct Extras {
    /// The membermask of PTX's shfl.sync, vote.sync or barrier.sync, a register or an immediate.
    /// SHFL itself has no such operand; the machine checks the mask during execution.
    std::map<uint32_t, Operand> membermasks;
    /// The membermasks of bar.warp.sync in front of the instruction, which is no instruction.
    std::map<uint32_t, std::vector<Operand>> meetings;
    /// PTX for sm_70 or later: the lanes of a membermask may be at several places, which SPA 5.0
    /// does not have. Execution stops there.
    bool lanes_may_part = false;
    std::map<uint32_t, DriverCall> driver_calls;  ///< the instruction is a call of this function
    unsigned most_threads = 0;  ///< of a block (__launch_bounds__), 0 if the input does not say
  };
  Extras extras;
  /// Lowered code with functions: addresses where functions begin, the possible targets of JMX.
  /// Empty: the targets of JMX and BRX are unknown.
  std::vector<uint32_t> jump_targets;
  /// Mistakes in the text, ready to print, one line each.
  std::vector<std::string> warnings;
  /// Notes on results of this code, ready to print, one line each: for example its architecture, if
  /// the file has code for several.
  std::vector<std::string> notes;
  /// First instruction of each function as an index into `code`, by the function's address in data;
  /// this address is the same for all kernels of a file.
  std::map<uint64_t, uint32_t> functions;
  static constexpr uint8_t kConstantBanks = 32;  ///< an operand names the bank in five bits
  static constexpr uint8_t kUserConstants = 3;   ///< constant bank of __constant__ variables
  /// Constant banks that the code's file contains, by number; the launch provides bank 0.
  std::map<uint8_t, std::vector<uint8_t>> constants;

  /// Initial values of the file's __device__ variables, as one image; a launch places the image in
  /// device memory (isa/machine/variables.h).
  std::vector<uint8_t> variables;
  /// Eight bytes that hold the generic address of a variable: in a constant bank or in the image
  /// itself.
  struct VariableAddress {
    static constexpr uint8_t kInImage = kConstantBanks;  ///< greater than every bank's number
    uint8_t bank = 0;
    size_t offset = 0;         ///< offset in the bank or the image
    size_t variable = 0;       ///< offset of the variable in the image
    bool is_constant = false;  ///< points into constant bank kUserConstants instead
  };
  std::vector<VariableAddress> variable_addresses;

  /// Offsets and sizes of arguments in the parameter area; `parameters` is empty if unknown.
  struct Parameter {
    uint32_t offset = 0;
    uint32_t size = 0;
  };
  std::vector<Parameter> parameters;
  unsigned registers = 0;     ///< registers a thread needs: the highest used plus 1
  unsigned shared_bytes = 0;  ///< static shared memory, 0 if the input does not say
  unsigned local_bytes = 0;   ///< local memory a thread needs, 0 if the input does not say
  unsigned barriers = 0;      ///< barriers of a block, 0 if the input does not say
  /// Blocks of a cluster in x, y and z that the code requires; {} if it does not require a size.
  std::array<uint32_t, 3> cluster{};
  bool has_control = true;  ///< false: timed by a register scoreboard
  bool is_lowered = false;  ///< lowered from PTX by this program, not by ptxas
  /// Lowered code: the line of PTX that each instruction comes from, by index into `code`.
  /// Instructions that fill the last bundle have none.
  struct Origin {
    unsigned line = 0;
    std::string text;
  };
  std::vector<Origin> origins;
  /// Source line of each instruction, by index into `code`, if a cubin has line information (nvcc
  /// -lineinfo); empty otherwise.
  std::vector<SourceLine> source_lines;
  std::vector<std::string> source_files;

  /// Index into `code` of the instruction that a jump to `address` reaches; a jump to a control
  /// word (a multiple of 32 in SPA 5.0) reaches the instruction after it. -1 if there is no such
  /// instruction.
  int index_at(int64_t address) const;
  /// Highest register that the code names, including indices and membermasks, plus 1.
  unsigned registers_used() const;
};

/// Adds a note if the code is for an architecture (`number`) whose words are another's.
void note_nearest_arch(const std::string& file, unsigned number, Program* program);

/// Address of the instruction of this index in a kernel's code.
uint32_t address_of(size_t index, Family family = Family::kMaxwell);
/// Address that a branch to the instruction of this index names: that of the control word for the
/// first instruction of a bundle.
uint32_t target_address(size_t index, Family family = Family::kMaxwell);

}  // namespace shflsim::isa
