// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/shuffle/wiring.h"

namespace shflsim::model {

/// Where the registers are that let a pass take several clock cycles: between equal numbers of
/// levels of multiplexers. A wire is in the stage of the multiplexer that drives it; what is read
/// in a later stage is carried on by registers, and so are the selects and the lanes' enables.
class PipelineStages {
 public:
  PipelineStages(const Wiring& wiring, unsigned stages);

  unsigned stages() const { return stages_; }
  /// Multiplexers in a row in front of a wire.
  unsigned depth(size_t wire) const { return depths_[wire]; }
  unsigned stage_of(size_t wire) const {
    return depths_[wire] == 0 ? 0 : (depths_[wire] - 1) * stages_ / deepest_;
  }
  /// For how many stages more a wire is still read, and up to which stage a group's select.
  unsigned delay(size_t wire) const { return delays_[wire]; }
  unsigned select_delay(unsigned group) const { return select_delays_[group]; }
  /// Bits of all these registers, for words of `bits`.
  uint64_t register_bits(const Wiring& wiring, unsigned bits) const;

 private:
  unsigned stages_;
  unsigned deepest_ = 1;
  std::vector<unsigned> depths_;         ///< by wire
  std::vector<unsigned> delays_;         ///< by wire
  std::vector<unsigned> select_delays_;  ///< by group
};

}  // namespace shflsim::model
