// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace shflsim::model {

using Cycle = uint64_t;

/// Sub-partitions of an SM: each has a warp scheduler, which selects at most one warp a cycle.
constexpr unsigned kSubPartitions = 4;

/// What a resident warp does in a cycle: exactly one of these, by Nsight Compute's names, in the
/// order of precedence where several would fit (docs/sources.md, "Stall reasons").
enum class WarpState : uint8_t {
  kDrain,
  kNoInstruction,
  kBranchResolving,
  kBarrier,
  kMembar,
  kWait,
  kLongScoreboard,
  kShortScoreboard,
  kMathPipeThrottle,
  kMioThrottle,
  kLgThrottle,
  kDispatchStall,
  kNotSelected,
  kSelected,
  kMisc,
  kCount
};
constexpr size_t kWarpStates = static_cast<size_t>(WarpState::kCount);
const char* warp_state_name(WarpState state);  ///< "short_scoreboard", "selected", ...
const char* warp_state_help(WarpState state);  ///< one sentence
using StateCycles = std::array<uint64_t, kWarpStates>;

// What follows is data alone: `visit` calls `member` with each member of a record, in one order, so
// that a result can be sent to another process or compared as a whole. A new member has its place
// there too (tests/sweep/result_bytes_test.cc).

/// What happened to one static instruction, over all warps. Times in cycles.
struct InstructionStats {
  uint64_t issued = 0;       ///< warp instructions
  uint64_t lanes = 0;        ///< executing lanes, summed over issues
  uint64_t results = 0;      ///< issues whose issue-to-result latency was taken
  uint64_t latency_sum = 0;  ///< issue to result visible to a dependent instruction
  Cycle latency_min = 0;
  Cycle latency_max = 0;
  uint64_t register_conflicts = 0;  ///< cycles of operand reading beyond the first
  uint64_t passes = 0;              ///< SHFL: network passes
  uint64_t port_conflicts = 0;      ///< SHFL: lanes that waited for a later pass, per pass
  uint64_t undefined_reads = 0;     ///< SHFL: lanes that read a lane not executing
  uint64_t shared_wavefronts = 0;   ///< shared memory: wavefronts
  uint64_t shared_conflicts = 0;    ///< shared memory: wavefronts beyond the first
  StateCycles states{};             ///< warp-cycles spent with this instruction next to issue

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.issued), member(self.lanes), member(self.results);
    member(self.latency_sum), member(self.latency_min), member(self.latency_max);
    member(self.register_conflicts), member(self.passes), member(self.port_conflicts);
    member(self.undefined_reads), member(self.shared_wavefronts), member(self.shared_conflicts);
    member(self.states);
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

/// One key of the effective configuration.
struct ConfigValue {
  std::string key;
  std::string value;
  std::string unit;
  std::string origin;  ///< "gm107.cfg:12", "command line"
  std::string source;  ///< "measured: ...", "vendor: ...", "published: ...", "assumed"
  std::string help;

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.key), member(self.value), member(self.unit);
    member(self.origin), member(self.source), member(self.help);
  }
};

struct RunResult {
  Cycle cycles = 0;  ///< first cycle to the last warp's end
  uint32_t sms = 1;  ///< that the grid's blocks ran on
  uint64_t warp_instructions = 0;
  uint64_t dual_issued = 0;  ///< of these, second of a pair: issued with no warp-cycle of its own
  uint64_t warp_cycles = 0;  ///< resident warps summed over cycles
  StateCycles states{};
  std::vector<InstructionStats> instructions;  ///< by index into Code::lines
  std::vector<UnitStats> units;
  std::vector<WarpStats> warps;
  std::vector<ConfigValue> config;

  template <class Self, class Member>
  static void visit(Self& self, Member&& member) {
    member(self.cycles), member(self.sms), member(self.warp_instructions);
    member(self.dual_issued), member(self.warp_cycles), member(self.states);
    member(self.instructions), member(self.units), member(self.warps), member(self.config);
  }
};

}  // namespace shflsim::model
