// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/sm70/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>

namespace shflsim::isa {
namespace {

constexpr unsigned kMapTypes = 11;
constexpr unsigned kMapElementBytes[kMapTypes] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2};

// Words of the map.
constexpr unsigned kMapAddress = 0, kMapFlags = 2, kMapStrides = 3, kMapHighStrides = 7,
                   kMapDims = 8, kMapSteps = 13, kMapCorners = 14, kMapPixels = 15,
                   kMapBoxBytes = 16, kMapAlignment = 18;
// Bits of the word kMapFlags.
constexpr unsigned kRankBit = 4, kTypeBit = 7, kInterleaveBit = 11, kSwizzleBit = 13, kFillBit = 15,
                   kRoundBit = 16, kPromotionBit = 17;
constexpr uint32_t kKnownFlags = 0x7FFF1;

uint32_t field_at(uint32_t word, unsigned at, unsigned width) {
  return word >> at & ((1u << width) - 1);
}
int32_t signed_field_at(uint32_t word, unsigned at, unsigned width) {
  return static_cast<int32_t>(word << (32 - at - width)) >> (32 - width);
}
uint32_t field_of(int32_t value, unsigned at, unsigned width) {
  return (static_cast<uint32_t>(value) & ((1u << width) - 1)) << at;
}

/// Bits of a corner's coordinate: 16, 8 or 5 bits for one, two or three spatial
/// dimensions.
unsigned corner_width(unsigned spatial) { return spatial == 3 ? 5 : 16 / spatial; }

std::string what_is_unknown(const TensorMap::Words& words) {
  if ((words[kMapFlags] & ~kKnownFlags) != 0)
    return fmt::format("bits 0x{:08x} of word 2 are not known", words[kMapFlags] & ~kKnownFlags);
  for (const unsigned word : {17u, 19u, 20u, 21u, 22u, 23u, 24u, 25u, 26u, 27u, 28u, 29u, 30u, 31u})
    if (words[word] != 0) return fmt::format("word {} is 0x{:08x}; expected 0", word, words[word]);
  return "";
}

void read_flags(uint32_t flags, TensorMap* map) {
  map->is_im2col = field_at(flags, 0, 1) != 0;
  map->rank = static_cast<uint8_t>(field_at(flags, kRankBit, 3) + 1);
  map->type = static_cast<TensorMap::Type>(field_at(flags, kTypeBit, 4));
  map->interleave = static_cast<uint8_t>(field_at(flags, kInterleaveBit, 2));
  map->swizzle = static_cast<uint8_t>(field_at(flags, kSwizzleBit, 2));
  map->fills_nan = field_at(flags, kFillBit, 1) != 0;
  map->rounds = field_at(flags, kRoundBit, 1) != 0;
  map->promotion = static_cast<uint8_t>(field_at(flags, kPromotionBit, 2));
}

void read_corners(const TensorMap::Words& words, TensorMap* map) {
  map->channels = field_at(words[kMapSteps], 24, 8) + 1;
  map->pixels = field_at(words[kMapPixels], 0, 16) + 1;
  const unsigned spatial = map->rank - 2u, width = corner_width(spatial);
  for (unsigned i = 0; i < spatial; ++i) {
    map->lower[i] = signed_field_at(words[kMapCorners], width * i, width);
    map->upper[i] = signed_field_at(words[kMapCorners], 16 + width * i, width);
  }
}

bool is_float(TensorMap::Type type) { return type >= TensorMap::Type::kF16; }

/// What is wrong with the tensor itself.
std::string refused_tensor(const TensorMap& map) {
  const unsigned unit = std::max(TensorMap::kUnit, map.pixel_bytes());
  if (map.rank == 0 || map.rank > TensorMap::kMostDimensions)
    return fmt::format("{} dimensions; expected 1 to 5", map.rank);
  if ((map.is_im2col || map.interleave != 0) && map.rank < 3) {
    return fmt::format("{} of {} dimensions; expected 3 to 5",
                       map.is_im2col ? "im2col" : "an interleaved tensor", map.rank);
  }
  if (map.address % unit != 0)
    return fmt::format("the address 0x{:x}; expected a multiple of {}", map.address, unit);
  if (map.address >> TensorMap::kAddressBits != 0)
    return fmt::format("the address 0x{:x}; expected one below 2^57", map.address);
  for (unsigned i = 0; i < map.rank; ++i)
    if (map.dims[i] == 0 || map.dims[i] > TensorMap::kMostSize)
      return fmt::format("a size of {} elements; expected 1 to 2^32", map.dims[i]);
  for (unsigned i = 0; i + 1 < map.rank; ++i) {
    if (map.strides[i] % unit != 0 || map.strides[i] >= TensorMap::kStrideEnd) {
      return fmt::format("a stride of {} bytes; expected a multiple of {} below 2^40",
                         map.strides[i], unit);
    }
  }
  if (map.fills_nan && !is_float(map.type)) return "NaN outside of integers; expected floats";
  return "";
}

/// The driver adds in 32 bits with a sign: of 2^31 pixels and more it refuses most.
std::string refused_corners(const TensorMap& map) {
  const int most = 1 << (corner_width(map.rank - 2u) - 1);
  for (unsigned i = 0; i + 2 < map.rank; ++i) {
    for (const int at : {map.lower[i], map.upper[i]})
      if (at < -most || at >= most)
        return fmt::format("a corner at {}; expected {} to {}", at, -most, most - 1);
    const uint64_t size = map.dims[map.interleave == 0 ? i + 1 : i];
    if (static_cast<int32_t>(size + static_cast<uint64_t>(map.upper[i])) <= map.lower[i]) {
      return fmt::format("corners at {} and {} of a size of {}; expected places between them",
                         map.lower[i], map.upper[i], size);
    }
  }
  return "";
}

/// What is wrong with the box of `inner` elements a row.
std::string refused_box(const TensorMap& map, uint32_t inner) {
  constexpr unsigned kMostBox = 256, kMostPixels = 1024, kMostStep = 8;
  if (map.is_im2col && (map.pixels == 0 || map.pixels > kMostPixels))
    return fmt::format("{} pixels; expected 1 to {}", map.pixels, kMostPixels);
  for (unsigned i = 0; i < map.rank; ++i) {
    const uint32_t size = i == 0 ? inner : map.is_im2col ? 1 : map.box[i];
    if (size == 0 || size > kMostBox)
      return fmt::format("a box of {} elements; expected 1 to {}", size, kMostBox);
    if (map.steps[i] == 0 || map.steps[i] > kMostStep)
      return fmt::format("an element stride of {}; expected 1 to {}", map.steps[i], kMostStep);
  }
  const uint32_t bytes = inner * map.element_bytes();
  if (bytes % TensorMap::kUnit != 0)
    return fmt::format("rows of a box of {} bytes; expected a multiple of 16", bytes);
  const uint32_t most = 16u << map.swizzle;
  if (map.interleave == 0 && map.swizzle != 0 && bytes > most)
    return fmt::format("rows of a box of {} bytes; expected {} at most, the swizzle", bytes, most);
  if (map.driver_bytes() > TensorMap::kMostBoxBytes) {
    return fmt::format("a box of {} bytes; expected {} at most", map.driver_bytes(),
                       TensorMap::kMostBoxBytes);
  }
  return "";
}

std::string cannot_copy(const TensorMap& map) {
  const bool has_spatial = map.rank >= 3;
  if (map.rank > TensorMap::kMostDimensions)
    return fmt::format("{} dimensions; expected 1 to 5", map.rank);
  if (static_cast<unsigned>(map.type) >= kMapTypes)
    return fmt::format("a type of elements that is not known, {}", static_cast<unsigned>(map.type));
  if (map.is_im2col && !has_spatial)
    return fmt::format("im2col of {} dimensions; expected 3 to 5", map.rank);
  if (map.interleave > 2) return "an interleaved layout that is not known, 3";
  if (map.interleave != 0 && !has_spatial)
    return fmt::format("an interleaved tensor of {} dimensions; expected 3 to 5", map.rank);
  return "";
}

}  // namespace

