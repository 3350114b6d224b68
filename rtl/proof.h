// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "isa/lanes/lane_move.h"
#include "rtl/verilog.h"

namespace shflsim::rtl {

/// A rising clock edge of a module of 32-bit lanes: the values of its pins `in`, `ctl` and `we` at
/// the edge, as 32-bit words with the low bits first, and `out` after it.
using ClockEdge =
    std::function<void(const uint32_t* in, const uint32_t* ctl, const uint32_t* we, uint32_t* out)>;

/// Sends lane moves with random words through a module, pass by pass with the settings of the
/// network's schedules. After each edge, every lane that the pass serves must have the word of its
/// source, and every other lane its old word. Lanes that shared memory serves are skipped and
/// counted.
class Proof {
 public:
  struct Counts {
    uint64_t maps = 0;
    uint64_t passes = 0;
    uint64_t lanes = 0;     ///< delivered and compared
    uint64_t left_out = 0;  ///< delivered by shared memory
  };

  /// `shuffle`: module of `network`, 32 bits per lane, one stage; else std::invalid_argument.
  Proof(const Module& shuffle, const model::ShuffleNetwork& network, ClockEdge edge, uint32_t seed);

  /// The first wrong value, "pass 2, lane 3: ..."; none if all are right.
  std::optional<std::string> fault(const isa::LaneMove& move);
  const Counts& counts() const { return counts_; }

 private:
  void set_pins(const model::Settings& settings);
  std::optional<std::string> compare(const isa::LaneMove& move, const model::Settings& settings,
                                     size_t pass);

  const model::ShuffleNetwork& network_;
  const ModuleSettings solver_;
  const std::vector<ControlField> fields_;
  const ClockEdge edge_;
  std::mt19937_64 random_;
  std::vector<uint32_t> in_, ctl_, out_;
  std::vector<uint32_t> expected_;  ///< expected value of `out`
  Counts counts_;
};

}  // namespace shflsim::rtl
