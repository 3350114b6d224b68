// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/core/resource.h"
#include "model/core/unit.h"
#include "model/mio/mio_params.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// Queue of one sub-partition in front of the shared units: first in, first out; the head collects
/// its operands and then asks for its unit. It is busy while it collects; in front of a shared pipe
/// the arbiter does that.
class MioQueue : public Unit, public MioSource {
 public:
  MioQueue(const sc_core::sc_module_name& name, const MioParams& params, unsigned sub_partition);

  const char* kind() const override { return "MioQueue"; }
  const char* hardware() const override { return "instruction queue to the SM's shared units"; }
  const char* section() const override { return "mio"; }

  sc_core::sc_port<MioHeads> arbiter;  ///< hears of each head that comes into the empty queue

  /// Of the resources kQueue and kGlobalQueue, a bit each, those without room.
  uint32_t full() const { return full_; }
  void push(const MioRequest& request, Cycle now);
  MioHead pop(Cycle now) override;
  /// Issue to the release of the read scoreboard of an instruction that waits for nothing else.
  Cycle shortest_read() const {
    return params_.issue_latency + params_.collect_operand + params_.read_release;
  }

 private:
  MioHead collect(Cycle now);
  void note_room() {
    constexpr uint32_t kGlobal = resource_bit(Resource::kGlobalQueue);
    full_ = size_ == params_.queue_depth      ? kGlobal | resource_bit(Resource::kQueue)
            : global_ >= params_.global_depth ? kGlobal
                                              : 0;
  }
  uint64_t held_from(Cycle end) const override { return cycles_behind(end, head_ready_); }

  const MioParams params_;
  const unsigned sub_partition_;
  const bool collects_;
  std::vector<MioRequest> ring_;
  uint32_t first_ = 0;
  uint32_t size_ = 0;
  uint32_t global_ = 0;
  uint32_t full_ = 0;
  Cycle head_ready_ = 0;
};

}  // namespace shflsim::model
