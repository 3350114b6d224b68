// SPDX-License-Identifier: Apache-2.0
// Copies of boxes of a tensor between global and shared memory, as a tensor map describes it:
// UTMALDG, UTMASTG, UTMAREDG. Operand A has the address of the map; B, in consecutive registers,
// the address in shared memory, a load's barrier, and the begin of the box; C a load's offsets
// (im2col, bits 15:0) and the set of the ranks of the blocks that receive it (31:16). Source:
// ptxas 13.0's code. Values: 639 loads and 400 stores of random maps by an H100.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/code/launch_layout.h"
#include "isa/machine/address_space.h"
#include "isa/machine/atomic_values.h"
#include "isa/machine/cluster.h"
#include "isa/machine/operations.h"
#include "isa/machine/sm70/tensor_map.h"
#include "isa/machine/transactions.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kTensorUnit = 16;     ///< bytes; rows and their offsets are multiples of it
constexpr unsigned kBoxAlignment = 128;  ///< alignment of a box in shared memory, bytes

uint64_t address_of_map(const Execution& execution) {
  const uint8_t index = execution.operand(Role::kA).index;
  return uint64_t{execution.warp.uniform(index + 1u)} << 32 | execution.warp.uniform(index);
}

/// Bytes of the kernel's arguments at a generic address; nullptr if the address is elsewhere.
const uint8_t* argument_at(const Grid& grid, uint64_t address, size_t size) {
  constexpr uint64_t kMostArguments = 1 << 16;
  const uint64_t offset = address - LaunchLayout::kArgumentsAddress;
  if (offset >= kMostArguments) return nullptr;
  return grid.constant(0, launch_layout(grid.program.arch).parameters + offset, size);
}

void report_fault(const Execution& execution, AccessFault fault) {
  if (fault != AccessFault::kNone)
    report_undefined(execution, 1u << first_lane(execution), text_of(fault));
}

/// For AccessOrder: the instruction uses its map, or fences it (UTMACCTL.IV).
void follow_map(const Execution& execution, uint64_t address, bool fences) {
  AccessOrder* const order = execution.block.order();
  if (order == nullptr) return;
  const AccessOrder::Warp warp{execution.block.rank, execution.warp_index};
  if (fences) return order->acquire_map(warp, address);
  report_fault(execution, order->use_map(warp, address));
}

/// The instruction's map. A map among the kernel's arguments is in constant bank 0.
TensorMap map_of(Execution& execution) {
  const uint64_t address = address_of_map(execution);
  const unsigned lane = first_lane(execution);
  TensorMap::Words words;
  const uint8_t* const argument = argument_at(execution.block.grid, address, TensorMap::kBytes);
  if (argument != nullptr) {
    std::memcpy(words.data(), argument, TensorMap::kBytes);
  } else {
    const Access access = locate(execution, Space::kGeneric, address, TensorMap::kBytes, lane);
    access.storage->read(access.offset, words.data(), TensorMap::kBytes);
    follow_map(execution, address, false);
  }
  TensorMap map;
  const std::string problem = TensorMap::read(words, &map);
  if (!problem.empty())
    fail(execution, fmt::format("the tensor map at 0x{:x} has {}", address, problem));
  return map;
}

/// Register `index` of operand B, counted from its first one.
uint32_t word_of_request(const Execution& execution, unsigned index) {
  return execution.warp.uniform(execution.operand(Role::kB).index + index);
}

/// Unpacks the offsets of im2col: one of 16 bits, two of 8 or three of 5.
void set_offsets(const TensorMap& map, uint32_t packed, TensorBox* box) {
  const unsigned spatial = map.rank - 2u, width = spatial == 3 ? 5 : 16 / spatial;
  for (unsigned i = 0; i < spatial; ++i)
    box->offsets[i] = packed >> (width * i) & ((1u << width) - 1);
}

/// Hardware reports "illegal instruction" if a box does not begin at a multiple of 16 bytes.
void check_box(const Execution& execution, const TensorMap& map, const TensorBox& box) {
  const unsigned rank = execution.instruction[Mod::k_tdim] + 1u;
  if (rank != map.rank) {
    fail(execution, fmt::format("a tensor map of {} dimensions; expected {}", map.rank, rank));
  }
  if ((execution.instruction[Mod::k_im2col] != 0) != map.is_im2col) {
    fail(execution, fmt::format("a tensor map for {}", map.is_im2col ? "im2col" : "tiles"));
  }
  if (map.interleave != 0) return;
  if (static_cast<int64_t>(box.at[0]) * map.element_bytes() % kTensorUnit != 0 ||
      map.row_bytes() % kTensorUnit != 0) {
    fail(execution,
         fmt::format("a box from element {} on, {} bytes wide; expected multiples of 16 bytes",
                     box.at[0], map.row_bytes()));
  }
}

