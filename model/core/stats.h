// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/core/cycle.h"
#include "model/core/warp_state.h"

namespace shflsim::model {

// What follows is data alone: `visit` calls `member` with each member of a record, in one order, so
// that a result can be sent to another process or compared as a whole. A new member has its place
// there too (tests/sweep/result_bytes_test.cc).

/// What happened to one static instruction, over all warps, but for what the units count of it
/// (model/core/counts.h). Times in cycles.
struct InstructionStats {
  uint64_t issued = 0;       ///< warp instructions
  uint64_t lanes = 0;        ///< executing lanes, summed over issues
  uint64_t results = 0;      ///< issues whose issue-to-result latency was taken
  uint64_t latency_sum = 0;  ///< issue to the first one of a dependent math instruction
  Cycle latency_min = 0;
  Cycle latency_max = 0;
  Cycle latency_shared = 0;  ///< fixed latencies to other users than math; 0: there is none
  Cycle latency_global = 0;
  Cycle latency_predicate = 0;
  StateCycles states{};  ///< warp-cycles spent with this instruction next to issue
  /// SHFL: issues by their latency in cycles; kMostLatency or more are the last of them.
  std::vector<uint64_t> by_latency;
  static constexpr Cycle kMostLatency = 4095;

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.issued), member(self.lanes), member(self.results);
    member(self.latency_sum), member(self.latency_min), member(self.latency_max);
    member(self.latency_shared), member(self.latency_global), member(self.latency_predicate);
    member(self.states), member(self.by_latency);
  }
};

/// Busy cycles of one unit; its share of the run is busy / (cycles * instances).
struct UnitStats {
  std::string name;  ///< as in the config's section: "fmai", "shuffle", ...
  uint32_t instances = 1;
  uint64_t busy = 0;        ///< cycles, summed over the instances
  uint64_t operations = 0;  ///< warp instructions

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.name), member(self.instances), member(self.busy), member(self.operations);
  }
};

/// What one kind of work took in energy: those of the config's section `energy`, a launch's own,
/// and the idle power's.
struct EnergyStats {
  std::string work;       ///< "issue", "shared_word", ...
  uint64_t amount = 0;    ///< warp instructions, lanes, wavefronts, words, sectors, cycles
  uint64_t toggling = 0;  ///< of these, as many as would have half of their bits toggle
  uint64_t picojoules = 0;

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.work), member(self.amount), member(self.toggling), member(self.picojoules);
  }
};

struct WarpStats {
  uint32_t block = 0;
  uint32_t warp = 0;
  Cycle first_issue = 0;
  Cycle finish = 0;                ///< cycle behind the last state that it was charged
  std::vector<Cycle> clock_reads;  ///< cycle in which each read of SR_CLOCKLO issued
  uint32_t sm = 0;

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.block), member(self.warp), member(self.first_issue), member(self.finish);
    member(self.clock_reads), member(self.sm);
  }
};

}  // namespace shflsim::model
