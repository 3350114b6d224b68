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

/// One executed warp instruction.
struct Step {
  uint32_t index = 0;       ///< into Code::lines
  isa::LaneMask lanes = 0;  ///< lanes that execute: active, guard true; may be none
  /// For SHFL an index into Trace::lane_maps; for memory, MATCH, and BAR and WARPSYNC with
  /// registers an index into WarpTrace::addresses.
  uint32_t payload = kNone;

  static constexpr uint32_t kNone = 0xFFFFFFFFu;
  /// Payload of a step that takes effect when it issues: `lanes` will execute it, and its payload
  /// is known afterwards.
  static constexpr uint32_t kPending = 0xFFFFFFFEu;
};

/// Byte addresses of one memory instruction by lane; for a BAR isa::packed_barrier(), for MATCH and
/// WARPSYNC the values of its register. Only the lanes of `Step::lanes` matter.
using LaneAddresses = std::array<uint64_t, isa::kLanes>;

/// The steps of one warp, in order.
struct WarpTrace {
  uint32_t block = 0;  ///< linear thread-block index in the grid
  uint32_t warp = 0;   ///< warp of the block
  uint64_t start = 0;  ///< cycles from the start of its block until it may issue
  std::vector<Step> steps;
  std::vector<LaneAddresses> addresses;
};

/// Delivers the steps of one warp in parts, so that a long trace need not be in memory.
class StepCursor {
 public:
  virtual ~StepCursor() = default;
  /// Replaces steps and addresses of `part` by the warp's next ones; false at the end.
  virtual bool advance(WarpTrace* part) = 0;
  /// Issues the last step of `part`, which is pending, in cycle `now`: it takes effect and is
  /// replaced by what was executed. False if the warp has to wait for others; then the step may
  /// have changed.
  virtual bool perform(uint64_t /*now*/, WarpTrace* /*part*/) { return true; }
  /// True if the warp waits until RunEvents::released() names it.
  virtual bool is_held() const { return false; }
};

/// The place where a warp is resident.
struct WarpPlace {
  uint32_t sm = 0;
  uint32_t slot = 0;  ///< warp slot of the SM
  uint32_t maps = 0;  ///< the list of lane maps that its steps refer to (StepSource::maps_of)
};

/// Events that a live launch sends to the model. Warps are indices into Trace::warps. Threads send
/// events of warps on different SMs at the same time.
class RunEvents {
 public:
  virtual ~RunEvents() = default;
  /// A copy begins with the current step of this warp. The model reports its end
  /// (StepSource::end_copy).
  virtual void copy_began(size_t warp, const isa::BulkCopy& copy, uint64_t now) = 0;
  /// A held warp continues.
  virtual void released(size_t warp, uint64_t now) = 0;
  /// The warp's next step may read or change what other blocks see. Returns when all steps of this
  /// kind that the model issues earlier have been executed.
  virtual void will_reach_others(size_t warp, uint64_t now) = 0;
};

/// The source of a trace's steps if they are not in memory.
class StepSource {
 public:
  virtual ~StepSource() = default;
  /// `warp` is an index into Trace::warps. Throws InputError if the steps cannot be read.
  virtual std::unique_ptr<StepCursor> open(size_t warp) const = 0;
  /// Opens the steps of a warp that becomes resident in a run.
  virtual std::unique_ptr<StepCursor> open_at(size_t warp, const WarpPlace& /*place*/) const {
    return open(warp);
  }
  /// True if it sends RunEvents for copies, barriers in shared memory and clusters. If it does not,
  /// but the trace has such steps, ReplayedLaunch sends them.
  virtual bool tells_events() const { return false; }
  /// A run of the model begins, with this clock of the SMs. Steps that are executed while they are
  /// timed start again. `asks_bits`: bit_activity() will be called.
  virtual void begin_run(uint32_t /*clock_mhz*/, RunEvents* /*events*/ = nullptr,
                         bool /*asks_bits*/ = false) const {}
  /// Throws InputError if the run has executed more than it may. Called between cycles.
  virtual void fail_if_endless() const {}
  virtual void end_copy(const isa::BulkCopy& /*copy*/, uint64_t /*now*/) const {}
  /// A held warp has waited as long as hardware does, and gives up.
  virtual void give_up(size_t /*warp*/, uint64_t /*now*/) const {}
  /// False if a second run is impossible.
  virtual bool is_repeatable() const { return true; }
  /// The run does not advance any more. Throws InputError if the execution is the reason.
  virtual void explain_standstill() const {}
  /// Toggled bits of the values in the last run; nullptr if unknown.
  virtual std::shared_ptr<const isa::BitActivity> bit_activity() const { return nullptr; }
  /// Lane maps of the steps delivered so far; the list grows with them.
  virtual const std::vector<isa::LaneMap>& lane_maps() const = 0;
  /// True if several threads may read the steps of warps on different SMs.
  virtual bool is_parallel() const { return false; }
  /// The list with this number, of which there are several if SMs are read by several threads.
  virtual const std::vector<isa::LaneMap>& maps_of(uint32_t /*list*/) const { return lane_maps(); }
};

/// A use of an undefined value that has a visible effect.
struct Finding {
  uint32_t index = 0;  ///< into Code::lines
  uint32_t block = 0;
  uint32_t warp = 0;
  isa::LaneMask lanes = 0;  ///< lanes that do it
  std::string what;         ///< "stores an undefined value", "branches on an undefined predicate"
};

/// The first words of a finding about a SHFL whose lanes are not in the trace.
constexpr const char* kGuessedLanes = "has lanes that the trace does not say";

/// One executed kernel launch, the input of the model. It does not show whether it came from a
/// functional run or a trace file.
struct Trace {
  isa::Code code;
  uint32_t blocks = 1;
  uint32_t threads_per_block = 32;
  uint32_t shared_bytes = 0;            ///< a block's shared memory, in bytes
  std::vector<WarpTrace> warps;         ///< block by block, warp by warp
  std::vector<isa::LaneMap> lane_maps;  ///< distinct maps
  std::vector<Finding> findings;
  bool is_cooperative = false;  ///< all blocks must be resident at the same time
  /// Blocks of a cluster, which are resident at the same time, and the blocks in the order of the
  /// clusters; empty if there are no clusters.
  uint32_t cluster_blocks = 1;
  std::vector<uint32_t> by_cluster;
  /// If set, it has the steps and lane maps, and those of `warps` and `lane_maps` are empty.
  /// WarpReader (traces/warp_reader.h) reads steps in both cases.
  std::shared_ptr<const StepSource> source;

  const std::vector<isa::LaneMap>& maps() const {
    return source == nullptr ? lane_maps : source->lane_maps();
  }
  const std::vector<isa::LaneMap>& maps_of(uint32_t list) const {
    return source == nullptr ? lane_maps : source->maps_of(list);
  }
  uint32_t warps_per_block() const { return (threads_per_block + isa::kLanes - 1) / isa::kLanes; }
};

}  // namespace shflsim::traces
