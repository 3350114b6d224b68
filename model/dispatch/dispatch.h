// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "model/constant_memory/constant_memory.h"
#include "model/core/module.h"
#include "model/fetch/fetch.h"
#include "model/math/group_products.h"
#include "model/math/math_pipes.h"
#include "model/mio/awaited_results.h"
#include "model/mio/mio_queue.h"
#include "model/mio/write_port.h"
#include "model/register_file/register_file.h"
#include "model/warps/warp_watch.h"
#include "model/warps/warps.h"

namespace shflsim::model {

static_assert(Resource::kFmai == static_cast<Resource>(isa::Pipe::kFmai) &&
                  Resource::kFxu == static_cast<Resource>(isa::Pipe::kFxu) &&
                  Resource::kDouble == static_cast<Resource>(isa::Pipe::kDouble) &&
                  Resource::kHalf == static_cast<Resource>(isa::Pipe::kHalf) &&
                  Resource::kTensor == static_cast<Resource>(isa::Pipe::kTensor) &&
                  Resource::kFmaiFxu == static_cast<Resource>(isa::Pipe::kFmaiFxu) &&
                  Resource::kMultiply == static_cast<Resource>(isa::Pipe::kMultiply) &&
                  Resource::kWideMultiply == static_cast<Resource>(isa::Pipe::kWideMultiply),
              "the math pipes are resources of the same numbers");

/// The path of an issued instruction: it reads its operands and takes a math pipe, or enters the
/// queue to the shared units. Reports which of these are free, and receives the results.
///
///   scheduler -> register file -> math pipes
///            \-> MIO queue -> shared units -> write port
class Dispatch : public Module {
 public:
  struct Params {
    unsigned sub_partition = 0;
    RegisterFileParams register_file;
    MathParams math;
    MathLatencies latencies;
    GroupProductParams group_products;
    MioParams mio;
    uint32_t special_interval = 0;  ///< from one special function to the next
    bool issues_pairs = false;
    bool is_observed = false;  ///< every issue is reported to Warps::watch
    bool defers_barriers = false;
    bool asks_constants = false;
    bool queues_special = false;     ///< special functions go into the MIO queue
    bool queues_reductions = false;  ///< REDUX and MATCH do
    bool reads_special = false;      ///< the reader of the shared pipe reads their operands
    bool queues_fences = false;      ///< MEMBAR.CTA and FENCE do
    uint32_t copy_issue = 1;         ///< cycles until a bulk copy's operands are free
    uint32_t loads_wait = 0;         ///< cycles from the last load to shared memory to a wait's end
    std::shared_ptr<WindowOutcomes> outcomes;  ///< of the SMs that run in one thread
  };

  /// `table` is shared by all sub-partitions; the first Dispatch makes its records.
  Dispatch(const sc_core::sc_module_name& name, const Params& params, IssueTable& table,
           const Fetch& fetch, Dependence& dependence, Warps& warps);

  const char* kind() const override { return "Dispatch"; }
  const char* hardware() const override { return "dispatch of issued instructions to the pipes"; }
  const char* section() const override { return ""; }

  sc_core::sc_port<MioUnit> special_function;  ///< used if it is not behind the queue
  sc_core::sc_port<SharedBanks> shared_banks;
  sc_core::sc_port<AddressedMemory> global_memory;
  sc_core::sc_port<ConstantSource> constant_memory;
  MioQueue& mio_queue() { return mio_queue_; }
  RegisterFile& register_file() { return register_file_; }
  const MioQueue& mio_queue() const { return mio_queue_; }
  const RegisterFile& register_file() const { return register_file_; }
  const MathPipes& math() const { return math_; }

  // Free resources.
  bool is_open(Resource resource, Cycle now) const;
  /// The bits of the resources among these that are not free.
  uint32_t closed(uint32_t resources, Cycle now) const;
  bool takes(Resource resource, Cycle now) const {
    return frozen_until_ <= now && is_open(resource, now);
  }
  /// First cycle from `now` on in which the resource is free, kNever if it is not known.
  Cycle free_from(Resource resource, Cycle now) const;

