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

/// What a cycle of the critical path was spent on.
enum class Bound : uint8_t {
  kShuffleRate,       ///< the shuffle unit was busy with others, or with further passes
  kShuffleLatency,    ///< a SHFL's way through the unit and back
  kSharedConflicts,   ///< further wavefronts of accesses to shared memory
  kSharedMemory,      ///< shared memory without conflicts: first wavefronts, latency
  kGlobalMemory,      ///< loads, stores, atomics, fences
  kMathPipes,         ///< a math pipe was taken
  kMathLatency,       ///< the fixed latency of a math instruction, in stall counts
  kIssueSlots,        ///< another warp, or the instruction in front, had the issue slot
  kBarriers,          ///< a block barrier
  kFetch,             ///< instructions were not there
  kSpecialFunctions,  ///< MUFU, conversions, votes over the special-function unit
  kSpecialRegisters,  ///< S2R, constants by address
  kConstantMemory,    ///< a constant operand was missing
  kBranches,          ///< a branch resolved
  kRegisterFile,      ///< operand collectors froze the sub-partition
  kMioQueue,          ///< the way to the shared units: queues and operands
  kOther,
  kCount
};
constexpr size_t kBounds = static_cast<size_t>(Bound::kCount);
const char* bound_name(Bound bound);  ///< "shuffle rate", "global memory"
using BoundCycles = std::array<model::Cycle, kBounds>;

/// A shared unit's work on one request.
struct Service {
  model::Cycle from = 0;
  uint32_t hold = 0;  ///< cycles for which the request has the unit
  Bound first{};      ///< what its first cycle counts as
  Bound further{};    ///< what the cycles behind its first one count as
  uint8_t sub_partition = 0;
};

/// Says what the cycles of a critical path were spent on. A wait for a shared unit that was busy
/// all the time is a matter of the unit's rate: a shorter latency would not end it earlier.
class PathBounds {
 public:
  /// A stretch of the path: line `index` waited in `state` for line `on`.
  struct Stretch {
    model::WarpState state{};
    uint32_t index = 0;
    std::optional<uint32_t> on;
    model::Cycle from = 0;
    model::Cycle to = 0;
    uint32_t sm = 0;
    uint32_t sub_partition = 0;
    std::vector<StageTime> stages;  ///< of `on`, where it went to a shared unit
  };

  PathBounds(const isa::Code& code, const model::RunResult& result);

  /// A request of line `index` that entered its unit at `from`.
  void served(uint32_t sm, uint32_t sub_partition, uint32_t index, model::Cycle from,
              uint32_t hold);
  /// To be called when all are served, before the first spread().
  void sort();
  /// Adds the cycles of the stretch, all of them.
  void spread(const Stretch& stretch, BoundCycles* sum) const;

 private:
  using Weights = std::array<uint64_t, kBounds>;

  bool is_same_unit(const Service& service, Bound kind, uint32_t sub_partition) const;
  bool spread_if_busy(const Stretch& stretch, Bound kind, BoundCycles* sum) const;
  void spread_queue(const Stretch& stretch, model::Cycle from, model::Cycle to,
                    BoundCycles* sum) const;
  void spread_stages(const Stretch& stretch, BoundCycles* sum) const;

  const isa::Code& code_;
  bool is_one_pipe_ = false;    ///< every request takes a beat of one pipe
  bool shares_pipe_ = false;    ///< the shuffle unit and shared memory take turns
  uint32_t shuffle_units_ = 1;  ///< shuffle units of an SM
  std::map<uint32_t, std::vector<Service>> services_;  ///< by SM, by time
};

}  // namespace shflsim::report