std::string TensorMap::read(const Words& words, TensorMap* map) {
  *map = TensorMap{};
  std::string problem = what_is_unknown(words);
  if (!problem.empty()) return problem;
  read_flags(words[kMapFlags], map);
  problem = cannot_copy(*map);
  if (!problem.empty()) return problem;
  map->address = uint64_t{words[kMapAddress + 1]} << 32 | words[kMapAddress];
  for (unsigned i = 0; i < map->rank; ++i) {
    map->dims[i] = uint64_t{words[kMapDims + i]} + 1;
    map->steps[i] = field_at(words[kMapSteps], 3 * i, 3) + 1;
  }
  for (unsigned i = 0; i + 1 < map->rank; ++i) {
    const uint64_t high = field_at(words[kMapHighStrides], 4 * i, 4);
    map->strides[i] = (high << 32 | words[kMapStrides + i]) << 4;
  }
  if (map->is_im2col) {
    read_corners(words, map);
    return "";
  }
  map->box[0] = field_at(words[kMapSteps], 24, 8) + 1;
  for (unsigned i = 1; i < map->rank; ++i)
    map->box[i] = field_at(words[kMapCorners], 8 * (i - 1), 8) + 1;
  return "";
}

std::string TensorMap::refusal() const {
  std::string problem = refused_tensor(*this);
  if (problem.empty() && is_im2col) problem = refused_corners(*this);
  return problem.empty() ? refused_box(*this, is_im2col ? channels : box[0]) : problem;
}

