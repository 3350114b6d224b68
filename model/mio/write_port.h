// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "model/core/module.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// The write port of each register bank of a sub-partition. Math instructions use it at a fixed
/// time after their issue. Results of SHFL and shared memory are written in order, one beat a
/// cycle. A beat whose port is taken tries again in each cycle. If it has failed for too long, math
/// stops for some cycles. A result of a special function is visible in time, but its unit stops for
/// a cycle.
class WritePort : public Module {
 public:
  struct Result {
    MioRequest request;
    MioCompletion completion;
    Cycle at = 0;          ///< its next beat comes in this cycle or later
    uint32_t written = 0;  ///< beats

    bool is_special() const { return request.facts->pipe == isa::Pipe::kXu; }
  };

  struct Params {
    uint32_t distance = 0;  ///< from a math instruction's issue to its write; 0: none takes a port
    uint32_t patience = 0;  ///< failed tries of a result until math stops; 0: never
    uint32_t banks = 2;
    /// `distance` of a matrix product whose A has 4 registers, and of others; 0: as of other math.
    uint32_t product_distance = 0;
    uint32_t small_product_distance = 0;
    uint32_t gap = 0;               ///< time for which math stops for a starved result
    uint32_t special_time = 0;      ///< of a special function in its unit
    uint32_t special_interval = 0;  ///< from one special function to the next
  };
  WritePort(const sc_core::sc_module_name& name, const Params& params)
      : Module(name), params_(params) {}

  const char* kind() const override { return "WritePort"; }
  const char* hardware() const override { return "write ports of the register banks"; }
  const char* section() const override { return "register_file"; }

  bool is_limited() const { return params_.distance != 0; }

  /// Bit n: bank n is written.
  uint16_t banks_of(unsigned first, unsigned count) const {
    uint32_t banks = 0;
    for (unsigned i = 0; i < count; ++i) banks |= 1u << (first + i) % params_.banks;
    return static_cast<uint16_t>(banks);
  }

  /// The banks that a math instruction takes. Those of double precision write at other times.
  uint16_t banks_of_math(const Facts& facts) const {
    if (!is_limited() || facts.pipe == isa::Pipe::kDouble || product_distance(facts) != 0) return 0;
    return banks_of(facts.footprint.first_write, facts.footprint.write_count);
  }
  /// A math instruction that writes to these banks issues.
  void issued(uint16_t banks, Cycle now) {
    const Cycle clock = now - stood_;
    issues_[clock % kWindow] = {clock, banks};
    if (clock <= last_product_) stop_for_product(banks, clock, now);
  }
  /// A matrix product issues. It writes a register of each bank in a cycle, before other math.
  void product_issued(const Facts& facts, Cycle now) {
    const uint32_t distance = product_distance(facts);
    if (distance == 0) return;
    Cycle clock = now - stood_ + distance - params_.distance;
    for (uint32_t i = 0; i < facts.footprint.write_count; i += params_.banks, ++clock) {
      const uint32_t registers = std::min(params_.banks, facts.footprint.write_count - i);
      products_[clock % kWindow] = {clock, banks_of(facts.footprint.first_write + i, registers)};
      last_product_ = clock;
    }
  }
  /// Math stops after this cycle for so many cycles, because matrix products write the banks of
  /// what has issued (measured: products.csv.gz of tests/data/h200/2026-11-30, rows read); kNever
  /// if it does not.
  Cycle stop() const { return stop_; }
  /// True if math has to stop now or later.
  bool stops() const { return is_starved_ | has_stop_; }
  /// Cycles after `now` in which math stops.
  Cycle stop_cycles(Cycle now) const {
    const Cycle gap = is_starved_ ? params_.gap : 0;
    return stop_ <= now ? std::max(gap, stop_cycles_) : gap;
  }
  /// Math pipes stop for this number of cycles.
  void stand_still(Cycle cycles) { stood_ += cycles; }

  /// Math stops for this number of cycles after `now`, to leave the ports free. The instructions of
  /// the last two cycles still wait for their operands, and write later, too (measured:
  /// dense.csv.gz of tests/data/h200/2026-11-30, rows one and many).
  void leave_free(Cycle now, Cycle cycles) {
    for (const Cycle clock : {now - stood_, now - stood_ - 1}) {
      const Issue issue = std::exchange(issues_[clock % kWindow], {});
      if (issue.clock == clock) issues_[(clock + cycles) % kWindow] = {clock + cycles, issue.banks};
    }
    is_starved_ = false;
    has_stop_ = false;
    stop_ = kNever;
  }
  /// A result has waited for too long.
  bool is_starved() const { return is_starved_; }

