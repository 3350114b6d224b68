// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "model/core/counts.h"
#include "model/core/parameter.h"
#include "model/core/stats.h"
#include "model/core/unit.h"
#include "model/mio/in_order_pipe.h"
#include "model/mio/mio_ports.h"
#include "model/mio/request_watch.h"
#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {

struct ShuffleParams {
  uint32_t latency = 0;
  uint32_t lanes = 0;
  uint32_t shares_pipe = 0;
  uint32_t cluster = 0;
  uint32_t pipelined = 0;
  uint32_t interval = 0;
  uint32_t queue_depth = 0;
  uint32_t predicate_latency = 0;
  uint32_t step = 1;            ///< cycles from a pass to one that uses its values in registers
  uint32_t memory_latency = 0;  ///< cycles of a SHFL through shared memory; 0: `latency`

  void list(ParameterList& out) {
    out.number("shuffle.latency", &latency, 1, 256, "cycles",
               "time from the last pass to the use of the result");
    out.number("shuffle.lanes", &lanes, 1, isa::kLanes, "lanes per cycle",
               "destination lanes that a pass delivers in a cycle");
    out.flag("shuffle.shares_pipe", &shares_pipe,
             "1: the shuffle unit and shared memory take turns on one pipe");
    out.number("shuffle.cluster", &cluster, 1, kSubPartitions, "sub-partitions",
               "sub-partitions that share a shuffle unit")
        .step = Step::kDoubling;
    out.together(
        {"shuffle.shares_pipe", "shuffle.cluster"},
        [this] { return shares_pipe == 0 || cluster == kSubPartitions; },
        "shuffle.cluster = 4 with shuffle.shares_pipe = 1: shared memory has one pipe");
    out.flag("shuffle.pipelined", &pipelined,
             "1: a SHFL may start before the result of the one before it is ready");
    out.number("shuffle.interval", &interval, 1, 256, "cycles", "time between two passes");
    out.number("shuffle.queue_depth", &queue_depth, 0, 64, "entries",
               "SHFLs that wait at the input of the shuffle unit, outside the MIO queue");
    out.number("shuffle.predicate_latency", &predicate_latency, 0, 256, "cycles",
               "time from the use of the result to the use of the predicate, if SHFL writes one");
  }
};

/// The parameters with the latency and the step that follow from the depth of the chosen network at
/// a lane pitch in micrometres; unchanged if depth is off.
ShuffleParams with_depth(ShuffleParams params, const NetworkChoice& choice, uint32_t lane_pitch);

/// The time of a schedule in a shuffle unit.
struct UnitTime {
  uint32_t cycles = 0;   ///< cycles that deliver lanes, each followed by `interval`
  uint32_t set_up = 0;   ///< cycles before them
  uint32_t latency = 0;  ///< cycles from the last of them to the use of the result

  /// Cycles in which the unit accepts nothing else.
  uint32_t held(const ShuffleParams& params) const {
    return set_up + (params.pipelined != 0 ? cycles * params.interval
                                           : (cycles - 1) * params.interval + latency);
  }
  /// Time from the start to the use of the result.
  uint32_t whole(const ShuffleParams& params) const {
    return set_up + (cycles - 1) * params.interval + latency;
  }
};
UnitTime unit_time(const Schedule& schedule, const ShuffleParams& params);

/// The counts of the shuffle units for a SHFL.
struct ShuffleCounts {
  uint64_t passes = 0;
  uint64_t port_conflicts = 0;
  uint64_t undefined_reads = 0;

  void add(const ShuffleCounts& more) {
    passes += more.passes;
    port_conflicts += more.port_conflicts;
    undefined_reads += more.undefined_reads;
  }
  static bool applies(const isa::CodeLine& line) { return line.is_shuffle(); }
  void list(StatList& out) const {
    out.count("passes", passes, "passes", "SHFL: passes through the shuffle network.",
              "SHFL\npasses");
    out.count("port_conflicts", port_conflicts, "lanes",
              "SHFL: lanes that waited for a later pass while others were served, summed over "
              "passes.",
              "port\nconfl");
    out.count("undefined_reads", undefined_reads, "lanes",
              "SHFL: lanes that read from a lane that does not execute.", "undef\nreads");
  }
};

