// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "isa/code/code.h"
#include "model/core/run_result.h"
#include "report/time/pipeline.h"

namespace shflsim::report {

/// What bounded a cycle of the critical path.
enum class Bound : uint8_t {
  kShuffleRate,       ///< the shuffle unit was busy with other SHFLs or further passes
  kShuffleLatency,    ///< latency of a SHFL through the unit and back
  kSharedConflicts,   ///< further wavefronts of accesses to shared memory
  kSharedMemory,      ///< shared memory without conflicts: first wavefronts, latency
  kGlobalMemory,      ///< loads, stores, atomics, fences
  kMathPipes,         ///< a math pipe was taken
  kMathLatency,       ///< the fixed latency of a math instruction, in stall counts
  kIssueSlots,        ///< another warp, or the previous instruction, had the issue slot
  kBarriers,          ///< a block barrier
  kFetch,             ///< instructions were missing
  kSpecialFunctions,  ///< MUFU, conversions, votes over the special-function unit
  kSpecialRegisters,  ///< S2R, constants by address
  kConstantMemory,    ///< a constant operand was missing
  kBranches,          ///< a branch resolved
  kRegisterFile,      ///< operand collectors froze the sub-partition
  kMioQueue,          ///< the path to the shared units: queues and operands
  kOther,
  kCount
};
constexpr size_t kBounds = static_cast<size_t>(Bound::kCount);
const char* bound_name(Bound bound);  ///< "shuffle rate", "global memory"
using BoundCycles = std::array<model::Cycle, kBounds>;

/// The work of a shared unit on one request.
struct Service {
  model::Cycle from = 0;
  uint32_t hold = 0;  ///< cycles for which the request holds the unit
  Bound first{};      ///< bound of its first cycle
  Bound further{};    ///< bound of its further cycles
  uint8_t sub_partition = 0;
};

/// Attributes the cycles of a critical path to bounds. A wait for a shared unit that was busy all
/// the time counts as the unit's rate: a shorter latency would not end it earlier.
class PathBounds {
 public:
  /// A part of the path: line `index` waited in `state` for line `on`.
  struct Stretch {
    model::WarpState state{};
    uint32_t index = 0;
    std::optional<uint32_t> on;
    model::Cycle from = 0;
    model::Cycle to = 0;
    uint32_t sm = 0;
    uint32_t sub_partition = 0;
    std::vector<StageTime> stages;  ///< stages of `on`, if it went to a shared unit
  };

  PathBounds(const isa::Code& code, const model::RunResult& result);

  /// Adds a request of line `index` that entered its unit at `from`.
  void served(uint32_t sm, uint32_t sub_partition, uint32_t index, model::Cycle from,
              uint32_t hold);
  /// Call it after all served(), before the first spread().
  void sort();
  /// Adds all cycles of the stretch to `sum`.
  void spread(const Stretch& stretch, BoundCycles* sum) const;

 private:
  using Weights = std::array<uint64_t, kBounds>;

  bool is_same_unit(const Service& service, Bound kind, uint32_t sub_partition) const;
  bool spread_if_busy(const Stretch& stretch, Bound kind, BoundCycles* sum) const;
  void spread_queue(const Stretch& stretch, model::Cycle from, model::Cycle to,
                    BoundCycles* sum) const;
  void spread_stages(const Stretch& stretch, BoundCycles* sum) const;

  const isa::Code& code_;
  bool is_one_pipe_ = false;    ///< every request takes a beat of the one pipe
  bool shares_pipe_ = false;    ///< the shuffle unit and shared memory share a pipe
  uint32_t shuffle_units_ = 1;  ///< shuffle units of an SM
  std::map<uint32_t, std::vector<Service>> services_;  ///< by SM, sorted by time
};

}  // namespace shflsim::report
