// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace shflsim::model {

/// How much longer or shorter than the mean the way from an SM of an H100 to a slice of its half of
/// the L2 and back is, in cycles. It depends on the GPC, on the slice's place in its ring, and on
/// the row of the SM's TPC in the GPC (measured: tests/data/h100/2026-11-26, lines.csv.gz, near:
/// 512 lines from each SM). The two halves mirror each other: the slices of three places are near
/// to one half, those of two to the other.
class L2Distance {
 public:
  static constexpr size_t kPlaces = 5;

  /// `gpc` from 0; GPCs are at the halves in turn. `row`: of the TPC in its GPC.
  static int cycles(size_t gpc, size_t row, size_t place) {
    return kByPlace[gpc % kByPlace.size()][place % kPlaces] + kByRow[row % kByRow.size()];
  }

 private:
  static constexpr std::array<std::array<int, kPlaces>, 4> kByPlace{{{-16, -16, 8, 16, -13},
                                                                     {9, 17, -15, -15, 22},
                                                                     {-14, -15, 18, 10, -15},
                                                                     {18, 10, -14, -14, 23}}};
  static constexpr std::array<int, 9> kByRow{1, -1, 4, -4, 1, 5, -4, -2, 0};
};

}  // namespace shflsim::model
