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

/// One kernel: its instructions in address order. From sm_70 on they stand 16 bytes apart. In SPA
/// 5.0 address 8 is the first instruction's, since a control word stands before every three
/// (addresses 0x00, 0x20, 0x40...).
struct Program {
  std::string name;
  Arch arch = Arch::kSm50;
  std::vector<Instruction> code;
  /// Text of each instruction for reports, in nvdisasm's words; same length as `code`.
  std::vector<std::string> texts;
  /// Symbolic registers of the manual's syntax ("Rx") and the registers they stand for.
  std::map<std::string, uint8_t> symbols;
  /// Where such a register is read although nothing can have written it: a launch has to.
  struct UnwrittenRead {
    std::string name;
    Position where;
  };
  std::vector<UnwrittenRead> unwritten_reads;
  /// Functions of the CUDA runtime whose code is the driver's.
  enum class DriverCall : uint8_t { kPrint, kAssert, kAllocate, kFree };
  /// What instructions do besides their operation, by index into `code`.
  struct Extras {
    /// Of PTX's shfl.sync: its membermask, a register or an immediate. SHFL itself has no such
    /// operand; it is looked at while the code is executed.
    std::map<uint32_t, Operand> membermasks;
    std::map<uint32_t, DriverCall> driver_calls;  ///< what the instruction stands for
  };
  Extras extras;
  /// Lowered code with functions: addresses where functions begin, the possible targets of JMX.
  /// Empty: the targets of JMX and BRX are unknown.
  std::vector<uint32_t> jump_targets;
  /// What the text does that it should not, ready to print, one line each.
  std::vector<std::string> warnings;
  /// What a result of this code should be read with, ready to print, one line each: of which
  /// architecture it is, where the file has several.
  std::vector<std::string> notes;
  /// First instructions of functions, by index into `code`, and by the address that data have of
  /// them: the same one for every kernel of a file.
  std::map<uint64_t, uint32_t> functions;
  static constexpr uint8_t kUserConstants = 3;  ///< constant bank of __constant__ variables
  /// Constant banks that the code comes with, by number; bank 0 is the launch's.
  std::map<uint8_t, std::vector<uint8_t>> constants;

  /// First contents of the __device__ variables of the code's file, as one image; a launch places
  /// it in device memory (isa/machine/variables.h).
  std::vector<uint8_t> variables;
  /// Eight bytes that hold the generic address of a variable: in a constant bank or in the image
  /// itself.
  struct VariableAddress {
    static constexpr uint8_t kInImage = 32;  ///< above every bank's number
    uint8_t bank = 0;
    size_t offset = 0;         ///< offset in the bank or the image
    size_t variable = 0;       ///< offset of what it points to, in the image
    bool is_constant = false;  ///< points into constant bank kUserConstants instead
  };
  std::vector<VariableAddress> variable_addresses;

  /// Where the kernel's arguments stand in its parameter area; empty if the input does not say.
  struct Parameter {
    uint32_t offset = 0;
    uint32_t size = 0;
  };
  std::vector<Parameter> parameters;
  unsigned registers = 0;     ///< registers a thread needs: the highest used plus 1
  unsigned shared_bytes = 0;  ///< static shared memory, 0 if the input does not say
  unsigned local_bytes = 0;   ///< local memory a thread needs, 0 if the input does not say
  unsigned barriers = 0;      ///< barriers of a block, 0 if the input does not say
  /// Blocks of a cluster in x, y and z, as the code demands them; {} where it leaves that open.
  std::array<uint32_t, 3> cluster{};
  bool has_control = true;  ///< false: timed by a register scoreboard
  bool is_lowered = false;  ///< made here of PTX: not the code that ptxas makes of it
  /// Of lowered code: the line of PTX that each instruction is for, by index into `code`. What
  /// fills the last bundle has none.
  struct Origin {
    unsigned line = 0;
    std::string text;
  };
  std::vector<Origin> origins;
  /// Source line of each instruction, by index into `code`, of a cubin with line information (nvcc
  /// -lineinfo); empty otherwise.
  std::vector<SourceLine> source_lines;
  std::vector<std::string> source_files;

  /// Index into `code` of the instruction that a jump to `address` reaches: a control word's
  /// address (a multiple of 32 in SPA 5.0) stands for the instruction behind it. -1 if there is
  /// none.
  int index_at(int64_t address) const;
  /// Highest register that the code names, those of indices and membermasks included, plus 1.
  unsigned registers_used() const;
};

/// Notes that the code is for the architecture of that number, where its words are another's.
void note_nearest_arch(const std::string& file, unsigned number, Program* program);

/// Address of the instruction of this index in a kernel's code.
uint32_t address_of(size_t index, Family family = Family::kMaxwell);
/// Address that a branch to the instruction of this index names: a bundle's control word stands for
/// its first instruction.
uint32_t target_address(size_t index, Family family = Family::kMaxwell);

}  // namespace shflsim::isa
