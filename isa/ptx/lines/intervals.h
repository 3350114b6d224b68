// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <vector>

#include "isa/ptx/lines/uses.h"

namespace shflsim::isa::ptx {

/// The positions at which a virtual register is in use. A line reads at an even position and writes
/// at the next odd one, so that a result can have the register of a source that ends there.
struct Interval {
  int id = 0;
  int first = -1;
  int last = -1;
  void include(int position);
};

/// The intervals of a function's registers, including loops, and the conflicts with calls.
class Intervals {
 public:
  Intervals(const Code& code, const Position& where);

  /// The intervals of used registers that are not fixed, by their begin.
  const std::vector<Interval>& in_order() const { return in_order_; }
  bool has_calls() const { return has_calls_; }
  /// True if the value of the register is needed after a call that does not write it.
  bool crosses_call(int id) const { return over_calls_.count(id) != 0; }
  /// True if the hardware register `number` passes a word while this virtual register is live.
  bool meets_passed(unsigned number, int id) const {
    const auto passed = passed_.find(number);
    return passed != passed_.end() && passed->second.count(id) != 0;
  }

 private:
  void place(const Code& code, const std::vector<Ids>& live);
  void look_behind(const Code& code, const Line& line, const LiveSlots& live);

  std::vector<Interval> in_order_;
  bool has_calls_ = false;
  Ids fixed_;  ///< registers that pass words between functions
  std::set<int> over_calls_;
  std::map<unsigned, std::set<int>> passed_;  ///< by number: registers that are live meanwhile
};

}  // namespace shflsim::isa::ptx