/// The box that begins at the coordinates in the registers from `first` on.
TensorBox box_of(const Execution& execution, const TensorMap& map, unsigned first) {
  TensorBox box;
  for (unsigned i = 0; i < map.rank; ++i)
    box.at[i] = static_cast<int32_t>(word_of_request(execution, first + i));
  return box;
}

void check_alignment(const Execution& execution, uint32_t shared) {
  if (shared % kBoxAlignment == 0) return;
  fail(execution, fmt::format("a box at shared address 0x{:x}; expected a multiple of 128", shared),
       kNoLane, LaunchFault::kAlignment);
}

/// Rounds single precision to nearest in TensorFloat-32; every NaN becomes one without a sign.
uint32_t rounded_to_tensor_float(uint32_t word) {
  constexpr uint32_t kDropped = 0x1FFF, kExponent = 0x7F800000;
  if ((word & kExponent) == kExponent)
    return (word & 0x7FFFFF) == 0 ? word : 0x7FFFFFFFu & ~kDropped;
  return (word + (kDropped >> 1) + (word >> 13 & 1)) & ~kDropped;
}

/// 16 bytes of a row in shared memory.
struct Piece {
  std::array<uint8_t, kTensorUnit> bytes;
  uint8_t marks = 0;
};

/// The value of bytes outside the tensor: zero, or for all types the halves 0x7FF7.
void fill_piece(const TensorMap& map, Piece* piece) {
  for (unsigned i = 0; i < kTensorUnit; ++i)
    piece->bytes[i] = !map.fills_nan ? 0 : i % 2 != 0 ? 0x7F : 0xF7;
}

Piece load_piece(Execution& execution, const TensorMap& map, const TensorRows& rows, uint32_t at) {
  Piece piece;
  fill_piece(map, &piece);
  const TensorRows::Range inside = rows.inside();
  const unsigned size = map.element_bytes();
  for (unsigned i = 0; i < kTensorUnit; i += size) {
    const uint32_t element = (at + i) / size;
    if (element < inside.first || element >= inside.last) continue;
    const Access from =
        locate(execution, Space::kGlobal, rows.address() + at + i, size, first_lane(execution));
    from.storage->read(from.offset, &piece.bytes[i], size);
    piece.marks = static_cast<uint8_t>(piece.marks | from.storage->marks(from.offset, size));
    if (!map.rounds) continue;
    uint32_t word = 0;
    std::memcpy(&word, &piece.bytes[i], sizeof word);
    word = rounded_to_tensor_float(word);
    std::memcpy(&piece.bytes[i], &word, sizeof word);
  }
  return piece;
}

void load_box(Execution& execution, const TensorMap& map, const TensorBox& box, uint32_t shared) {
  for (TensorRows rows(map, box); !rows.at_end(); rows.next()) {
    for (uint32_t at = 0; at < map.row_bytes(); at += kTensorUnit) {
      const Piece piece = load_piece(execution, map, rows, at);
      const uint64_t to = map.exchanged(shared + rows.shared() + at);
      const Access access =
          locate(execution, Space::kCluster, to, kTensorUnit, first_lane(execution));
      access.storage->write(access.offset, piece.bytes.data(), kTensorUnit, piece.marks);
    }
  }
}

/// Of the `count` elements of a row, `left` are in the tensor, behind `before` that are not.
void set_row(int64_t count, int64_t before, int64_t left, uint32_t element_bytes,
             BulkCopy::Rows* rows) {
  rows->bytes = static_cast<uint32_t>(left) * element_bytes;
  rows->before = static_cast<uint16_t>(before * element_bytes);
  rows->after = static_cast<uint16_t>((count - before - left) * element_bytes);
}

