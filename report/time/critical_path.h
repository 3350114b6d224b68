// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

#include "model/core/observer.h"
#include "report/run/columns.h"
#include "report/time/path_bounds.h"
#include "report/time/pipeline.h"
#include "report/time/producers.h"

namespace shflsim::report {

/// Equal links of the path, summed: line `index` issued late because it waited.
struct PathLink {
  uint32_t index = 0;  ///< into Code::lines
  model::WarpState state{};
  std::optional<uint32_t> on;  ///< line that it waited for
  bool is_of_another_warp = false;
  model::Cycle cycles = 0;  ///< sum
  uint64_t times = 0;
  /// These cycles by StageTime::Kind of the awaited instruction, if it went to a shared unit.
  std::array<model::Cycle, kStageKinds> stages{};
  BoundCycles bounds{};  ///< what the cycles were spent on
};

/// The chain of instructions and waits that determines the length of a run. It is followed back
/// from the end of the last warp: the link before an instruction is what it waited for last before
/// it issued, in its own warp or another. The cycles of the links add up to those of the run. Takes
/// 32 bytes per warp instruction, and as many again for one that goes to a shared unit.
class CriticalPath final : public model::Observer {
 public:
  static constexpr uint64_t kNoLimit = ~uint64_t{0};
  /// What to do if a run has more warp instructions.
  enum class Longer : uint8_t {
    kUnknown,  ///< the path is unknown
    kBegin,    ///< the path covers only the first `most_instructions`
  };
  explicit CriticalPath(uint64_t most_instructions = kNoLimit, Longer longer = Longer::kUnknown)
      : most_(most_instructions), longer_(longer) {}

  /// False if the run was too long, and before a run.
  bool is_known() const { return producers_ != nullptr; }
  /// The length of the path in cycles, if it ends before the run does.
  std::optional<model::Cycle> cut_length() const { return cut_; }
  /// The links with the most cycles first.
  std::vector<PathLink> links(const model::RunResult& result) const;

  std::shared_ptr<void> elaborate(const traces::Trace& trace,
                                  const model::RunResult& result) override;
  void warp_started(const model::ResidentWarp& warp, model::Cycle now) override;
  void warp_left(const model::ResidentWarp& warp, model::Cycle now) override;
  void stood(const model::ResidentWarp& warp, uint32_t index, model::WarpState state,
             model::Cycle from, model::Cycle to) override;
  void issued(const model::ResidentWarp& warp, const model::Issue& issue) override;
  void entered(model::InstructionId id, model::Stage stage, model::Cycle from) override;
  void passes(model::InstructionId id, model::Cycle first, uint32_t count,
              uint32_t interval) override;
  void left_queue(model::InstructionId id, model::Cycle now) override;
  void sources_read(model::InstructionId id, model::Cycle cycle) override;
  void done(model::InstructionId id, model::Cycle result) override;

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  /// The last wait of a warp.
  struct Cause {
    model::WarpState state = model::WarpState::kSelected;
    uint32_t index = 0;
    model::Cycle to = 0;
    std::optional<Issued> on;
  };
  /// Stages of an instruction that goes to a shared unit, in cycles after its issue.
  struct Way {
    std::array<uint32_t, 4> entered = {kNone, kNone, kNone, kNone};  ///< by model::Stage
    uint32_t first_pass = 0;
    uint32_t passes = 0;
    uint32_t interval = 1;
    uint32_t result = 0;
  };
  struct Step {
    model::Cycle cycle = 0;  ///< cycle of the issue
    uint32_t index = 0;
    uint32_t on_number = 0;
    uint32_t on_warp = kNone;
    uint32_t way = kNone;  ///< into Warp::ways
    model::WarpState state{};
  };
  struct Warp {
    std::vector<Step> steps;
    std::vector<Way> ways;
    Cause cause;  ///< of the wait since the last issue
    model::Cycle started = 0;
    model::Cycle left = 0;
    uint32_t freed_by = kNone;  ///< warp that left before it started
    uint32_t sm = 0;
    uint32_t sub_partition = 0;
  };
  class Walk;

  Way& way_of(model::InstructionId id);
  void cut();
  bool follows() const { return is_known() && !cut_; }
  /// True if the instruction was kept.
  bool keeps(model::InstructionId id) const {
    return is_known() && id.number < warps_[id.warp].steps.size();
  }
  PathBounds bounds_of(const model::RunResult& result) const;

  const isa::Code* code_ = nullptr;
  const uint64_t most_;
  const Longer longer_;
  std::optional<model::Cycle> cut_;             ///< cycle of the last kept issue, if more followed
  model::Cycle last_issue_ = 0;                 ///< cycle of the last kept issue
  uint32_t last_warp_ = 0;                      ///< warp of the last kept issue
  uint64_t kept_ = 0;                           ///< warp instructions kept
  std::unique_ptr<Producers> producers_;        ///< nullptr: nothing is followed
  std::vector<Warp> warps_;                     ///< by ResidentWarp::index
  std::map<uint32_t, uint32_t> last_to_leave_;  ///< by SM
};

/// A row of the path in JSON.
struct PathRow {
  const Run& run;
  const PathLink& link;
};
const Fields<PathRow>& path_columns();

/// Writes the links with the most cycles as a table.
void write_critical_path(std::ostream& out, const Run& run, const std::vector<PathLink>& links);

}  // namespace shflsim::report