/// The shuffle units of an SM, one per cluster of sub-partitions: each takes one SHFL at a time
/// from the MIO arbiter, moves its lanes over its network in one or more passes, and returns in
/// order.
class ShuffleUnit : public Unit, public MioUnit {
 public:
  /// `maps`: the lane maps of the trace, which may grow during the run.
  ShuffleUnit(const sc_core::sc_module_name& name, const ShuffleParams& params,
              std::unique_ptr<ShuffleNetwork> network, const std::vector<isa::LaneMap>& maps);

  const char* kind() const override { return "ShuffleUnit"; }
  const char* hardware() const override { return "shuffle units: wires between a warp's lanes"; }
  const char* section() const override { return "shuffle"; }

  /// By sub-partition: the pipe of its unit.
  std::array<sc_core::sc_port<InOrderPipe>, kSubPartitions> pipe;
  RequestWatch* watch = nullptr;  ///< nullptr without an observer
  unsigned unit_of(unsigned sub_partition) const { return sub_partition / params_.cluster; }
  unsigned units() const { return kSubPartitions / params_.cluster; }

  Cycle free_from(unsigned sub_partition, Cycle now) const override;
  const Cycle* kept_free(unsigned sub_partition) const override {
    const bool depends = is_exclusive_ || params_.queue_depth != 0;
    return depends ? nullptr : &pipe[sub_partition]->free();
  }
  MioCompletion start(unsigned sub_partition, const MioRequest& request, Cycle now) override;
  uint32_t beats(const MioRequest& request) override {
    const Cost& cost = cost_of(request.payload);
    return cost.set_up + (cost.cycles - 1) * params_.interval + 1;
  }
  uint32_t passes(const MioRequest& request) override { return beats(request); }
  void took_beat(unsigned sub_partition) override {
    if (is_exclusive_) taken_by_[unit_of(sub_partition)] = sub_partition;
  }
  const InstructionCounts<ShuffleCounts>& counts() const { return counts_; }

 private:
  /// The cost of a lane map in the network, cached for the next SHFL with this map.
  struct Cost : UnitTime {
    ShuffleCounts counts;
  };
  uint32_t instances() const override { return units(); }
  uint64_t held_from(Cycle end) const override;
  const Cost& cost_of(uint32_t map) {
    const bool is_known = map < places_ && costs_[map].cycles != 0;
    return is_known ? costs_[map] : find_cost(map);
  }
  const Cost& find_cost(uint32_t map);
  /// The start of a SHFL that the unit accepts at `now`.
  Cycle begin_of(unsigned sub_partition, Cycle now);
  void end_of_elaboration() override;

  static constexpr unsigned kNobody = kSubPartitions;

  const ShuffleParams params_;
  /// Passes cannot follow each other in every cycle: a SHFL has the unit from its first beat on.
  const bool is_exclusive_;
  std::array<unsigned, kSubPartitions> taken_by_{};  ///< by unit: a sub-partition, or kNobody
  std::array<InOrderPipe*, kSubPartitions> pipe_{};  ///< `pipe`, looked up once
  const std::unique_ptr<ShuffleNetwork> network_;
  /// By unit: the start of each SHFL at its input, first to last.
  std::array<std::deque<Cycle>, kSubPartitions> waiting_;
  const std::vector<isa::LaneMap>& maps_;
  std::vector<Cost> costs_;  ///< by lane map
  size_t places_ = 0;        ///< costs_.size(), stored because it is read often
  const Cost empty_;         ///< no lane executes: a pass without deliveries
  InstructionCounts<ShuffleCounts> counts_;
};

}  // namespace shflsim::model
