// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

#include "isa/base/input_error.h"
#include "isa/lanes/lane_map.h"

namespace shflsim::isa {

/// CUDA's warp shuffle functions in SHFL's terms: what __shfl_sync and its three relatives compile
/// to. `width` splits the warp into that many lanes each: SHFL's segment mask is 32 - width, and
/// its clamp is the last lane of a segment (31), for .UP the first one (0).
struct CudaShuffle {
  ShuffleMode mode = ShuffleMode::kIdx;
  LaneMask mask = kAllLanes;  ///< lanes that take part
  uint32_t sb = 0;            ///< source lane, distance or lane mask: the low 5 bits count
  uint32_t sc = 0;            ///< clamp in bits 4:0, segment mask in bits 12:8
};

/// Throws InputError unless `width` is a power of two from 1 to 32.
inline CudaShuffle cuda_shuffle(ShuffleMode mode, LaneMask mask, uint32_t sb, int width) {
  const bool is_power = width >= 1 && width <= 32 && (width & (width - 1)) == 0;
  if (!is_power) {
    throw InputError("width " + std::to_string(width) +
                     " does not split a warp into equal parts; expected 1, 2, 4, 8, 16 or 32");
  }
  const uint32_t clamp = mode == ShuffleMode::kUp ? 0u : 31u;
  return {mode, mask, sb, static_cast<uint32_t>(32 - width) << 8 | clamp};
}

/// The value of lane `source_lane` of the segment, modulo its width.
inline CudaShuffle shfl_sync(LaneMask mask, int source_lane, int width = 32) {
  return cuda_shuffle(ShuffleMode::kIdx, mask, static_cast<uint32_t>(source_lane), width);
}
/// The value of the lane `delta` below; the lane's own value if that lane is outside the segment.
inline CudaShuffle shfl_up_sync(LaneMask mask, unsigned delta, int width = 32) {
  return cuda_shuffle(ShuffleMode::kUp, mask, delta, width);
}
/// The value of the lane `delta` above; the lane's own value if that lane is outside the segment.
inline CudaShuffle shfl_down_sync(LaneMask mask, unsigned delta, int width = 32) {
  return cuda_shuffle(ShuffleMode::kDown, mask, delta, width);
}
/// The value of the lane whose number is this lane's XOR `lane_mask`; the lane's own value if that
/// lane is in a later segment.
inline CudaShuffle shfl_xor_sync(LaneMask mask, int lane_mask, int width = 32) {
  return cuda_shuffle(ShuffleMode::kBfly, mask, static_cast<uint32_t>(lane_mask), width);
}

/// Which lane receives which lane's value. All lanes of the mask execute the shuffle together.
inline LaneMap lane_map(const CudaShuffle& shuffle) {
  LaneValues sb;
  LaneValues sc;
  sb.fill(shuffle.sb);
  sc.fill(shuffle.sc);
  return lane_map(shuffle.mode, sb, sc, shuffle.mask);
}

/// How many SHFLs move a value of this type: one for each 32 bits.
template <class T>
constexpr unsigned cuda_shuffle_words() {
  static_assert(std::is_arithmetic<T>::value && (sizeof(T) == 4 || sizeof(T) == 8),
                "CUDA shuffles int, unsigned, float, long long, unsigned long long and double");
  return sizeof(T) / sizeof(uint32_t);
}

/// What the lanes hold after the shuffle, `values` being what they held before. Lanes outside the
/// mask keep their value; a read from such a lane is undefined and gives zero here, as SHFL does.
template <class T>
std::array<T, kLanes> shuffled(const CudaShuffle& shuffle, const std::array<T, kLanes>& values) {
  static_assert(cuda_shuffle_words<T>() > 0, "");
  const LaneMap map = lane_map(shuffle);
  std::array<T, kLanes> result = values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (((map.executing >> lane) & 1u) == 0) continue;
    const bool undefined = ((map.undefined >> lane) & 1u) != 0;
    result[lane] = undefined ? T{} : values[map.source[lane]];
  }
  return result;
}

}  // namespace shflsim::isa
