// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/codec/instruction.h"
#include "isa/lanes/lane_map.h"

namespace shflsim::isa {

/// Decodes a 64-bit word of SPA 5.0. Returns what is wrong with it ("unknown opcode ...", "reserved
/// bits 47 set"), or "" and fills `out`. `address` is the word's, for branch targets.
std::string decode(uint64_t word, uint32_t address, const Control& control, Instruction* out);
/// Decodes a word of sm_70 or later, which contains its control bits.
std::string decode(Arch arch, const Word& word, uint32_t address, Instruction* out);

/// Rebuilds the word of a decoded instruction from its fields.
Word encode(const Instruction& instruction);
/// Bits of a decoded instruction's word that its text determines.
Word said_bits(const Instruction& instruction);

/// How names that are not the ISA's own are resolved while encoding.
struct Names {
  /// Register number of a symbolic register ("Rx"); -1 if the name is none.
  std::function<int(std::string_view)> register_named = [](std::string_view) { return -1; };
  /// Address of a label; -1 if the name is none.
  std::function<int64_t(std::string_view)> label_named = [](std::string_view) { return -1; };
  /// All names of both kinds, from which an error for an unknown name suggests the nearest.
  std::function<std::vector<std::string>()> known = [] { return std::vector<std::string>(); };
};

/// The encoding of an instruction's text.
struct Encoded {
  Word word;  ///< sm_70 and later: the control bits contain `reuse`, and defaults otherwise
  uint8_t reuse =
      0;  ///< bit 0, 1, 2: the text has `.reuse` behind operand A, B, C (Control::reuse)
};

/// Thrown by encode: what is wrong, and at which column of the text (from 1).
struct SyntaxError {
  std::string what;
  unsigned column;
};

/// Encodes one instruction's text, guard included ("@!P0 SHFL.BFLY PT, R1, R0, 0x1, 0x1f"); a
/// trailing ';' is allowed. `address` is the address of the word. Throws SyntaxError.
Encoded encode(std::string_view text, uint32_t address, const Names& names = {});
/// Encodes for an architecture. From sm_70 on, bits that the text leaves open get ptxas' values.
Encoded encode(Arch arch, std::string_view text, uint32_t address, const Names& names = {});

/// The text of an instruction as nvdisasm prints it, guard included, without the ';'.
/// Branch targets are printed as the hexadecimal address.
std::string text_of(const Instruction& instruction);

/// The operation's name in that text, "IMAD", and the modifiers after the name, ".WIDE.U32".
std::string name_in_text(const Instruction& instruction);
std::string modifiers_in_text(const Instruction& instruction);

/// The lane-map mode of a SHFL.
ShuffleMode shuffle_mode(const Instruction& shfl);

/// Special register by number and back ("SR_TID.X"); number 0..255.
std::string special_register_name(uint8_t number, Family family = Family::kMaxwell);
int special_register_number(std::string_view name, Family family = Family::kMaxwell);

}  // namespace shflsim::isa
