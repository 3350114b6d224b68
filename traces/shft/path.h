// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "traces/shft/program_section.h"

namespace shflsim::traces {

/// The facts about the static code that the coding of paths needs.
struct PathCode {
  struct Line {
    bool guarded = false;
    bool shuffles = false;
    bool has_whole_rows = false;  ///< all 32 values of its payload matter
    /// SHFL with immediate index and clamp: its lane map follows from the executing lanes.
    bool knows_map = false;
    isa::ShuffleMode mode = isa::ShuffleMode::kIdx;
    uint32_t index = 0;
    uint32_t clamp = 0;
  };
  std::vector<Line> lines;  ///< by index into Code::lines
  uint32_t threads_per_block = 0;

  explicit PathCode(const Trace& trace);
  /// The lane map of an instruction with `knows_map`.
  isa::LaneMap map_of(uint32_t index, isa::LaneMask executing) const;
  /// Lanes whose values in the payload matter.
  isa::LaneMask counted(uint32_t index, isa::LaneMask executing) const {
    return lines[index].has_whole_rows && executing != 0 ? isa::kAllLanes : executing;
  }
  /// Lanes with which a warp of the block starts.
  isa::LaneMask first_lanes(uint32_t warp) const;
};

/// The expected next step of a warp. Expected steps are not written; writer and reader have the
/// same expectations.
///
/// The expected instruction is the one that followed the current one last time, or at first the
/// next one. The expected lanes are those of its last execution if it is guarded, else those of the
/// last unguarded instruction.
class PathExpectation {
 public:
  void start(const PathCode& code, isa::LaneMask lanes);
  /// Adapts to code that has more lines now.
  void grow(const PathCode& code);

  uint32_t index() const { return next_; }
  isa::LaneMask lanes(uint32_t index) const {
    const Line& line = lines_[index];
    return line.lanes == kActive ? active_ : static_cast<isa::LaneMask>(line.lanes);
  }
  /// Advances by a step that was as expected.
  void confirm() {
    previous_ = next_;
    next_ = lines_[next_].successor;
  }
  /// Advances by any step.
  void learn(const PathCode& code, uint32_t index, isa::LaneMask lanes);

 private:
  static constexpr uint64_t kActive = ~uint64_t{0};  ///< unguarded, or not executed yet
  struct Line {
    uint64_t lanes = kActive;
    uint32_t successor = 0;
  };
  std::vector<Line> lines_;
  isa::LaneMask active_ = 0;
  uint32_t previous_ = Step::kNone;
  uint32_t next_ = 0;
};

/// An unexpected step is an event. Bits 2:0 of its head say what differs; the other bits are the
/// number of expected steps before it.
enum PathEvent : uint8_t { kNewIndex = 1, kNewLanes = 2, kNewPayload = 4, kEventBits = 3 };
/// The encoding of new addresses.
enum class AddressForm : uint8_t {
  kNone,    ///< no addresses in this execution
  kMoved,   ///< all lanes by the same distance
  kAffine,  ///< base plus a stride per lane
  kList,    ///< each executing lane as the difference from the previous one
};

/// The addresses of a memory instruction, and the expected next ones: all lanes move by the same
/// distance as between the last two executions.
struct AddressExpectation {
  LaneAddresses lanes{};  ///< last addresses of all lanes, also of lanes that did not execute
  uint64_t distance = 0;  ///< difference of the last two addresses

  bool holds(const LaneAddresses& actual, isa::LaneMask executing) const;
  void move() {
    for (uint64_t& address : lanes) address += distance;
  }
  /// Stores new addresses; `base` is the first executing lane's. `listed` is used only for lists.
  void learn(AddressForm form, uint64_t base, uint64_t stride, isa::LaneMask executing,
             const LaneAddresses& listed, bool is_first);
};

unsigned lowest_lane(isa::LaneMask lanes);

}  // namespace shflsim::traces
