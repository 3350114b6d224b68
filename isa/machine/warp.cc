// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/warp.h"

namespace shflsim::isa {
namespace {

constexpr uint64_t kPageBytes = 4096;

}  // namespace

const LaneValues Warp::kZeros{};

Storage* LocalMemory::find(unsigned lane, uint64_t offset, size_t size, uint64_t* in_page) {
  if (offset >= bytes_per_lane_ || size > bytes_per_lane_ - offset) return nullptr;
  const size_t page = static_cast<size_t>(offset / kPageBytes) * kLanes + lane;
  if (pages_.size() <= page) pages_.resize(page + 1);
  if (!pages_[page]) pages_[page] = std::make_unique<Storage>(kPageBytes);
  *in_page = offset % kPageBytes;
  return pages_[page].get();
}

Warp::Warp(const WarpShape& shape)
    : register_marks(shape.registers),
      divergence(shape.lanes),
      convergence(shape.lanes),
      local(shape.local_bytes),
      registers_(shape.registers),
      uniform_(shape.uniform) {
  predicates_[kPT] = kAllLanes;
  uniform_predicates_[kPT] = kAllLanes;
}

void Warp::write_some(unsigned index, LaneMask lanes, const LaneValues& values) {
  LaneValues& row = registers_[index];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    row[lane] = bit_of(lanes, lane) ? values[lane] : row[lane];
  }
}

}  // namespace shflsim::isa