TensorMap::Words TensorMap::words() const {
  Words words{};
  words[kMapAddress] = static_cast<uint32_t>(address);
  words[kMapAddress + 1] = static_cast<uint32_t>(address >> 32);
  words[kMapFlags] = uint32_t{is_im2col} | (rank - 1u) << kRankBit |
                     static_cast<uint32_t>(type) << kTypeBit |
                     uint32_t{interleave} << kInterleaveBit | uint32_t{swizzle} << kSwizzleBit |
                     uint32_t{fills_nan} << kFillBit | uint32_t{rounds} << kRoundBit |
                     uint32_t{promotion} << kPromotionBit;
  for (unsigned i = 0; i < rank; ++i) {
    words[kMapDims + i] = static_cast<uint32_t>(dims[i] - 1);
    words[kMapSteps] |= (steps[i] - 1) << (3 * i);
  }
  for (unsigned i = 0; i + 1 < rank; ++i) {
    words[kMapStrides + i] = static_cast<uint32_t>(strides[i] >> 4);
    words[kMapHighStrides] |= static_cast<uint32_t>(strides[i] >> 36) << (4 * i);
  }
  if (is_im2col) {
    words[kMapSteps] |= (channels - 1) << 24;
    words[kMapPixels] = pixels - 1;
    const unsigned spatial = rank - 2u, width = corner_width(spatial);
    for (unsigned i = 0; i < spatial; ++i)
      words[kMapCorners] |=
          field_of(lower[i], width * i, width) | field_of(upper[i], 16 + width * i, width);
  } else {
    words[kMapSteps] |= (box[0] - 1) << 24;
    for (unsigned i = 1; i < rank; ++i) words[kMapCorners] |= (box[i] - 1) << (8 * (i - 1));
  }
  // Not read by anything: bytes of a box, and its alignment.
  words[kMapBoxBytes] = static_cast<uint32_t>(driver_bytes());
  words[kMapAlignment] = swizzle == 0 ? 16 : 128u << swizzle;
  return words;
}

uint64_t TensorMap::driver_bytes() const {
  uint64_t bytes = element_bytes();
  if (is_im2col) return bytes * channels * pixels;
  for (unsigned i = 0; i < rank; ++i) bytes *= box[i] / steps[i];
  return bytes;
}

unsigned TensorMap::element_bytes() const { return kMapElementBytes[static_cast<unsigned>(type)]; }

uint32_t TensorMap::pitch() const {
  if (swizzle == 0 || interleave != 0) return row_bytes();
  return std::max(row_bytes(), 16u << swizzle);
}

uint32_t TensorMap::rows_along(unsigned dimension) const {
  if (counts_slices(dimension)) return 1;
  return (box[dimension] + steps[dimension] - 1) / steps[dimension];
}

uint32_t TensorMap::rows() const {
  if (is_im2col) return pixels;
  uint32_t rows = 1;
  for (unsigned i = first_of_rows(); i < rank; ++i) rows *= rows_along(i);
  return rows;
}

uint64_t TensorMap::exchanged(uint64_t address_of_piece) const {
  const uint64_t pieces = (1u << swizzle) - 1;
  return address_of_piece ^ (address_of_piece >> 7 & pieces) << 4;
}

TensorRows::TensorRows(const TensorMap& map, const TensorBox& box) : map_(map), box_(box) {
  for (unsigned i = 0; i < map.rank; ++i) at_[i] = box.at[i];
}

/// Pixels advance along the rows of their bounding box, then to the next row, and then to the next
/// image.
void TensorRows::next() {
  ++index_;
  const unsigned first = map_.first_of_rows();
  for (unsigned i = first; i < map_.rank; ++i) {
    if (map_.is_im2col && map_.counts_slices(i)) continue;
    at_[i] += map_.steps[i];
    if (map_.is_im2col) {
      if (!map_.is_spatial(i)) return;
      if (at_[i] < static_cast<int64_t>(map_.dims[i]) + map_.upper[i - first]) return;
      at_[i] = map_.lower[i - first];
    } else {
      if (++count_[i] < map_.rows_along(i)) return;
      count_[i] = 0;
      at_[i] = box_.at[i];
    }
  }
}

int64_t TensorRows::coordinate(unsigned dimension) const {
  const unsigned first = map_.first_of_rows();
  return at_[dimension] + (map_.is_spatial(dimension) ? box_.offsets[dimension - first] : 0);
}

uint64_t TensorRows::address() const {
  const uint64_t unit = map_.interleave != 0 ? map_.pixel_bytes() : map_.element_bytes();
  uint64_t address = map_.address + static_cast<uint64_t>(coordinate(0)) * unit;
  for (unsigned i = 1; i < map_.rank; ++i)
    address += static_cast<uint64_t>(coordinate(i)) * map_.strides[i - 1];
  return address;
}

TensorRows::Range TensorRows::inside() const {
  for (unsigned i = map_.first_of_rows(); i < map_.rank; ++i) {
    const int64_t at = coordinate(i);
    if (at < 0 || at >= static_cast<int64_t>(map_.dims[i])) return {};
  }
  const int64_t elements = map_.row_bytes() / map_.element_bytes();
  if (map_.interleave != 0) return {0, static_cast<uint32_t>(elements)};
  const int64_t first = std::clamp<int64_t>(-at_[0], 0, elements);
  const int64_t last =
      std::clamp<int64_t>(static_cast<int64_t>(map_.dims[0]) - at_[0], 0, elements);
  return {static_cast<uint32_t>(first), static_cast<uint32_t>(std::max(first, last))};
}

}  // namespace shflsim::isa
