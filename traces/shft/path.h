// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "traces/shft/program_section.h"

namespace shflsim::traces {

/// What the coding of paths asks of the static code.
struct PathCode {
  struct Line {
    bool guarded = false;
    bool shuffles = false;
    bool has_whole_rows = false;  ///< all 32 values of its payload count
    /// SHFL whose index and clamp are immediate: its lane map follows from the executing lanes.
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
  /// Lanes whose values in the payload count.
  isa::LaneMask counted(uint32_t index, isa::LaneMask executing) const {
    return lines[index].has_whole_rows && executing != 0 ? isa::kAllLanes : executing;
  }
  /// Lanes that a warp of the block starts with.
  isa::LaneMask first_lanes(uint32_t warp) const;
};

/// The expected next step of a warp. Steps that are as expected are not written; writer and reader
/// follow the same expectations.
///
/// Expected is the instruction that followed this one last time, at first the next one. Its lanes
/// are those that executed it last time if it is guarded, else those of the last unguarded
/// instruction.
class PathExpectation {
 public:
  void start(const PathCode& code, isa::LaneMask lanes);
  /// Goes on with code that has got more lines.
  void grow(const PathCode& code);

  uint32_t index() const { return next_; }
  isa::LaneMask lanes(uint32_t index) const {
    const Line& line = lines_[index];
    return line.lanes == kActive ? active_ : static_cast<isa::LaneMask>(line.lanes);
  }
  /// A step that was as expected.
  void confirm() {
    previous_ = next_;
    next_ = lines_[next_].successor;
  }
  /// Any step.
  void learn(const PathCode& code, uint32_t index, isa::LaneMask lanes);

 private:
  static constexpr uint64_t kActive = ~uint64_t{0};  ///< unguarded, or not yet met
  struct Line {
    uint64_t lanes = kActive;
    uint32_t successor = 0;
  };
  std::vector<Line> lines_;
  isa::LaneMask active_ = 0;
  uint32_t previous_ = Step::kNone;
  uint32_t next_ = 0;
};

/// A step that is not as expected is an event. Bits 2:0 of its head say what differs; the rest is
/// the number of expected steps in front of it.
enum PathEvent : uint8_t { kNewIndex = 1, kNewLanes = 2, kNewPayload = 4, kEventBits = 3 };
/// How new addresses are written.
enum class AddressForm : uint8_t {
  kNone,    ///< the instruction has none this time
  kMoved,   ///< all lanes by the same distance
  kAffine,  ///< base plus a stride a lane
  kList,    ///< each executing lane by its difference from the one before
};

/// Addresses of one memory instruction, and what they are expected to be next: all lanes moved by
/// the same distance as between the last two times.
struct AddressExpectation {
  LaneAddresses lanes{};  ///< last addresses of all lanes, also of lanes that did not execute
  uint64_t distance = 0;  ///< difference of the last two addresses

  bool holds(const LaneAddresses& actual, isa::LaneMask executing) const;
  void move() {
    for (uint64_t& address : lanes) address += distance;
  }
  /// New addresses, whose first executing lane has `base`. `listed` is looked at for lists only.
  void learn(AddressForm form, uint64_t base, uint64_t stride, isa::LaneMask executing,
             const LaneAddresses& listed, bool is_first);
};

unsigned lowest_lane(isa::LaneMask lanes);

}  // namespace shflsim::traces
