// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "model/core/module.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// The write port of each register bank of a sub-partition. Math instructions use it at a fixed
/// time after their issue. A result of SHFL or shared memory whose port is taken tries again in
/// each cycle. That of a special function is seen in time, but the unit stands still for a cycle.
class WritePort : public Module {
 public:
  struct Result {
    MioRequest request;
    MioCompletion completion;
    uint16_t banks = 0;
    bool is_special = false;  ///< of a special function
  };

  /// `distance`: a math instruction that issues this number of cycles before a result arrives takes
  /// the result's port; 0: none does.
  WritePort(const sc_core::sc_module_name& name, uint32_t distance, uint32_t banks)
      : Module(name), distance_(distance), banks_(banks) {}

  const char* kind() const override { return "WritePort"; }
  const char* hardware() const override { return "write ports of the register banks"; }
  const char* section() const override { return "register_file"; }

  bool is_limited() const { return distance_ != 0; }

  /// Bit n: bank n is written.
  uint16_t banks_of(const isa::Footprint& footprint) const {
    uint32_t banks = 0;
    for (unsigned i = 0; i < footprint.write_count; ++i)
      banks |= 1u << (footprint.first_write + i) % banks_;
    return static_cast<uint16_t>(banks);
  }

  /// The banks that a math instruction takes. Those of double precision write at other times.
  uint16_t banks_of_math(const Facts& facts) const {
    return is_limited() && facts.pipe != isa::Pipe::kDouble ? banks_of(facts.footprint) : 0;
  }
  /// A math instruction that writes to these banks issues.
  void issued(uint16_t banks, Cycle now) {
    const Cycle clock = now - stood_;
    issues_[clock % kWindow] = {clock, banks};
  }
  /// Math pipes stand still for so many cycles.
  void stand_still(Cycle cycles) { stood_ += cycles; }

  void wait(const MioRequest& request, const MioCompletion& completion) {
    const bool is_special = request.facts->pipe == isa::Pipe::kXu;
    waiting_.push_back({request, completion, banks_of(request.facts->footprint), is_special});
    due_ = std::min(due_, completion.result);
  }
  /// First cycle in which a result arrives.
  Cycle due() const { return due_; }
  /// Calls `come` with the results that arrive and whose port is free. Returns true if the special
  /// function unit stands still in this cycle, and what has started last in it ends later.
  template <class Come>
  bool decide(Cycle now, Come come) {
    bool stands = false;
    auto kept = waiting_.begin();
    for (Result& result : waiting_) {
      const bool ends = result.is_special && result.completion.result <= now;
      stands |= ends && is_taken(result.banks, now);
      if (ends || comes(&result, now))
        come(result);
      else
        *kept++ = result;
    }
    waiting_.erase(kept, waiting_.end());
    const bool is_last_later = stands && delay_special(now);
    due_ = kNever;
    for (const Result& result : waiting_) due_ = std::min(due_, result.completion.result);
    return is_last_later;
  }

 private:
  static constexpr size_t kWindow = 64;
  /// A special function's time in its unit (measured: soft; as register_file.special_stands), and
  /// from one to the next (as special_function.interval of gh100).
  static constexpr Cycle kSpecialTime = 12;
  static constexpr Cycle kSpecialInterval = 8;
  struct Issue {
    Cycle clock =
        kNever;  ///< of issue, which counts the cycles in which the pipes do not stand still
    uint16_t banks = 0;
  };

  /// Delays what is in the special function unit, and what starts in it as soon as it can.
  bool delay_special(Cycle now) {
    bool is_later = false;
    Cycle before = 0;
    for (Result& result : waiting_) {
      if (!result.is_special) continue;
      Cycle& at = result.completion.result;
      is_later = at <= now + kSpecialTime || (is_later && at <= before + kSpecialInterval);
      before = at;
      if (is_later) ++at;
    }
    return is_later;
  }
  bool comes(Result* result, Cycle now) const {
    Cycle& at = result->completion.result;
    if (at > now) return false;
    if (!is_taken(result->banks, now)) return true;
    at = now + 1;
    return false;
  }
  bool is_taken(uint16_t banks, Cycle now) const {
    const Cycle clock = now - stood_;
    if (clock < distance_) return false;
    const Issue& issue = issues_[(clock - distance_) % kWindow];
    return issue.clock == clock - distance_ && (issue.banks & banks) != 0;
  }

  const uint32_t distance_;
  const uint32_t banks_;
  std::array<Issue, kWindow> issues_{};
  std::vector<Result> waiting_;
  Cycle due_ = kNever;
  Cycle stood_ = 0;  ///< cycles for which the pipes have stood still
};

}  // namespace shflsim::model
