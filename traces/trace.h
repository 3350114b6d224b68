// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isa/code/code.h"
#include "isa/lanes/lane_map.h"
#include "isa/machine/launch_events.h"

namespace shflsim::isa {
class BitActivity;
}

namespace shflsim::traces {

/// One warp instruction that was executed.
struct Step {
  uint32_t index = 0;       ///< into Code::lines
  isa::LaneMask lanes = 0;  ///< lanes that execute: active and not guarded off; may be none
  /// SHFL: into Trace::lane_maps; memory, MATCH, and BAR and WARPSYNC with registers: into
  /// WarpTrace::addresses.
  uint32_t payload = kNone;

  static constexpr uint32_t kNone = 0xFFFFFFFFu;
  /// Payload of a step that takes effect when it is issued: `lanes` are those that will execute it,
  /// and its payload is known then.
  static constexpr uint32_t kPending = 0xFFFFFFFEu;
};

/// Byte addresses of one memory instruction, one a lane, or of a BAR isa::packed_barrier(), of
/// MATCH and WARPSYNC the values of its register; only those of `Step::lanes` count.
using LaneAddresses = std::array<uint64_t, isa::kLanes>;

/// What one warp executed, in order.
struct WarpTrace {
  uint32_t block = 0;  ///< linear thread-block index in the grid
  uint32_t warp = 0;   ///< warp of the block
  uint64_t start = 0;  ///< cycles from its block's start until it may issue
  std::vector<Step> steps;
  std::vector<LaneAddresses> addresses;
};

/// Hands out one warp's steps part by part, so that a long trace need not be in memory.
class StepCursor {
 public:
  virtual ~StepCursor() = default;
  /// Replaces steps and addresses of `part` by the warp's next ones; false if there are none.
  virtual bool advance(WarpTrace* part) = 0;
  /// The last step of `part`, which is pending, is issued in cycle `now`: it takes effect and is
  /// replaced by what was executed. False if the warp has to wait for others; its step may
  /// be another one then.
  virtual bool perform(uint64_t /*now*/, WarpTrace* /*part*/) { return true; }
  /// Whether the warp waits until RunEvents::released() names it.
  virtual bool is_held() const { return false; }
};

/// Where a warp is resident.
struct WarpPlace {
  uint32_t sm = 0;
  uint32_t slot = 0;  ///< warp slot of the SM
};

/// What a launch that is executed while it is timed tells the model. Warps are indices into
/// Trace::warps.
class RunEvents {
 public:
  virtual ~RunEvents() = default;
  /// A copy begins with the step that this warp performs; the model says when it is over
  /// (StepSource::end_copy).
  virtual void copy_began(size_t warp, const isa::BulkCopy& copy, uint64_t now) = 0;
  /// A warp that was held goes on.
  virtual void released(size_t warp, uint64_t now) = 0;
};

/// Where the steps of a trace are when they are not in memory.
class StepSource {
 public:
  virtual ~StepSource() = default;
  /// `warp` is an index into Trace::warps. Throws InputError if the steps cannot be read.
  virtual std::unique_ptr<StepCursor> open(size_t warp) const = 0;
  /// Opens the steps of a warp that becomes resident in a run of the model.
  virtual std::unique_ptr<StepCursor> open_at(size_t warp, const WarpPlace& /*place*/) const {
    return open(warp);
  }
  /// Whether it tells RunEvents what the steps do with copies, barriers in shared memory and
  /// clusters. Where it does not, but the steps say it, ReplayedLaunch tells it.
  virtual bool tells_events() const { return false; }
  /// A run of the model begins, on SMs with this clock. Steps that are executed while they are
  /// timed start anew. `asks_bits`: bit_activity() will be asked for.
  virtual void begin_run(uint32_t /*clock_mhz*/, RunEvents* /*events*/ = nullptr,
                         bool /*asks_bits*/ = false) const {}
  virtual void end_copy(const isa::BulkCopy& /*copy*/, uint64_t /*now*/) const {}
  /// A held warp has waited for as long as hardware does.
  virtual void give_up(size_t /*warp*/, uint64_t /*now*/) const {}
  /// False where there can be no second run.
  virtual bool is_repeatable() const { return true; }
  /// The run has come to a standstill. Throws InputError if the execution is the reason.
  virtual void explain_standstill() const {}
  /// How many bits of the values toggled in the last run; nullptr if that is not known.
  virtual const isa::BitActivity* bit_activity() const { return nullptr; }
  /// Lane maps of the steps handed out so far; grows with them.
  virtual const std::vector<isa::LaneMap>& lane_maps() const = 0;
};

/// A use of an undefined value that can be seen from outside.
struct Finding {
  uint32_t index = 0;  ///< into Code::lines
  uint32_t block = 0;
  uint32_t warp = 0;
  isa::LaneMask lanes = 0;  ///< lanes concerned
  std::string what;         ///< "stores an undefined value", "branches on an undefined predicate"
};

/// What a finding says first of a SHFL whose lanes the trace does not say.
constexpr const char* kGuessedLanes = "has lanes that the trace does not say";

/// One kernel launch as it was executed: what the model times. It does not show whether it came
/// from a functional run or a trace file.
struct Trace {
  isa::Code code;
  uint32_t blocks = 1;
  uint32_t threads_per_block = 32;
  uint32_t shared_bytes = 0;            ///< a block's shared memory, in bytes
  std::vector<WarpTrace> warps;         ///< block by block, warp by warp
  std::vector<isa::LaneMap> lane_maps;  ///< each distinct one once
  std::vector<Finding> findings;
  bool is_cooperative = false;  ///< all blocks have to be resident at the same time
  /// Blocks of a cluster, which are resident at the same time, and all blocks, cluster by cluster;
  /// empty if each block is alone.
  uint32_t cluster_blocks = 1;
  std::vector<uint32_t> by_cluster;
  /// If set, it has the steps and lane maps, and those of `warps` and `lane_maps` are empty. Read
  /// steps with WarpReader (traces/warp_reader.h), which handles both cases.
  std::shared_ptr<const StepSource> source;

  const std::vector<isa::LaneMap>& maps() const {
    return source == nullptr ? lane_maps : source->lane_maps();
  }
  uint32_t warps_per_block() const { return (threads_per_block + isa::kLanes - 1) / isa::kLanes; }
};

}  // namespace shflsim::traces
