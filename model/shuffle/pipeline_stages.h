// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/shuffle/wiring.h"

namespace shflsim::model {

/// The places of the registers that let a pass take several clock cycles: between equal numbers of
/// multiplexer levels. A wire belongs to the stage of the multiplexer that drives it. Registers
/// carry values that are read in a later stage, and so the selects and the enables of lanes.
class PipelineStages {
 public:
  PipelineStages(const Wiring& wiring, unsigned stages);

  unsigned stages() const { return stages_; }
  /// The number of multiplexers in a row before a wire.
  unsigned depth(size_t wire) const { return depths_[wire]; }
  unsigned stage_of(size_t wire) const {
    return depths_[wire] == 0 ? 0 : (depths_[wire] - 1) * stages_ / deepest_;
  }
  /// The number of later stages in which a wire is read, and the last stage of a group's select.
  unsigned delay(size_t wire) const { return delays_[wire]; }
  unsigned select_delay(unsigned group) const { return select_delays_[group]; }
  /// The number of bits of all these registers, for words of `bits`.
  uint64_t register_bits(const Wiring& wiring, unsigned bits) const;

 private:
  unsigned stages_;
  unsigned deepest_ = 1;
  std::vector<unsigned> depths_;         ///< by wire
  std::vector<unsigned> delays_;         ///< by wire
  std::vector<unsigned> select_delays_;  ///< by group
};

}  // namespace shflsim::model
