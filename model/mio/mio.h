// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "model/core/cycle.h"
#include "model/core/facts.h"
#include "model/core/parameter.h"
#include "model/core/stats.h"
#include "model/register_file/register_file.h"
#include "traces/trace.h"

namespace shflsim::model {

/// One warp instruction on its way through the memory-I/O part of the SM.
struct MioRequest {
  const Facts* facts = nullptr;
  uint32_t lane_map = 0;      ///< shuffle: into Trace::maps(), or Step::kNone
  uint32_t wavefronts = 1;    ///< shared memory
  uint32_t static_index = 0;  ///< into Program::code
  uint32_t slot = 0;          ///< warp slot of its sub-partition
  Cycle issued = 0;
};

/// When the unit that took a request is done with it. Known at the start, as a unit's timing
/// depends on what it did before and on the request alone.
struct MioCompletion {
  Cycle started = 0;    ///< last cycle in which the unit took something in
  Cycle result = 0;     ///< the result may be used by an instruction that issues in this cycle
  uint32_t passes = 0;  ///< shuffle: network passes
  uint32_t port_conflicts = 0;   ///< shuffle: lanes that waited, summed over passes
  uint32_t undefined_reads = 0;  ///< shuffle: lanes that read a lane not executing
  uint32_t wavefronts = 0;       ///< shared memory
};

/// A unit behind the MIO queues, seen from the arbiter.
class MioUnit : public virtual sc_core::sc_interface {
 public:
  /// First cycle from `now` on in which the unit takes a request of this sub-partition.
  virtual Cycle free_from(unsigned sub_partition, Cycle now) const = 0;
  virtual MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) = 0;
  /// Where all units share one pipe: slots of it that the request takes, and cycles that the one
  /// granted at `now` holds it.
  virtual uint32_t beats(const MioRequest& /*request*/) { return 1; }
  virtual uint32_t hold(const MioRequest& /*request*/, Cycle /*now*/) { return 1; }
};

/// The banks of shared memory, which know how often an access has to go to them. Asked at the
/// issue, while the trace has the addresses at hand.
class SharedBanks : public virtual sc_core::sc_interface {
 public:
  virtual uint32_t wavefronts(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                              uint32_t bytes) const = 0;
};

/// A sub-partition, seen from the units: what it hears of its requests.
class MioReturn : public virtual sc_core::sc_interface {
 public:
  virtual void sources_read(const MioRequest& request, Cycle cycle) = 0;
  virtual void completed(const MioRequest& request, const MioCompletion& completion) = 0;
  /// The queue has room for one more.
  virtual void left_queue() = 0;
};

struct MioParams {
  uint32_t queue_depth = 0;
  uint32_t global_depth = 0;
  uint32_t issue_latency = 0;
  uint32_t collect_base = 0;
  uint32_t collect_operand = 0;
  uint32_t read_release = 0;
  uint32_t global_release = 0;
  std::string arbitration;  ///< "per_unit" or "shared_pipe"
  uint32_t port_wait = 0;
  uint32_t beat_interval = 0;
  uint32_t split_operands = 0;
  uint32_t buffer_operands = 0;

  void list(ParameterList& out) {
    out.number("mio.queue_depth", &queue_depth, 1, 256, "entries",
               "instructions that a sub-partition's queue holds");
    out.number("mio.global_depth", &global_depth, 1, 256, "entries",
               "of these, global-memory instructions at most");
    out.number("mio.issue_latency", &issue_latency, 0, 64, "cycles",
               "issue to the head of an empty queue");
    out.number("mio.collect_base", &collect_base, 0, 64, "cycles",
               "collecting an instruction's operands: fixed part");
    out.number("mio.collect_operand", &collect_operand, 0, 64, "cycles",
               "collecting an instruction's operands: for each register operand");
    out.number("mio.read_release", &read_release, 0, 64, "cycles",
               "operands collected to the release of the read scoreboard");
    out.number("mio.global_release", &global_release, 0, 64, "cycles",
               "shared pipe: a global-memory instruction's slot to that release");
    out.choice("mio.arbitration", &arbitration, {"per_unit", "shared_pipe"},
               "the units are granted each by itself, or one pipe leads to all of them");
    out.number("mio.port_wait", &port_wait, 0, 64, "cycles",
               "shared pipe: an operand waits so long for a bank that math instructions read");
    out.number("mio.beat_interval", &beat_interval, 1, 64, "cycles",
               "shared pipe: from one slot of a sub-partition to its next");
    out.number("mio.split_operands", &split_operands, 0, 8, "operands",
               "shared pipe: a SHFL with so many register operands takes one slot more; 0: none");
    out.number("mio.buffer_operands", &buffer_operands, 0, 64, "registers",
               "shared pipe: shared memory's operands that wait while the next ones are read");
  }
};

