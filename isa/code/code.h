// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/code/line_facts.h"
#include "isa/code/program.h"
#include "isa/codec/arch.h"
#include "isa/codec/instruction.h"
#include "isa/lanes/lane_map.h"

namespace shflsim::isa {

struct FamilyFacts {
  const char* name;
  uint32_t bundle_bytes;         ///< size of a bundle: instructions with their common control bits
  uint32_t bundle_instructions;  ///< instructions in a bundle
  bool has_half_and_tensor;      ///< has separate pipes for half precision and matrix operations
};
const FamilyFacts& facts(Family family);

/// Index and clamp operands in a SHFL's word.
struct ShuffleOperands {
  ShuffleMode mode = ShuffleMode::kIdx;
  bool index_is_register = false;
  bool clamp_is_register = false;
  uint32_t index = 0;  ///< the register's number or the value
  uint32_t clamp = 0;

  bool are_immediate() const { return !index_is_register && !clamp_is_register; }
};

/// A static instruction as timing, reports and trace files see it. Its facts come from a word, or
/// from a name in a foreign trace.
struct CodeLine : LineFacts {
  uint32_t address = 0;       ///< byte address in the kernel; SPA 5.0: control words count
  std::string text;           ///< for reports, guard included, without a semicolon
  std::string name;           ///< name of the operation: "IMAD"
  std::string modifiers;      ///< modifiers after the name: ".WIDE.U32"
  Word word;                  ///< if Code::has_words is set
  ShuffleOperands shuffle;    ///< SHFL only
  int64_t target = -1;        ///< BRA without modifiers: address of its target
  int address_register = -1;  ///< shared memory: R of [R + offset]
  SourceLine source;

  bool is_shuffle() const { return pipe == Pipe::kShuffle; }
};

/// The static code of one kernel, in address order.
struct Code {
  std::string name;
  Arch arch = Arch::kSm50;
  bool has_words = false;     ///< each line has its word
  bool has_control = true;    ///< false: timed by a register scoreboard
  bool is_lowered = false;    ///< lowered from PTX by this program, not by ptxas
  unsigned registers = 0;     ///< registers of a thread
  unsigned shared_bytes = 0;  ///< static shared memory, 0 if the input does not say
  unsigned local_bytes = 0;   ///< local memory of a thread, 0 if the input does not say
  unsigned barriers = 0;      ///< barriers of a block, 0 if the input does not say
  std::vector<CodeLine> lines;
  std::vector<std::string> source_files;
  std::vector<std::string> warnings;  ///< mistakes in the text, one line each

  Family family() const { return family_of(arch); }
};

CodeLine code_line(const Instruction& instruction, const std::string& text);
Code code_of(const Program& program);

}  // namespace shflsim::isa