  /// Call it after the issues of `now`. Returns the cycles after `now` in which issue is frozen,
  /// for late operands of the previous instruction or for a result that waits for its port.
  [[gnu::always_inline]] Cycle end_cycle(Cycle now) {
    if (frozen_until_ > now) return 0;
    Cycle cycles = register_file_.end_cycle(now);
    if (write_port_.stops()) cycles = std::max(cycles, write_port_.stop_cycles(now));
    if (cycles == 0) return 0;
    freeze(now, cycles);
    mio_queue_.stop(now, cycles);
    return cycles;
  }
  /// First cycle after `now` in which end_cycle() must be called; kNever if there is none.
  Cycle next_end(Cycle now) const {
    const Cycle next = std::max(now + 1, frozen_until_);
    const Cycle late = register_file_.next_stop(next);
    return write_port_.stops() ? std::min(late, std::max(next, write_port_.stop())) : late;
  }

  /// Issues the warp's next instruction. Returns the cycles after `now` in which issue is frozen.
  Cycle start(unsigned slot, const Warps::Warp& warp, Cycle now);
  /// The same for an instruction with IssueRecord::is_plain, which never freezes issue.
  void start_plain(unsigned slot, const Warps::Warp& warp, Cycle now);

  // Reports of the units.
  void sources_read(const MioRequest& request, Cycle cycle) {
    dependence_.sources_read(request.slot, *request.facts, cycle);
  }
  /// Returns the first cycle in which the report matters beside what waits for the result.
  Cycle completed(const MioRequest& request, const MioCompletion& completion);

  /// First cycle in which it is known whether a result's write port is free, or its data are there.
  Cycle due() const { return due_; }
  void write_results(Cycle now);

  /// Adds figures that need not be counted to the statistics: the latency of math instructions.
  void collect() const;

 private:
  std::vector<IssueRecord> make_records(const std::vector<Facts>& facts, const Fetch& fetch) const;
  RegisterFile::Read take_pipe(unsigned slot, const Warps::Warp& warp, Cycle now);
  Cycle start_math(unsigned slot, const Warps::Warp& warp, Cycle now);
  void start_nothing(unsigned slot, Cycle now);
  void send_to_mio(unsigned slot, Cycle now);
  void freeze(Cycle now, Cycle cycles);
  /// True if the next instruction of this warp could issue one cycle after the previous one, and
  /// does not see results of that cycle.
  bool is_seen_late(unsigned slot, Cycle now) const {
    return params_.register_file.late_result != 0 && issued_ + 1 == now && issued_slot_ == slot;
  }
  Cycle finish(const MioRequest& request, const MioCompletion& completion);