class MioArbiter;

/// Queue of one sub-partition in front of the shared units: first in, first out; the head collects
/// its operands and then asks for its unit.
class MioQueue : public sc_core::sc_module {
 public:
  MioQueue(const sc_core::sc_module_name& name, const MioParams& params);

  /// The arbiter hears of each new head that comes into the empty queue.
  void connect(MioArbiter& arbiter, unsigned sub_partition) {
    arbiter_ = &arbiter;
    sub_partition_ = sub_partition;
  }
  bool has_room() const { return size_ != params_.queue_depth; }
  bool has_room_for_global() const { return has_room() && global_ < params_.global_depth; }
  void push(const MioRequest& request, Cycle now);
  bool empty() const { return size_ == 0; }
  const MioRequest& head() const { return ring_[first_]; }
  /// Cycle from which the head has its operands.
  Cycle head_ready() const { return head_ready_; }
  void pop(Cycle now);
  Cycle read_release() const { return params_.read_release; }
  /// Issue to the release of the read scoreboard of an instruction that waits for nothing else.
  Cycle shortest_read() const {
    return params_.issue_latency + params_.collect_operand + params_.read_release;
  }
  uint64_t operations() const { return operations_; }
  uint64_t busy() const { return busy_; }

 private:
  void collect(Cycle now);

  const MioParams params_;
  MioArbiter* arbiter_ = nullptr;
  unsigned sub_partition_ = 0;
  std::vector<MioRequest> ring_;
  uint32_t first_ = 0;
  uint32_t size_ = 0;
  uint32_t global_ = 0;
  Cycle head_ready_ = 0;
  uint64_t operations_ = 0;
  uint64_t busy_ = 0;
};

/// Takes requests from the queues of the sub-partitions to the units.
class MioArbiter : public sc_core::sc_module {
 public:
  explicit MioArbiter(const sc_core::sc_module_name& name) : sc_module(name) {}

  using UnitPort = sc_core::sc_port<MioUnit, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
  std::array<UnitPort, isa::kPipes> unit;  ///< by isa::Pipe; MIO pipes bound
  std::array<sc_core::sc_port<MioReturn>, kSubPartitions> back;

  void connect(unsigned sub_partition, MioQueue& queue, const RegisterFile& register_file) {
    queues_[sub_partition] = &queue;
    register_files_[sub_partition] = &register_file;
    queue.connect(*this, sub_partition);
  }
  /// First cycle in which something may start.
  Cycle due() const { return due_; }
  /// Starts what can start at `now`; true where anything did.
  bool evaluate(Cycle now) { return due_ > now ? false : serve(now); }
  /// The sub-partition's queue, empty before, has a head since `now`.
  virtual void head_came(unsigned sub_partition, Cycle now) = 0;

 protected:
  /// The same as evaluate() where something is due; says in `due_` what is next.
  virtual bool serve(Cycle now) = 0;

  MioUnit& unit_of(const MioRequest& request) {
    return *unit[static_cast<size_t>(request.facts->pipe)].operator->();
  }
  std::array<MioQueue*, kSubPartitions> queues_{};
  std::array<const RegisterFile*, kSubPartitions> register_files_{};
  Cycle due_ = kNever;
};

/// Grants each unit by itself to the queues' heads, one request a unit and cycle, round robin over
/// the sub-partitions. The head collects its operands in the queue.
class UnitArbiter final : public MioArbiter {
 public:
  explicit UnitArbiter(const sc_core::sc_module_name& name) : MioArbiter(name) {
    head_due_.fill(kNever);
  }
  void head_came(unsigned sub_partition, Cycle now) override;

 private:
  bool serve(Cycle now) override;
  void grant(unsigned sub_partition, Cycle now);
  void note_head(unsigned sub_partition, Cycle now);

  std::array<Cycle, kSubPartitions> head_due_;  ///< a queue's head does not start before
  unsigned first_ = 0;
};

}  // namespace shflsim::model
