// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shflsim::model {

/// Decides which loads hit the L1 if its tags do not: a share of them, evenly spread.
class HitRate {
 public:
  /// `percent`: 0 to 100.
  explicit HitRate(uint32_t percent) : percent_(percent) {}

  /// True if the next load hits.
  bool hits() const { return owed_ + percent_ >= kEveryLoad; }
  /// A load has hit, or missed.
  void use(bool hit) { owed_ = owed_ + percent_ - (hit ? kEveryLoad : 0); }

 private:
  static constexpr uint32_t kEveryLoad = 100;  // percent

  const uint32_t percent_;
  uint32_t owed_ = 0;  ///< hits that are due, in hundredths
};

}  // namespace shflsim::model
