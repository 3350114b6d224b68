// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace shflsim::model {

/// A hash: each bit of the result depends on all of the value.
uint64_t mixed_bits(uint64_t value);

/// The hash of addresses of an L2, which chooses the home half and the slice of a line. Measured on
/// an H100 (scripts/lab/hw/chip/slices, all lines of 2 MiB): exclusive ors of address bits choose
/// one of 8 rings of 5 slices and two further bits. These bits and the number of the 128 KiB give,
/// modulo 5, two neighbours in the ring, which hold a KiB, 256 bytes in turn. The driver maps 2 MiB
/// together, and the bits above are unknown: a hash of the number of the 2 MiB stands for them. The
/// home half of 4 KiB is an exclusive or of bits, too.
///
/// An H200 has 96 slices and the same bits, modulo 6 (measured: far.txt.gz of
/// tests/data/h200/2026-11-30: 99.4 % of the lines are near or far from an SM as their place in the
/// ring says). An L2 of another number of slices has rings of its greatest odd divisor (of two
/// slices for a power of two).
class L2Hash {
 public:
  /// `slices`: of all halves.
  L2Hash(size_t slices, unsigned halves);

  /// Home half of a line (byte address / 128).
  unsigned home(uint64_t line) const;
  /// Home half of a page of 4 KiB on an H200. Pages are numbered from the first 2 MiB in which the
  /// driver places buffers.
  static unsigned home_of_page(uint64_t page);
  /// The slice that holds the line in this half.
  size_t slice(uint64_t line, unsigned half) const;
  /// Number of slices of a ring; the place of a slice in its ring is its number modulo this.
  size_t ring() const { return ring_; }

 private:
  const unsigned halves_;
  const size_t of_half_;  ///< slices of a half
  const size_t ring_;     ///< slices of a ring
};

}  // namespace shflsim::model
