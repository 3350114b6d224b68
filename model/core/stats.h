// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "model/core/cycle.h"
#include "model/core/warp_state.h"

namespace shflsim::model {

// The following structs are plain data. `visit` calls `member` with each member in a fixed order,
// so that a result can be sent to another process or compared. Add new members there too
// (tests/sweep/result_bytes_test.cc).

/// The counts of one static instruction over all warps, except those of the units
/// (model/core/counts.h). Times are in cycles.
struct InstructionStats {
  uint64_t issued = 0;       ///< warp instructions
  uint64_t lanes = 0;        ///< executing lanes, summed over issues
  uint64_t results = 0;      ///< issues whose issue-to-result latency was recorded
  uint64_t latency_sum = 0;  ///< from issue to the first issue of a dependent math instruction
  Cycle latency_min = 0;
  Cycle latency_max = 0;
  Cycle latency_shared = 0;  ///< fixed latency to users other than math; 0: none
  Cycle latency_global = 0;
  Cycle latency_predicate = 0;
  StateCycles states{};  ///< warp-cycles spent with this instruction next to issue
  /// SHFL: issues by latency in cycles; the last element counts kMostLatency and more.
  std::vector<uint64_t> by_latency;
  static constexpr Cycle kMostLatency = 4095;

  /// Adds the counts of other SMs.
  void add(const InstructionStats& more) {
    const bool has_both = results != 0 && more.results != 0;
    latency_min = has_both ? std::min(latency_min, more.latency_min)
                           : std::max(latency_min, more.latency_min);
    latency_max = std::max(latency_max, more.latency_max);
    latency_shared = std::max(latency_shared, more.latency_shared);
    latency_global = std::max(latency_global, more.latency_global);
    latency_predicate = std::max(latency_predicate, more.latency_predicate);
    issued += more.issued;
    lanes += more.lanes;
    results += more.results;
    latency_sum += more.latency_sum;
    for (size_t s = 0; s < states.size(); ++s) states[s] += more.states[s];
    by_latency.resize(std::max(by_latency.size(), more.by_latency.size()));
    for (size_t i = 0; i < more.by_latency.size(); ++i) by_latency[i] += more.by_latency[i];
  }

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.issued), member(self.lanes), member(self.results);
    member(self.latency_sum), member(self.latency_min), member(self.latency_max);
    member(self.latency_shared), member(self.latency_global), member(self.latency_predicate);
    member(self.states), member(self.by_latency);
  }
};

/// Busy cycles of one unit. Its utilization is busy / (cycles * instances).
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

/// The energy of one kind of work: a kind in the config's section `energy`, the launch itself, or
/// idle power.
struct EnergyStats {
  std::string work;       ///< "issue", "shared_word", ...
  uint64_t amount = 0;    ///< warp instructions, lanes, wavefronts, words, sectors, cycles
  uint64_t toggling = 0;  ///< of these, the number that would toggle half of their bits
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
  Cycle finish = 0;                ///< first cycle after its last state
  std::vector<Cycle> clock_reads;  ///< cycle that each read of SR_CLOCKLO took
  uint32_t sm = 0;

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.block), member(self.warp), member(self.first_issue), member(self.finish);
    member(self.clock_reads), member(self.sm);
  }
};

}  // namespace shflsim::model
