// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/l2_hash.h"

#include <algorithm>

namespace shflsim::model {
namespace {

constexpr uint64_t kLinesOfKib = 8;
constexpr uint64_t kKibsOfRun = 128;    // neighbours in a ring move on by one place
constexpr uint64_t kKibsOfPage = 2048;  // the driver maps so many together
constexpr uint64_t kKibsOfRound = 32;   // they use all rings and places
constexpr uint64_t kRings = 8;

// Bits of the KiB's number within 2 MiB whose exclusive or is a bit of the hash (measured:
// tests/data/h100/slices, slices.csv.gz).
constexpr uint64_t kRing[] = {0x46E, 0x628, 0x310};
constexpr uint64_t kPlace[] = {0x189, 0x692};
constexpr uint64_t kOrder = 0x684;

// The same for the home half: 0x2CC, and the bit of a MiB, because buffers of the model are a MiB
// apart where those of the driver lie side by side.
constexpr uint64_t kHome = 0x6CC;

unsigned parity(uint64_t bits) { return static_cast<unsigned>(__builtin_parityll(bits)); }

size_t ring_of(size_t slices) {
  constexpr size_t kOfH200 = 48;
  if (slices == kOfH200) return slices / kRings;
  const size_t odd = slices / (slices & (~slices + 1));
  return odd > 1 ? odd : std::min<size_t>(slices, 2);
}

/// Stands for the address bits above a page of 2 MiB; 0 for the first page.
uint64_t upper_bits(uint64_t kib) { return mixed_bits(kib / kKibsOfPage); }

}  // namespace

/// Marsaglia's xorshift64*.
uint64_t mixed_bits(uint64_t value) {
  value ^= value >> 12;
  value ^= value << 25;
  value ^= value >> 27;
  return value * 0x2545F4914F6CDD1D;
}

L2Hash::L2Hash(size_t slices, unsigned halves)
    : halves_(halves), of_half_(std::max<size_t>(1, slices / halves)), ring_(ring_of(of_half_)) {}

/// Where the driver places a buffer is not known, so which half is its home is assumed. The probes
/// of fences.csv and atomg_chain of timed/h100.csv do not both match with buffers in a row.
unsigned L2Hash::home(uint64_t line) const {
  if (halves_ == 1) return 0;
  const uint64_t kib = line / kLinesOfKib;
  return parity(kib % kKibsOfPage & kHome) ^ (upper_bits(kib) >> 48 & 1);
}

/// The first page is far from the SM of a single block (measured: homes.csv.gz of
/// tests/data/h200/2026-11-30, under Nsight Compute; without it the halves are exchanged).
unsigned L2Hash::home_of_page(uint64_t page) {
  constexpr uint64_t kHomeOfH200 = 0xAB;
  constexpr uint64_t kPages = 512;  // of 2 MiB; the bits above are unknown
  return 1 ^ parity(page % kPages & kHomeOfH200) ^ (mixed_bits(page / kPages) >> 48 & 1);
}

size_t L2Hash::slice(uint64_t line, unsigned half) const {
  const uint64_t kib = line / kLinesOfKib;
  const uint64_t in_page = kib % kKibsOfPage;
  uint64_t hash = upper_bits(kib) >> 32;
  for (unsigned bit = 0; bit < 3; ++bit) hash ^= uint64_t{parity(in_page & kRing[bit])} << bit;
  for (unsigned bit = 0; bit < 2; ++bit)
    hash ^= uint64_t{parity(in_page & kPlace[bit])} << (3 + bit);
  const uint64_t second = line / 2 % 2 ^ parity(in_page & kOrder) ^ (hash >> 5 & 1);
  const uint64_t place = 2 * (kib / kKibsOfRun + (~hash >> 3 & 3)) + second;
  const size_t rings = of_half_ / ring_;
  const uint64_t ring = (hash % kRings + kib / kKibsOfRound * kRings) % rings;
  return (half * of_half_ + ring * ring_ + place % ring_) % (halves_ * of_half_);
}

}  // namespace shflsim::model
