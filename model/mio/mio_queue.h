// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/core/resource.h"
#include "model/core/unit.h"
#include "model/mio/mio_params.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// The queue of one sub-partition before the shared units: first in, first out. The head collects
/// its operands and then requests its unit; the queue is busy while the head collects. With a
/// shared pipe, the arbiter collects the operands.
class MioQueue : public Unit, public MioSource {
 public:
  MioQueue(const sc_core::sc_module_name& name, const MioParams& params, unsigned sub_partition);

  const char* kind() const override { return "MioQueue"; }
  const char* hardware() const override { return "instruction queue to the SM's shared units"; }
  const char* section() const override { return "mio"; }

  sc_core::sc_port<MioHeads> arbiter;  ///< notified of each head of a queue that was empty

  /// The bits of kQueue and kGlobalQueue for which there is no room.
  uint32_t full(Cycle now) const {
    constexpr uint32_t kGlobal = resource_bit(Resource::kGlobalQueue);
    if (room_from_ > now) return kGlobal | resource_bit(Resource::kQueue);
    return global_ >= params_.global_depth ? kGlobal : 0;
  }
  /// First cycle in which the queue has room; kNever if none is known.
  Cycle room_from() const { return room_from_; }
  void push(const MioRequest& request, Cycle now);
  /// Passes the queue.
  void pass(const MioRequest& request, Cycle now) {
    has_passed_ = true;
    arbiter->came_apart(sub_partition_, request, now);
  }
  /// Issue stops for this number of cycles after `now`, because operands are late.
  void stop(Cycle now, Cycle cycles) {
    if (params_.stops != 0 && (size_ != 0 || has_passed_)) delay(now, cycles);
  }
  MioHead pop(Cycle now) override;
  /// Shortest time from an instruction's issue to the release of its read scoreboard.
  Cycle shortest_read() const {
    return params_.issue_latency + params_.collect_operand + params_.read_release;
  }
  /// Shortest time from an instruction's issue to the read of its first register.
  Cycle first_port() const {
    return params_.issue_latency + params_.collect_operand + params_.port;
  }

 private:
  void delay(Cycle now, Cycle cycles);
  MioHead collect(Cycle now);
  /// A place in ring_, this number of places after the head.
  uint32_t place(uint32_t behind) const {
    const uint32_t at = first_ + behind;
    return at < params_.queue_depth ? at : at - params_.queue_depth;
  }
  uint64_t held_from(Cycle end) const override { return cycles_behind(end, head_ready_); }

  const MioParams params_;
  const unsigned sub_partition_;
  const bool collects_;
  std::vector<MioRequest> ring_;
  std::vector<Cycle> free_from_;  ///< first cycle in which each place of ring_ is free
  uint32_t first_ = 0;
  uint32_t size_ = 0;
  uint32_t global_ = 0;
  Cycle room_from_ = 0;
  Cycle head_ready_ = 0;
  bool has_passed_ = false;  ///< something has passed the queue
};

}  // namespace shflsim::model
