// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "model/core/cycle.h"
#include "model/core/facts.h"
#include "traces/trace.h"

namespace shflsim::model {

/// One warp instruction on its way through the memory-I/O part of the SM.
struct MioRequest {
  const Facts* facts = nullptr;
  /// Shuffle: lane map, into Trace::maps(), or Step::kNone. Global memory: what AddressedMemory
  /// returned. LDC: cycles from its issue until its words are available. ATOMS: most lanes on one
  /// word. kNone if the trace has no addresses. Special functions: cycles that they take longer.
  uint32_t payload = kNone;
  uint32_t wavefronts = 1;  ///< shared memory; MATCH, LDC: different values, addresses of the lanes
  uint32_t static_index = 0;  ///< into the kernel's code
  uint32_t slot = 0;          ///< warp slot of its sub-partition
  Cycle issued = 0;

  static constexpr uint32_t kNone = 0xFFFFFFFFu;
};

/// When the unit that took a request is done with it. Known at the start, as a unit's timing
/// depends on what it did before and on the request alone.
struct MioCompletion {
  Cycle result = 0;  ///< the result may be used by an instruction that issues in this cycle
};

/// The head of a queue, as its arbiter sees it; it stays where it is until it is popped.
struct MioHead {
  const MioRequest* request = nullptr;  ///< none: the queue is empty
  Cycle ready = 0;                      ///< cycle from which it has its operands
};

/// The queue of a sub-partition, seen from the arbiter.
class MioSource : public virtual sc_core::sc_interface {
 public:
  /// Takes the head out; returns the next one.
  virtual MioHead pop(Cycle now) = 0;
};

/// The arbiter, seen from the queues.
class MioHeads : public virtual sc_core::sc_interface {
 public:
  /// The sub-partition's queue, empty before, has a head since `now`.
  virtual void head_came(unsigned sub_partition, const MioHead& head, Cycle now) = 0;
};

/// A unit behind the MIO queues, seen from the arbiter.
class MioUnit : public virtual sc_core::sc_interface {
 public:
  /// First cycle from `now` on in which the unit takes a request of this sub-partition.
  virtual Cycle free_from(unsigned sub_partition, Cycle now) const = 0;
  virtual MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) = 0;
  /// If all units share one pipe: the number of beats of the request, and the cycles for which the
  /// beat granted at `now` holds the pipe.
  virtual uint32_t beats(const MioRequest& /*request*/) { return 1; }
  virtual uint32_t hold(const MioRequest& /*request*/, Cycle /*now*/) { return 1; }
  /// A beat of the sub-partition's request has been granted, and it was not the last one.
  virtual void took_beat(unsigned /*sub_partition*/) {}
};

/// The banks of shared memory, which know how many passes an access takes. Asked at issue, while
/// the trace's addresses are available.
class SharedBanks : public virtual sc_core::sc_interface {
 public:
  virtual uint32_t wavefronts(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                              uint32_t bytes) const = 0;
  /// The greatest number of lanes on one address; 0 without lanes.
  virtual uint32_t most_on_one(const traces::LaneAddresses& addresses,
                               isa::LaneMask lanes) const = 0;
};

/// Global memory, seen from where instructions issue: it receives the addresses of an access at
/// issue, and keeps the coalesced access until it starts.
class AddressedMemory : public virtual sc_core::sc_interface {
 public:
  /// What MioRequest::payload has to be. `warp`: the slot of the SM.
  virtual uint32_t expect(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                          const Facts& facts, unsigned warp) = 0;
  /// The L1 is empty from then on.
  virtual void drop_lines() = 0;
  struct Written {
    bool any = false;
    Cycle longer = 0;  ///< that the L2 takes for what the SM has written
  };
  /// What this warp has written since it last asked.
  virtual Written written(unsigned warp, Cycle now) = 0;
};

/// A sub-partition, seen from the units: what it hears of its requests.
class MioReturn : public virtual sc_core::sc_interface {
 public:
  virtual void sources_read(const MioRequest& request, Cycle cycle) = 0;
  virtual void completed(const MioRequest& request, const MioCompletion& completion) = 0;
  /// The queue has room for one more.
  virtual void left_queue() = 0;
};

}  // namespace shflsim::model