  const Params params_;
  Dependence& dependence_;
  Warps& warps_;
  RegisterFile register_file_;
  MathPipes math_;
  GroupProducts group_products_;
  MioQueue mio_queue_;
  WritePort write_port_;
  AwaitedResults awaited_;
  Cycle due_ = kNever;  ///< first cycle in which one of write_port_ and awaited_ has to decide
  const std::vector<IssueRecord>& records_;
  Cycle issued_ = kNever;     ///< cycle of the last issue...
  unsigned issued_slot_ = 0;  ///< ...and its warp
  Cycle frozen_until_ = 0;
  std::array<Cycle, kMostSlots> fed_{};  ///< issue of the last source of a 64-bit product, by warp
};

// These functions are called in every cycle or for every issue.

inline bool Dispatch::is_open(Resource resource, Cycle now) const {
  if (is_math(resource)) return math_.is_free(static_cast<isa::Pipe>(resource), now);
  if (resource == Resource::kSpecial)
    return special_function->free_from(params_.sub_partition, now) <= now;
  return (mio_queue_.full(now) & resource_bit(resource)) == 0;
}

inline uint32_t Dispatch::closed(uint32_t resources, Cycle now) const {
  constexpr uint32_t kMath = resource_bit(Resource::kSpecial) - 1;
  uint32_t closed = 0;
  for_each_slot(resources & kMath, [&](unsigned each) {
    if (!math_.is_free(static_cast<isa::Pipe>(each), now)) closed |= 1u << each;
  });
  if ((resources & ~kMath) == 0) return closed;
  if ((resources & resource_bit(Resource::kSpecial)) != 0 && !is_open(Resource::kSpecial, now))
    closed |= resource_bit(Resource::kSpecial);
  return closed | (resources & mio_queue_.full(now));
}

inline Cycle Dispatch::free_from(Resource resource, Cycle now) const {
  if (is_math(resource)) return math_.free_from(static_cast<isa::Pipe>(resource), now);
  if (resource == Resource::kSpecial)
    return special_function->free_from(params_.sub_partition, now);
  return std::max(mio_queue_.room_from(), now);
}

/// Starts a product. A matrix product holds its pipe for its own number of cycles. A 64-bit product
/// freezes issue for the returned cycles: longer if a source was written shortly before, at `fed`.
uint32_t start_product(const IssueRecord& record, const MathParams& params, MathPipes* math,
                       Cycle* fed, Cycle now);

/// Starts a product of a group of warps. Returns when its result is there. `heads` is told when the
/// matrix units read shared memory, and the warp's next product waits for room in their queue;
/// nullptr for the group's other warps, for which the first one does both.
Cycle start_group_product(const isa::GroupProduct& product, GroupProducts* products,
                          MathPipes* math, MioHeads* heads, Cycle now);

/// Delays the operation that has just started: a product of a group of warps uses registers, too.
void share_registers(Resource resource, GroupProducts* products, MathPipes* math);

/// The cycle in which an instruction takes effect that issues at `now`: a read of the clock later
/// if late operands stop issue after it.
inline Cycle effect_of(const IssueRecord& record, RegisterFile& registers, Cycle now) {
  return record.is_late_clock ? now + registers.end_cycle(now) : now;
}

/// Reports the issue of a noted instruction to the observer, and the time `clock` of a clock read.
void note_issue(const Warps& warps, unsigned slot, Cycle now, Cycle clock);

[[gnu::always_inline]] inline Cycle Dispatch::start(unsigned slot, const Warps::Warp& warp,
                                                    Cycle now) {
  const IssueRecord& record = *warp.record;
  warp.count_issue();
  issued_ = now;
  issued_slot_ = slot;
  if (record.is_noted) note_issue(warps_, slot, now, effect_of(record, register_file_, now));
  if (record.dependence.issue) dependence_.issued(slot, *record.facts, now);
  if (is_math(record.resource)) return start_math(slot, warp, now);
  if (record.resource != Resource::kNothing || record.passes_queue)
    send_to_mio(slot, now);
  else
    start_nothing(slot, now);
  return 0;
}

[[gnu::always_inline]] inline void Dispatch::start_plain(unsigned slot, const Warps::Warp& warp,
                                                         Cycle now) {
  warp.count_issue();
  issued_ = now;
  issued_slot_ = slot;
  if (warp.record->dependence.issue) dependence_.issued(slot, *warp.record->facts, now);
  take_pipe(slot, warp, now);
}

/// Reads the operands of a math instruction and takes its pipe.
[[gnu::always_inline]] inline RegisterFile::Read Dispatch::take_pipe(unsigned slot,
                                                                     const Warps::Warp& warp,
                                                                     Cycle now) {
  const IssueRecord& record = *warp.record;
  const RegisterFile::Read read =
      register_file_.read(*record.facts, record.reads, slot, warp.index, now);
  math_.start(static_cast<isa::Pipe>(record.resource), now);
  if (group_products_.is_busy(now)) share_registers(record.resource, &group_products_, &math_);
  if (record.writes != 0) write_port_.issued(record.writes, now);
  return read;
}

[[gnu::always_inline]] inline Cycle Dispatch::start_math(unsigned slot, const Warps::Warp& warp,
                                                         Cycle now) {
  const IssueRecord& record = *warp.record;
  const Facts& facts = *record.facts;
  const RegisterFile::Read read = take_pipe(slot, warp, now);
  uint32_t frozen = 0;
  Cycle result = now + record.latency;
  if (record.product != 0) {
    if ((record.product & kMatrices) != 0) {
      read_product(facts, params_.register_file, now, &register_file_);
      write_port_.product_issued(facts, now);
    }
    frozen = start_product(record, params_.math, &math_, &fed_[slot], now);
    if ((record.product & kOfGroup) != 0)
      result = start_group_product(
          facts.group_product, &group_products_, &math_,
          params_.sub_partition == 0 ? mio_queue_.arbiter.operator->() : nullptr, now);
  }
  if (frozen != 0) freeze(now, frozen);
  if (record.dependence.results) {
    dependence_.sources_read(slot, facts, read.done);
    dependence_.result_ready(slot, facts, result);
  }
  return frozen;
}

}  // namespace shflsim::model
