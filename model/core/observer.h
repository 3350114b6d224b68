// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/lanes/lane_map.h"
#include "model/core/cycle.h"
#include "model/core/stats.h"
#include "model/core/warp_state.h"

namespace shflsim::traces {
struct Trace;
}

namespace shflsim::model {

struct RunResult;

/// A warp, and where it is resident.
struct ResidentWarp {
  uint32_t index = 0;  ///< into Trace::warps and RunResult::warps
  uint32_t block = 0;
  uint32_t warp = 0;  ///< index of the warp in its block
  uint32_t sm = 0;
  uint32_t sub_partition = 0;
  uint32_t slot = 0;
};

/// A warp instruction: the n-th of its warp, from 0. Equal on all machines.
struct InstructionId {
  uint32_t warp = 0;  ///< ResidentWarp::index
  uint32_t number = 0;
};

struct Issue {
  InstructionId id;
  uint32_t index = 0;  ///< into Code::lines
  isa::LaneMask lanes = 0;
  Cycle cycle = 0;
  bool is_second = false;  ///< issued in the same cycle as the instruction before
  uint32_t payload = 0;    ///< traces::Step::payload: of a SHFL its lane map
};

/// The stages of an instruction that goes to a shared unit, in order.
enum class Stage : uint8_t {
  kQueue,     ///< in the MIO queue of its sub-partition
  kOperands,  ///< at the queue's head, collecting its operands
  kReady,     ///< operands collected, waiting for the unit
  kUnit,      ///< in the unit
};

/// Receives the events of a run while it happens, as far as it asks for them. The cycle of an event
/// may lie ahead of the call: a unit knows at the start when it will be done. The result of the run
/// does not depend on its observers.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// False: stood() and what follows it are not called, which a run is faster without.
  virtual bool follows_instructions() const { return true; }

  /// Called when the run's SystemC modules exist. SystemC objects made here belong to the same
  /// simulation, in whose time a cycle is a nanosecond; what is returned lives until it ends.
  /// `result` has the machine, and nothing that has happened.
  virtual std::shared_ptr<void> elaborate(const traces::Trace& /*trace*/,
                                          const RunResult& /*result*/) {
    return nullptr;
  }

  /// When it wants to hear of the units next; kNever: not at all.
  virtual Cycle next_sample() const { return kNever; }
  /// What the units have done before cycle `end`, which is next_sample(). It is asked for another
  /// one behind the call.
  virtual void sampled(Cycle /*end*/, const std::vector<UnitStats>& /*units*/) {}
  /// The run has reached this cycle; called once in a few hundred cycles.
  virtual void reached(Cycle /*now*/) {}
  virtual void block_started(uint32_t /*block*/, uint32_t /*sm*/, Cycle /*now*/) {}
  virtual void block_left(uint32_t /*block*/, uint32_t /*sm*/, Cycle /*now*/) {}
  virtual void warp_started(const ResidentWarp& /*warp*/, Cycle /*now*/) {}
  virtual void warp_left(const ResidentWarp& /*warp*/, Cycle /*now*/) {}

  /// The warp was in this state from `from` to before `to`, with line `index` of the code next to
  /// issue. These intervals have no gap from its start to its end.
  virtual void stood(const ResidentWarp& /*warp*/, uint32_t /*index*/, WarpState /*state*/,
                     Cycle /*from*/, Cycle /*to*/) {}
  virtual void issued(const ResidentWarp& /*warp*/, const Issue& /*issue*/) {}
  virtual void entered(InstructionId /*id*/, Stage /*stage*/, Cycle /*from*/) {}
  /// The queue of its sub-partition has room for another in its place.
  virtual void left_queue(InstructionId /*id*/, Cycle /*now*/) {}
  /// An instruction that issues in cycle `cycle` may write what it reads.
  virtual void sources_read(InstructionId /*id*/, Cycle /*cycle*/) {}
  /// Shuffle, shared memory: its unit moves lanes `count` times, first in this cycle and then every
  /// `interval`.
  virtual void passes(InstructionId /*id*/, Cycle /*first*/, uint32_t /*count*/,
                      uint32_t /*interval*/) {}
  /// Its latency is taken: an instruction that issues in cycle `result` may use what it wrote.
  virtual void done(InstructionId /*id*/, Cycle /*result*/) {}
};

}  // namespace shflsim::model