/// Sets the rows of the part of a tiled box that is in the tensor. Rows of im2col and of
/// interleaved tensors count as contiguous.
void set_rows(const TensorMap& map, const TensorBox& box, BulkCopy* copy) {
  copy->address = TensorRows(map, box).address();
  copy->rows.is_box = true;
  const bool is_plain = !map.is_im2col && map.interleave == 0;
  copy->rows.bytes = map.row_bytes() * (is_plain ? 1 : map.rows());
  bool is_empty = false;
  for (unsigned i = 0; i < map.rank && is_plain; ++i) {
    const int64_t step = i == 0 ? 1 : map.steps[i];
    const int64_t count = i == 0 ? map.box[0] : map.rows_along(i);
    const int64_t before = box.at[i] >= 0 ? 0 : (step - 1 - int64_t{box.at[i]}) / step;
    const int64_t inside = (static_cast<int64_t>(map.dims[i]) - box.at[i] + step - 1) / step;
    const int64_t left = std::max<int64_t>(0, std::min(count, inside) - before);
    const uint64_t stride =
        static_cast<uint64_t>(step) * (i == 0 ? map.element_bytes() : map.strides[i - 1]);
    copy->address += static_cast<uint64_t>(before) * stride;
    is_empty = is_empty || left == 0;
    if (i == 0) set_row(count, std::min(before, count), left, map.element_bytes(), &copy->rows);
    if (i == 0) continue;
    copy->rows.counts[i - 1] = static_cast<uint16_t>(left);
    copy->rows.strides[i - 1] = stride;
  }
  if (is_empty) copy->rows.bytes = 0;
}

BulkCopy copy_of(const Execution& execution, const TensorMap& map, const TensorBox& box,
                 BulkCopy::Way way) {
  BulkCopy copy;
  copy.way = way;
  copy.map = address_of_map(execution);
  copy.bytes = map.rows() * map.row_bytes();
  set_rows(map, box, &copy);
  return copy;
}

bool names_blocks_or_offsets(const Instruction& instruction) {
  return !instruction[Role::kC].is(Operand::Kind::kNone);
}

void utmaldg(Execution& execution) {
  const TensorMap map = map_of(execution);
  TensorBox box = box_of(execution, map, 2);
  check_box(execution, map, box);
  const uint32_t shared = word_of_request(execution, 0), barrier = word_of_request(execution, 1);
  check_alignment(execution, shared);
  const uint32_t extra = names_blocks_or_offsets(execution.instruction)
                             ? execution.warp.uniform(execution.operand(Role::kC).index)
                             : 0;
  if (map.is_im2col) set_offsets(map, extra, &box);
  BulkCopy copy = copy_of(execution, map, box, BulkCopy::Way::kToShared);
  const unsigned lane = first_lane(execution);
  if (execution.instruction[Mod::k_multicast] == 0) {
    load_box(execution, map, box, shared);
    copy.receivers.push_back(receiver_at(execution, barrier, lane));
    return begin_copy(execution, copy);
  }
  for (uint32_t rank = 0; rank < kMostClusterBlocks; ++rank) {
    if ((extra >> 16 >> rank & 1u) == 0) continue;
    const uint32_t base = rank << Cluster::kRankBit;
    load_box(execution, map, box, base | static_cast<uint32_t>(shared_offset(shared)));
    const uint32_t its = base | static_cast<uint32_t>(shared_offset(barrier));
    copy.receivers.push_back(receiver_at(execution, its, lane));
  }
  begin_copy(execution, copy);
}

/// The box of a store or reduction. Its coordinates must not be negative (CUDA C++ Programming
/// Guide, "Tensor memory access").
TensorBox target_box(Execution& execution, const TensorMap& map) {
  const TensorBox box = box_of(execution, map, 1);
  check_box(execution, map, box);
  check_alignment(execution, word_of_request(execution, 0));
  // An H200 stops with "illegal instruction" (measured: 178 of 178 maps with such corners).
  for (unsigned i = 0; map.is_im2col && i + 2 < map.rank; ++i) {
    if (map.lower[i] < 0 || map.upper[i] > 0)
      fail(execution, "a target by im2col with corners outside of the tensor");
  }
  for (unsigned i = 0; i < map.rank; ++i) {
    if (box.at[i] < 0)
      fail(execution,
           fmt::format("a box from {} on in dimension {}; expected 0 or more", box.at[i], i));
  }
  return box;
}

/// Calls f(source, target) for each element of the box that is in the tensor, as `size` bytes, and
/// for the rest of the last 16 bytes, as an H100 does.
template <class F>
void for_each_element(Execution& execution, const TensorMap& map, const TensorBox& box,
                      unsigned size, F f) {
  const unsigned lane = first_lane(execution);
  const uint32_t shared = word_of_request(execution, 0);
  for (TensorRows rows(map, box); !rows.at_end(); rows.next()) {
    const TensorRows::Range inside = rows.inside();
    const uint32_t first = inside.first * map.element_bytes();
    const uint32_t end = inside.last * map.element_bytes();
    const uint32_t last = (end + kTensorUnit - 1) / kTensorUnit * kTensorUnit;
    for (uint32_t at = first; at < last; at += size) {
      const uint64_t piece = map.exchanged(shared + rows.shared() + at / kTensorUnit * kTensorUnit);
      f(locate(execution, Space::kShared, piece + at % kTensorUnit, size, lane),
        locate(execution, Space::kGlobal, rows.address() + at, size, lane));
    }
  }
}

