// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/families/lane_text.h"
#include "isa/lanes/lane_move.h"

namespace shflsim::isa {

/// The published cost of an instruction on its machine.
struct LaneCost {
  double cycles = 0;   ///< 0: nobody published it
  std::string source;  ///< who published it, and for which machine
};

/// One lane instruction of a family: one move, or for a tree of a reduction one move per level.
struct LaneInstruction {
  std::string text;             ///< in the family's syntax
  std::vector<uint32_t> words;  ///< the machine words in order; empty if the family has no words
  std::vector<LaneMove> steps;  ///< between two moves lanes combine their values
  LaneCost cost;
};

/// An instruction that may be part of a sequence, with values for the registers from which it
/// reads lane numbers.
struct LaneCandidate {
  std::string text;
  std::map<std::string, std::vector<uint32_t>> registers = {};
};

/// The lane operations of a vendor's machines or of a language. A file of isa/families adds itself:
///   const bool toy_registered = LaneFamilies::add({"toy", "what it is", {32}, ...});
struct LaneFamily {
  std::string name;                     ///< "rdna"
  std::string help;                     ///< which machines, and their manual
  std::vector<unsigned> lane_counts;    ///< the default first
  std::vector<std::string> operations;  ///< names of its operations
  /// Reads an instruction. Throws InputError.
  LaneInstruction (*read)(const LaneText& text, const LaneContext& context);
  /// Instructions with which a sequence that does `wanted` may begin or end, each with one move.
  std::vector<LaneCandidate> (*candidates)(const LaneMove& wanted);
  /// Text of the words of one instruction; nullptr if the family has no words. Throws
  /// InputError.
  std::string (*text_of)(const std::vector<uint32_t>& words) = nullptr;
};

class LaneFamilies {
 public:
  static bool add(const LaneFamily& family);
  /// All families, sorted by name.
  static const std::vector<LaneFamily>& all();
  static std::vector<std::string> names();
  /// Throws InputError that begins with `option` if no family has this name.
  static const LaneFamily& named(const std::string& name, const std::string& option);
  /// The families that have the operation of this text.
  static std::vector<const LaneFamily*> with_operation(const std::string& text);
};

/// An instruction, and the family that read it.
struct ReadLaneInstruction {
  const LaneFamily* family = nullptr;
  LaneInstruction instruction;
};

/// Reads an instruction with the first of `families` that accepts it. If `context.lanes` is 0, the
/// family's default number of lanes is used. Throws the first family's InputError.
ReadLaneInstruction read_lane_instruction(const std::vector<const LaneFamily*>& families,
                                          const std::string& text, LaneContext context);

/// A part of a sequence: the instruction, the register values that it needs, and whether it reads
/// the result of the previous part (`chained`) instead of that part's source.
struct LanePart {
  LaneInstruction instruction;
  LaneCandidate candidate;
  bool chained = false;
};

/// The cheapest sequence of at most two instructions of `family` that does the move with the lanes
/// `active`: by published cycles, else by number of instructions; empty if there is none.
std::vector<LanePart> cheapest_sequence(const LaneFamily& family, const LaneMove& wanted,
                                        WideMask active);

}  // namespace shflsim::isa
