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
  bool is_second = false;  ///< issued in the same cycle as the previous instruction
  uint32_t payload = 0;    ///< traces::Step::payload; for a SHFL its lane map
};

/// The stages of an instruction that goes to a shared unit, in order.
enum class Stage : uint8_t {
  kQueue,     ///< in the MIO queue of its sub-partition
  kOperands,  ///< at the queue's head, collecting its operands
  kReady,     ///< operands collected, waiting for the unit
  kUnit,      ///< in the unit
};

/// Receives the events of a run that it asks for, during the run. The cycle of an event may be
/// later than the call, because a unit knows at the start when it will be done. The result of the
/// run does not depend on its observers.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// False: sampled(), stood() and the functions after them are not called, which makes the run
  /// faster; and SMs may run ahead of each other, so their events come in the order of cycles for
  /// each SM only, and from several threads at a time.
  virtual bool follows_instructions() const { return true; }

  /// Called after the run's SystemC modules were created. SystemC objects made here belong to the
  /// same simulation, in which a cycle is a nanosecond. The returned object lives until the
  /// simulation ends. `result` has the machine but no events yet.
  virtual std::shared_ptr<void> elaborate(const traces::Trace& /*trace*/,
                                          const RunResult& /*result*/) {
    return nullptr;
  }

  /// The cycle of the next call of sampled(); kNever for none.
  virtual Cycle next_sample() const { return kNever; }
  /// What the units did before cycle `end`, which was next_sample(). next_sample() is called again
  /// afterwards.
  virtual void sampled(Cycle /*end*/, const std::vector<UnitStats>& /*units*/) {}
  /// The run has reached this cycle; called every few hundred or thousand cycles.
  virtual void reached(Cycle /*now*/) {}
  virtual void block_started(uint32_t /*block*/, uint32_t /*sm*/, Cycle /*now*/) {}
  virtual void block_left(uint32_t /*block*/, uint32_t /*sm*/, Cycle /*now*/) {}
  virtual void warp_started(const ResidentWarp& /*warp*/, Cycle /*now*/) {}
  virtual void warp_left(const ResidentWarp& /*warp*/, Cycle /*now*/) {}

  /// The warp was in this state from `from` to before `to`, with line `index` of the code next to
  /// issue. The intervals have no gaps from the warp's start to its end.
  virtual void stood(const ResidentWarp& /*warp*/, uint32_t /*index*/, WarpState /*state*/,
                     Cycle /*from*/, Cycle /*to*/) {}
  virtual void issued(const ResidentWarp& /*warp*/, const Issue& /*issue*/) {}
  virtual void entered(InstructionId /*id*/, Stage /*stage*/, Cycle /*from*/) {}
  /// The instruction has left the queue of its sub-partition, so that another one has room.
  virtual void left_queue(InstructionId /*id*/, Cycle /*now*/) {}
  /// Instructions that issue from cycle `cycle` on may overwrite its sources.
  virtual void sources_read(InstructionId /*id*/, Cycle /*cycle*/) {}
  /// Shuffle, shared memory: the unit moves lanes `count` times, first in this cycle and then every
  /// `interval` cycles.
  virtual void passes(InstructionId /*id*/, Cycle /*first*/, uint32_t /*count*/,
                      uint32_t /*interval*/) {}
  /// The result is known to be ready: instructions that issue from cycle `result` on may use it.
  virtual void done(InstructionId /*id*/, Cycle /*result*/) {}
};

}  // namespace shflsim::model