void utmastg(Execution& execution) {
  const TensorMap map = map_of(execution);
  const TensorBox box = target_box(execution, map);
  const unsigned size = map.element_bytes();
  for_each_element(execution, map, box, size, [&](const Access& source, const Access& target) {
    uint8_t value[8];
    source.storage->read(source.offset, value, size);
    target.storage->write(target.offset, value, size, source.storage->marks(source.offset, size));
  });
  begin_copy(execution, copy_of(execution, map, box, BulkCopy::Way::kToGlobal));
}

/// The type of a reduction. Halves are combined in pairs, of which one may be outside.
AtomicValue::Type atomic_type_of(const TensorMap& map) {
  constexpr AtomicValue::Type kAtomicTypes[] = {
      AtomicValue::kNone, AtomicValue::kNone, AtomicValue::kU32,   AtomicValue::kS32,
      AtomicValue::kU64,  AtomicValue::kS64,  AtomicValue::kF16x2, AtomicValue::kF32Whole,
      AtomicValue::kF32,  AtomicValue::kF64,  AtomicValue::kBf16x2};
  return kAtomicTypes[static_cast<unsigned>(map.type)];
}

/// Of signed words of 64 bits only the minimum and the maximum: an H200 stops at their sums and
/// bitwise operations with "illegal instruction" (measured: 74 of 74 random tensor maps).
bool is_reduced(AtomicValue::Type type, uint8_t operation) {
  const bool compares = operation == AtomicValue::kMin || operation == AtomicValue::kMax;
  if (type == AtomicValue::kS64) return compares;
  return type != AtomicValue::kNone && AtomicValue::is_defined(operation, type);
}

void utmaredg(Execution& execution) {
  const TensorMap map = map_of(execution);
  const TensorBox box = target_box(execution, map);
  const AtomicValue::Type type = atomic_type_of(map);
  const uint8_t operation = execution.instruction[Mod::k_atom];
  if (!is_reduced(type, operation))
    fail(execution, "a reduction that is not defined for the type of the tensor map's elements");
  const unsigned size = map.element_bytes();
  for_each_element(execution, map, box, size, [&](const Access& source, const Access& target) {
    uint64_t value = 0, old = 0;
    source.storage->read(source.offset, &value, size);
    target.storage->read(target.offset, &old, size);
    const auto marks = static_cast<uint8_t>(source.storage->marks(source.offset, size) |
                                            target.storage->marks(target.offset, size));
    const uint64_t result = AtomicValue::updated(operation, type, old, value);
    target.storage->write(target.offset, &result, size, marks);
  });
  BulkCopy copy = copy_of(execution, map, box, BulkCopy::Way::kToGlobal);
  copy.reduces = true;
  begin_copy(execution, copy);
}

/// A prefetch to the L2, which does not change memory.
void utmapf(Execution& execution) {
  const TensorMap map = map_of(execution);
  const TensorBox box = box_of(execution, map, 0);
  check_box(execution, map, box);
  begin_copy(execution, copy_of(execution, map, box, BulkCopy::Way::kPrefetching));
}

/// UTMACCTL: a prefetch of a map, or a fence of the maps' proxy.
void utmacctl(Execution& execution) {
  constexpr uint8_t kFence = 0;  // value of the field utmacctl
  if (execution.lanes != 0 && execution.instruction[Mod::k_utmacctl] == kFence)
    follow_map(execution, address_of_map(execution), true);
}

std::string refuse_tensor_load(const Instruction& instruction) {
  if (instruction[Mod::k_gather] != 0) return "the form .GATHER4";
  return instruction[Mod::k_two_ctas] != 0 ? "the form .2CTA" : "";
}

}  // namespace

void add_sm70_tensor_operations(OperationTable& table) {
  entry(table, Op::kSm70_UTMALDG) = {utmaldg, refuse_tensor_load};
  entry(table, Op::kSm70_UTMASTG) = {utmastg};
  entry(table, Op::kSm70_UTMAREDG) = {utmaredg};
  entry(table, Op::kSm70_UTMAPF) = {utmapf};
  entry(table, Op::kSm70_UTMACCTL) = {utmacctl};
}

}  // namespace shflsim::isa
