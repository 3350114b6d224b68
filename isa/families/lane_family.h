// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/families/lane_text.h"
#include "isa/lanes/lane_move.h"

namespace shflsim::isa {

/// What an instruction takes on its machine, as somebody published it.
struct LaneCost {
  double cycles = 0;   ///< 0: nobody published it
  std::string source;  ///< who published it, and of what
};

/// One lane instruction of a family: its moves, one or, where a reduction is a tree, one a level.
struct LaneInstruction {
  std::string text;             ///< as the family writes it
  std::vector<uint32_t> words;  ///< where the vendor has words: the first word first
  std::vector<LaneMove> steps;  ///< between two of them lanes combine what they have
  LaneCost cost;
};

/// An instruction that may be part of a sequence, with values for the registers that it reads lane
/// numbers from.
struct LaneCandidate {
  std::string text;
  std::map<std::string, std::vector<uint32_t>> registers = {};
};

/// The lane operations of a vendor's machines or of a language. A file of isa/families adds itself:
///   const bool toy_registered = LaneFamilies::add({"toy", "what it is", {32}, ...});
struct LaneFamily {
  std::string name;                     ///< "rdna"
  std::string help;                     ///< which machines, and their manual
  std::vector<unsigned> lane_counts;    ///< the usual one first
  std::vector<std::string> operations;  ///< names of its operations
  /// Reads one. Throws InputError.
  LaneInstruction (*read)(const LaneText& text, const LaneContext& context);
  /// Instructions by which a sequence that does `wanted` may begin or end, each of one move.
  std::vector<LaneCandidate> (*candidates)(const LaneMove& wanted);
  /// Text of the words of one instruction; nullptr if the family has no words. Throws
  /// InputError.
  std::string (*text_of)(const std::vector<uint32_t>& words) = nullptr;
};

class LaneFamilies {
 public:
  static bool add(const LaneFamily& family);
  /// By name.
  static const std::vector<LaneFamily>& all();
  static std::vector<std::string> names();
  /// Throws InputError if there is none of this name; `option` stands in front.
  static const LaneFamily& named(const std::string& name, const std::string& option);
  /// Those that have the operation of this text.
  static std::vector<const LaneFamily*> with_operation(const std::string& text);
};

/// An instruction, and the family that read it.
struct ReadLaneInstruction {
  const LaneFamily* family = nullptr;
  LaneInstruction instruction;
};

/// Reads an instruction in the first of `families` that accepts it, with as many lanes as the
/// family has by default where `context.lanes` is 0. Throws the first family's InputError.
ReadLaneInstruction read_lane_instruction(const std::vector<const LaneFamily*>& families,
                                          const std::string& text, LaneContext context);

/// A part of a sequence: the instruction, what it needs in registers, and whether it reads the
/// result of the part before instead of what that one read.
struct LanePart {
  LaneInstruction instruction;
  LaneCandidate candidate;
  bool chained = false;
};

/// The cheapest sequence of at most two instructions of `family` that does the move with the lanes
/// `active`, by cycles where they are published, else by number; empty if there is none.
std::vector<LanePart> cheapest_sequence(const LaneFamily& family, const LaneMove& wanted,
                                        WideMask active);

}  // namespace shflsim::isa
