// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace shflsim::isa {

/// The fields of a tensor map's 128 bytes, as cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col
/// write them. Measured: 5,000 random maps that the driver (580.159) encoded, and ptxas 13.0's code
/// for tensormap.replace. docs/sources.md, "Tensor maps", has the table.
struct TensorMap {
  static constexpr unsigned kBytes = 128;
  static constexpr unsigned kMostDimensions = 5;
  static constexpr unsigned kMostSpatial = 3;
  static constexpr uint64_t kMostSize = uint64_t{1} << 32;   ///< elements of a dimension
  static constexpr uint64_t kStrideEnd = uint64_t{1} << 40;  ///< strides are below, bytes
  static constexpr unsigned kAddressBits = 57;
  static constexpr uint32_t kMostBoxBytes = 228 * 1024;  ///< of driver_bytes()
  static constexpr unsigned kUnit = 16;  ///< addresses, strides and rows are multiples of, bytes

  /// The type of elements, in the order of the field's values.
  enum class Type : uint8_t {
    kU8,
    kU16,
    kU32,
    kS32,
    kU64,
    kS64,
    kF16,
    kF32,
    kFlushedF32,
    kF64,
    kBf16
  };

  using Words = std::array<uint32_t, kBytes / 4>;
  /// Reads a map. Returns what is unknown or not supported; "" if nothing, and then `map` is
  /// filled.
  static std::string read(const Words& words, TensorMap* map);
  /// What the driver refuses to encode, and what it expects; "" if nothing.
  std::string refusal() const;
  /// The words that the driver would write. The map is not refused.
  Words words() const;
  /// Bytes of a box as the driver counts them: with element strides fewer than are copied.
  uint64_t driver_bytes() const;

  unsigned element_bytes() const;
  /// Bytes of a row of a box (contiguous elements). A row of an interleaved tensor is a pixel of
  /// one slice.
  uint32_t row_bytes() const {
    return interleave != 0 ? pixel_bytes() : (is_im2col ? channels : box[0]) * element_bytes();
  }
  uint32_t pixel_bytes() const { return 16u * interleave; }
  /// The first dimension along which rows follow each other.
  unsigned first_of_rows() const { return interleave != 0 ? 0 : 1; }
  /// The last but one dimension of an interleaved tensor counts slices; a box has one slice.
  bool counts_slices(unsigned dimension) const { return interleave != 0 && dimension + 2u == rank; }
  /// True for dimensions that have an im2col offset; at most three.
  bool is_spatial(unsigned dimension) const {
    return is_im2col && dimension >= first_of_rows() && dimension < first_of_rows() + rank - 2u;
  }
  /// Bytes from one row of a box in shared memory to the next: with swizzling, a row takes all of
  /// the 32, 64 or 128 bytes.
  uint32_t pitch() const;
  /// Rows of a box.
  uint32_t rows() const;
  uint32_t rows_along(unsigned dimension) const;
  /// The swizzled shared-memory address of the bytes that would be at `address`.
  uint64_t exchanged(uint64_t address) const;

  bool is_im2col = false;
  Type type = Type::kU8;
  bool rounds = false;     ///< single precision is rounded to TensorFloat-32
  bool fills_nan = false;  ///< elements outside the tensor are NaN, else zero
  uint8_t rank = 1;        ///< dimensions
  uint8_t interleave = 0;  ///< 0 none, 1 of 16 bytes, 2 of 32
  uint8_t swizzle = 0;     ///< swizzled rows have 32 << swizzle >> 1 bytes; 0: none
  uint8_t promotion = 0;   ///< the L2 loads at least 64 << promotion >> 1 bytes; 0: none
  uint64_t address = 0;    ///< address of the tensor in global memory
  std::array<uint64_t, kMostDimensions> dims{};         ///< elements
  std::array<uint64_t, kMostDimensions - 1> strides{};  ///< bytes, from the second dimension on
  std::array<uint32_t, kMostDimensions> steps{};        ///< elements from one row to the next
  std::array<uint32_t, kMostDimensions> box{};          ///< elements; tiled only
  uint32_t channels = 0;                                ///< im2col: elements of a row
  uint32_t pixels = 0;                                  ///< im2col: rows
  std::array<int32_t, kMostSpatial> lower{};            ///< im2col: first pixel of the bounding box
  std::array<int32_t, kMostSpatial> upper{};  ///< ...and how far its end is from the tensor's
};

/// The box of an instruction: its first coordinates, and (im2col) the offsets of the pixels.
struct TensorBox {
  std::array<int32_t, TensorMap::kMostDimensions> at{};
  std::array<uint32_t, TensorMap::kMostSpatial> offsets{};
};

/// Iterates over the rows of a box, in their order in shared memory.
class TensorRows {
 public:
  TensorRows(const TensorMap& map, const TensorBox& box);

  bool at_end() const { return index_ == map_.rows(); }
  void next();

  /// Offset of the row from the box's begin in shared memory, bytes.
  uint64_t shared() const { return uint64_t{index_} * map_.pitch(); }
  /// Address of the row's first element, which may be outside the tensor.
  uint64_t address() const;
  /// Elements of the row that are in the tensor: [first, last).
  struct Range {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  Range inside() const;

 private:
  int64_t coordinate(unsigned dimension) const;

  const TensorMap& map_;
  const TensorBox& box_;
  uint32_t index_ = 0;
  std::array<int64_t, TensorMap::kMostDimensions> at_{};  ///< im2col: the pixel, without offsets
  std::array<uint32_t, TensorMap::kMostDimensions> count_{};  ///< tiled: rows in each dimension
};

}  // namespace shflsim::isa
