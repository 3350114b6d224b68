// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/ptx/lines/definitions.h"

namespace shflsim::isa::ptx {

/// What is known about a value that a register or predicate may hold.
struct Value {
  std::optional<uint32_t> number;
  std::optional<Term> constant;   ///< the value is this word of a constant bank
  int base = -1;                  ///< the value is the value with this number...
  uint32_t added = 0;             ///< ...plus this number...
  int carry = -1;                 ///< ...plus this carry; -1: none
  uint32_t zeros = 0;             ///< bits that are 0
  int inverse = -1;               ///< a predicate: the negation of this value
  const Line* made_by = nullptr;  ///< nullptr if not of operands alone
  std::vector<int> made_of;       ///< the values of the operands of that line
};

/// The values of a function, by number, and the slots that hold them, in the current block and the
/// blocks that dominate it. Blocks are entered in the order of the dominator tree.
class Values {
 public:
  Values(const Code& code, const Slots& slots, const Definitions& definitions,
         const DominatorTree& dominators);

  const Value& operator[](int value) const { return known_[static_cast<size_t>(value)]; }
  int fresh();
  /// A new value with this knowledge.
  int fresh(const Value& value);
  int of_number(uint32_t number);
  int of_constant(const Term& constant);
  /// Identifies an expression: equal keys mean equal values.
  using Key = std::vector<int64_t>;
  /// The value of a result of a pure expression; new at the first call for the expression.
  int of_expression(Key key, int result, const Value& value);

  int in(int slot);
  void set(int slot, int value, int block);
  /// A slot that holds the value permanently; -1 if there is none.
  int holder(int value) const;
  /// A virtual register pair that holds these values permanently; -1 if there is none.
  int pair_holder(int low, int high) const;

  /// `goes_on`: the block's only predecessor is the last block that was entered and not left, so
  /// that no other block has run in between.
  void enter(int block, bool goes_on);
  void leave();

 private:
  struct HashOfKey {
    size_t operator()(const Key& key) const;
  };
  template <class Map>
  static int found(const Map& map, const typename Map::key_type& key) {
    const auto at = map.find(key);
    return at == map.end() ? -1 : at->second;
  }
  void hold(int slot, int value, int block);
  void change(int slot, int value);

  const Code& code_;
  const Slots& slots_;
  const Definitions& definitions_;
  const DominatorTree& dominators_;
  std::deque<Value> known_;    ///< a deque, so that references stay valid
  std::vector<int> values_;    ///< by slot
  std::vector<int> valid_in_;  ///< by slot with several writes: path of its value
  std::map<uint32_t, int> numbers_;
  std::map<std::pair<uint8_t, int64_t>, int> constants_;  ///< by bank and offset
  std::unordered_map<Key, int, HashOfKey> expressions_;
  std::unordered_map<int, int> holders_;
  std::map<std::pair<int, int>, int> pairs_;
  struct Held {
    int slot;
    int value;
    int valid_in;
  };
  /// The additions and changes of an open block.
  struct Scope {
    int path = -1;  ///< the first of a chain of blocks that only follow one another
    std::vector<Held> before;
    std::vector<Key> expressions;
    std::vector<int> holders;
    std::vector<std::pair<int, int>> pairs;
  };
  std::vector<Scope> scopes_;
};

}  // namespace shflsim::isa::ptx
