// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "model/core/awaited_fill.h"
#include "model/core/cycle.h"
#include "model/core/facts.h"
#include "traces/trace.h"

namespace shflsim::model {

/// One warp instruction in the memory-I/O part of the SM.
struct MioRequest {
  const Facts* facts = nullptr;
  /// Shuffle: lane map, into Trace::maps(), or Step::kNone. Global memory: what AddressedMemory
  /// returned. LDC: cycles from its issue until its words are available. ATOMS: most lanes on one
  /// word. Special functions: additional cycles. kNone if the trace has no addresses.
  uint32_t payload = kNone;
  uint32_t wavefronts = 1;    ///< shared memory; MATCH, LDC: different values, addresses of lanes
  uint32_t static_index = 0;  ///< into the kernel's code
  uint32_t slot = 0;          ///< warp slot of its sub-partition
  Cycle issued = 0;
  Cycle late = 0;         ///< cycles for which issue stopped before it came to the operand reader
  bool was_held = false;  ///< a barrier held it until it issued
  bool has_lanes = true;  ///< some lane executes it

  bool is_global_store() const { return facts->is_store && facts->pipe == isa::Pipe::kGlobal; }

  static constexpr uint32_t kNone = 0xFFFFFFFFu;
};

/// When the unit is done with a request. This is known at the start, because a unit's timing
/// depends only on the request and on earlier requests; but for data from the DRAM, which later
/// writes may delay.
struct MioCompletion {
  Cycle result = 0;    ///< instructions that issue from this cycle on may use the result...
  Cycle later = 0;     ///< ...and its predicate, so many cycles later
  AwaitedFill fill{};  ///< the result arrives with these data, or later
  uint32_t beats = 1;  ///< cycles in which the result is written, the last one in `result`
};

/// A result that arrives in this cycle, and its predicate with it.
inline MioCompletion done_at(Cycle cycle) {
  MioCompletion completion;
  completion.result = cycle;
  return completion;
}

/// The head of a queue, as the arbiter sees it; valid until it is popped.
struct MioHead {
  const MioRequest* request = nullptr;  ///< nullptr: the queue is empty
  Cycle ready = 0;                      ///< cycle from which on its operands are collected
};

/// The queue of a sub-partition, for the arbiter.
class MioSource : public virtual sc_core::sc_interface {
 public:
  /// Removes the head; returns the next one.
  virtual MioHead pop(Cycle now) = 0;
};

/// The arbiter, for the queues.
class MioHeads : public virtual sc_core::sc_interface {
 public:
  /// The sub-partition's queue, which was empty, has a head since `now`.
  virtual void head_came(unsigned sub_partition, const MioHead& head, Cycle now) = 0;
  /// A request that does not wait in the queue issues at `now`; only if all units share one pipe.
  virtual void came_apart(unsigned sub_partition, const MioRequest& request, Cycle now) = 0;
  /// Issue stops for this number of cycles after `now`.
  virtual void stop(unsigned /*sub_partition*/, Cycle /*now*/, Cycle /*cycles*/) {}
  /// A product of a warp group reads shared memory from `begin` to `end`.
  virtual void product_reads(Cycle /*begin*/, Cycle /*end*/) {}
};

/// A unit behind the MIO queues, for the arbiter.
class MioUnit : public virtual sc_core::sc_interface {
 public:
  /// First cycle from `now` on in which the unit accepts a request of this sub-partition.
  virtual Cycle free_from(unsigned sub_partition, Cycle now) const = 0;
  /// Where that cycle is kept if it depends on nothing else; else nullptr.
  virtual const Cycle* kept_free(unsigned /*sub_partition*/) const { return nullptr; }
  /// The same for this request, if all units share one pipe.
  virtual Cycle free_for(const MioRequest& /*request*/, unsigned sub_partition, Cycle now) const {
    return free_from(sub_partition, now);
  }
  virtual MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) = 0;
  /// If all units share one pipe: the number of beats of the request, and the cycles for which the
  /// beat granted at `now` holds the pipe.
  virtual uint32_t beats(const MioRequest& /*request*/) { return 1; }
  virtual uint32_t hold(const MioRequest& /*request*/, Cycle /*now*/) { return 1; }
  /// The last beat of the request is granted at `now`: the cycle from which on the unit has room
  /// for its data. The pipe waits for that.
  virtual Cycle make_room(const MioRequest& /*request*/, Cycle now) { return now; }
  /// The passes that the request takes behind the pipe when its beat is granted; 0: it takes its
  /// beats of the pipe instead.
  virtual uint32_t passes(const MioRequest& /*request*/) { return 0; }
  /// The passes that the request takes as a load from global memory; 0: it takes none.
  virtual uint32_t load_passes(const MioRequest& /*request*/) { return 0; }
  /// A request of the sub-partition has issued, and will start when its operands are read.
  virtual void announce(unsigned /*sub_partition*/) {}
  /// First cycle in which the operands of the sub-partition's next such request may be read.
  virtual Cycle operands_from(unsigned /*sub_partition*/) const { return 0; }
  /// When the sources of the sub-partition's operation that started last are released, if it keeps
  /// them; else 0.
  virtual Cycle released(unsigned /*sub_partition*/) const { return 0; }
  /// What the unit does for the sub-partition takes a cycle more.
  virtual void stand_still(unsigned /*sub_partition*/) {}
  /// A beat of the sub-partition's request was granted, which was not the last one.
  virtual void took_beat(unsigned /*sub_partition*/) {}
};

/// The banks of shared memory, which compute the passes of an access. Called at issue, while the
/// trace's addresses are available.
class SharedBanks : public virtual sc_core::sc_interface {
 public:
  /// `loads`: lanes of a load may share what they read.
  virtual uint32_t wavefronts(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                              uint32_t bytes, bool loads) const = 0;
  /// The lanes of an atomic that take turns: of each part of 32 words of the warp, the greatest
  /// number of lanes on one address, or one lane if an atomic `spins`; 0 without lanes.
  virtual uint32_t turns(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                         uint32_t bytes, bool spins) const = 0;
};

/// Global memory, for issuing instructions: it receives the addresses of an access at issue, and
/// keeps the coalesced access until it starts.
class AddressedMemory : public virtual sc_core::sc_interface {
 public:
  /// Returns the value for MioRequest::payload. `warp`: SM slot of the warp.
  virtual uint32_t expect(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                          const Facts& facts, unsigned warp) = 0;
  /// Empties the L1.
  virtual void drop_lines() = 0;
  /// Cycles that a fence which issues at `now` takes beyond one without earlier accesses.
  virtual Cycle fence(Cycle now) = 0;
  /// Cycles by which the data arrive later than expected at their request.
  virtual Cycle lateness(const AwaitedFill& fill, Cycle now) = 0;
};

/// A sub-partition, for the units that report on its requests.
class MioReturn : public virtual sc_core::sc_interface {
 public:
  virtual void sources_read(const MioRequest& request, Cycle cycle) = 0;
  virtual void completed(const MioRequest& request, const MioCompletion& completion) = 0;
  /// The queue has room for one more request.
  virtual void left_queue() = 0;
};

}  // namespace shflsim::model