  void wait(const MioRequest& request, const MioCompletion& completion) {
    const Result result{request, completion, completion.result + 1 - completion.beats};
    std::vector<Result>& list = result.is_special() ? special_ : waiting_;
    const auto before = [&](const Result& other) { return other.at <= result.at; };
    list.insert(std::find_if(list.rbegin(), list.rend(), before).base(), result);
    due_ = std::min(due_, result.at);
  }
  /// First cycle in which a result arrives.
  Cycle due() const { return due_; }
  /// Calls `come` with the results that arrive and whose port is free. Returns true if the special
  /// function unit stops in this cycle, and the instruction that started last in it ends later.
  template <class Come>
  bool decide(Cycle now, Come come) {
    const bool stands = decide_special(now, come);
    if (!waiting_.empty() && waiting_.front().at <= now && write_beat(&waiting_.front(), now)) {
      come(waiting_.front());
      waiting_.erase(waiting_.begin());
    }
    const bool is_last_later = stands && delay_special(now);
    due_ = waiting_.empty() ? kNever : std::max(waiting_.front().at, now + 1);
    for (const Result& result : special_) due_ = std::min(due_, result.at);
    return is_last_later;
  }

 private:
  static constexpr size_t kWindow = 64;
  struct Issue {
    Cycle clock = kNever;  ///< of issue, which counts the cycles in which the pipes do not stop
    uint16_t banks = 0;
  };

  /// Time from a matrix product's issue to its first write; 0: that of other math.
  uint32_t product_distance(const Facts& facts) const {
    if (facts.matrices == MatrixProduct::kDouble || facts.group_product.columns != 0) return 0;
    if (facts.matrices == MatrixProduct::kNone) return 0;
    return facts.matrices == MatrixProduct::kLarge ? params_.product_distance
                                                   : params_.small_product_distance;
  }
  [[gnu::noinline]] void stop_for_product(uint16_t banks, Cycle clock, Cycle now) {
    if (stop_ != kNever || (of_products(clock) & banks) == 0) return;
    has_stop_ = true;
    stop_ = now + 1;
    stop_cycles_ = 1;
    while (of_products(clock + stop_cycles_) != 0) ++stop_cycles_;
  }
  /// The banks that matrix products write when math that issues at `clock` would.
  uint16_t of_products(Cycle clock) const {
    const Issue& product = products_[clock % kWindow];
    return product.clock == clock ? product.banks : uint16_t{0};
  }

  /// As decide(), for results of special functions; true if one needs a port that is taken.
  template <class Come>
  bool decide_special(Cycle now, Come come) {
    bool stands = false;
    while (!special_.empty() && special_.front().at <= now) {
      stands |= is_taken(banks_of_beat(special_.front()), now);
      come(special_.front());
      special_.erase(special_.begin());
    }
    return stands;
  }
  /// Delays what is in the special function unit, and what starts in it as soon as it can.
  bool delay_special(Cycle now) {
    bool is_later = false;
    Cycle before = 0;
    for (Result& result : special_) {
      is_later = result.at <= now + params_.special_time ||
                 (is_later && result.at <= before + params_.special_interval);
      before = result.at;
      if (!is_later) continue;
      ++result.at;
      ++result.completion.result;
    }
    return is_later;
  }
  /// Writes the next beat of the oldest result if its ports are free. Returns true if it is the
  /// last.
  bool write_beat(Result* oldest, Cycle now) {
    const uint16_t banks = banks_of_beat(*oldest);
    if (is_taken(banks, now)) {
      is_starved_ |= ++failed_ == params_.patience && is_taken_on(banks, now);
      return false;
    }
    failed_ = 0;
    is_starved_ = false;
    oldest->at = now + 1;
    oldest->completion.result = now;
    return ++oldest->written == oldest->completion.beats;
  }
  uint16_t banks_of_beat(const Result& result) const {
    const isa::Footprint& all = result.request.facts->footprint;
    const unsigned registers = all.write_count / result.completion.beats;
    return banks_of(all.first_write + registers * result.written, registers);
  }
  /// True if the instructions that have issued leave no cycle free for these banks.
  bool is_taken_on(uint16_t banks, Cycle now) const {
    for (Cycle later = 1; later < params_.distance; ++later)
      if (!is_taken(banks, now + later)) return false;
    return true;
  }
  bool is_taken(uint16_t banks, Cycle now) const {
    const Cycle clock = now - stood_;
    if (clock < params_.distance) return false;
    const Cycle issued = clock - params_.distance;
    const Issue& issue = issues_[issued % kWindow];
    const auto of_math = static_cast<uint16_t>(issue.clock == issued ? issue.banks : 0);
    return ((of_math | of_products(issued)) & banks) != 0;
  }

  const Params params_;
  std::array<Issue, kWindow> issues_{};
  std::array<Issue, kWindow> products_{};  ///< matrix products, by the clock of of_products()
  Cycle last_product_ = 0;                 ///< clock of the last of them
  Cycle stop_ = kNever;
  Cycle stop_cycles_ = 0;
  std::vector<Result> waiting_;  ///< of SHFL and shared memory
  std::vector<Result> special_;
  Cycle due_ = kNever;
  uint32_t failed_ = 0;  ///< tries of the oldest result's beat
  bool is_starved_ = false;
  bool has_stop_ = false;  ///< stop_ is not kNever; stops() is asked in each cycle
  Cycle stood_ = 0;        ///< cycles for which the pipes have stood still
};

}  // namespace shflsim::model
