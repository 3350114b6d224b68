// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/lanes/lane_move.h"

namespace shflsim::isa {

/// The context of a lane instruction: lanes, active lanes and register values.
struct LaneContext {
  unsigned lanes = 32;
  WideMask active = 0xFFFFFFFFu;  ///< lanes that execute
  /// Registers from which an instruction reads lane numbers, by name: a value for each lane.
  std::map<std::string, std::vector<uint32_t>> registers;
};

/// A value for each of `lanes` lanes: numbers with commas between them, or numbers and the word
/// `lane` joined by + - * / % & | ^ and evaluated from left to right. Throws InputError.
std::vector<uint32_t> lane_values(const std::string& text, unsigned lanes,
                                  const std::string& option);

/// A part of an instruction's text, and where it begins.
struct LaneToken {
  std::string text;
  unsigned column = 1;
};

/// An instruction's text as its operation and operands: `v_mov_b32_dpp v0, v1 row_shr:1`, and
/// `subgroupShuffleXor(x, 1)`. Commas and white space within brackets and quotes do not separate.
/// Every function throws InputError with the text and the column.
class LaneText {
 public:
  explicit LaneText(const std::string& text);

  const std::string& operation() const { return tokens_.front().text; }
  const std::string& whole() const { return text_; }
  size_t operands() const { return tokens_.size() - 1; }
  const LaneToken& operand(size_t index) const;
  /// Throws unless there are from `least` to `most` operands.
  void expect(size_t least, size_t most) const;
  [[noreturn]] void reject(const LaneToken& token, const std::string& what) const;
  [[noreturn]] void reject(const std::string& what) const { reject(tokens_.front(), what); }
  [[noreturn]] void reject_operation(const std::vector<std::string>& known) const;

  /// A number from `least` to `most`, decimal or 0x.
  uint32_t number(const LaneToken& token, uint32_t least, uint32_t most) const;
  /// The number after "KEY:"; none if the token has another key.
  std::optional<uint32_t> keyed(const LaneToken& token, const std::string& key, uint32_t least,
                                uint32_t most) const;
  /// The numbers of "KEY:[1,2,3]".
  std::optional<std::vector<uint32_t>> keyed_list(const LaneToken& token, const std::string& key,
                                                  size_t count, uint32_t most) const;
  /// A register of this letter: 5 of "v5".
  uint32_t register_number(const LaneToken& token, const std::string& letter, uint32_t most) const;
  /// A value for each lane: of a register in the context, a number, or a pattern such as
  /// lane^1.
  std::vector<uint32_t> values(const LaneToken& token, const LaneContext& context) const;
  /// The value of an operand that all lanes share.
  uint32_t uniform(const LaneToken& token, const LaneContext& context) const;

 private:
  std::string text_;
  std::vector<LaneToken> tokens_;
};

}  // namespace shflsim::isa
