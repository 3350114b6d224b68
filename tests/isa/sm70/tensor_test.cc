// SPDX-License-Identifier: Apache-2.0
// Products of a warpgroup and copies through tensor maps, compared with an H100's results
// (tests/data/hopper), and their errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "isa/base/launch_error.h"
#include "isa/dialects/source.h"
#include "isa/machine/machine.h"
#include "isa/machine/sm70/shared_matrix.h"
#include "isa/machine/sm70/tensor_map.h"
#include "tests/isa/machine_support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace sm70_tensor_test {

using ::testing::HasSubstr;

constexpr size_t kOutBytes = 32768;

uint32_t hash_of(uint32_t i) {
  uint32_t v = i * 2654435761u;
  v ^= v >> 15;
  v *= 2246822519u;
  v ^= v >> 13;
  v *= 3266489917u;
  v ^= v >> 16;
  if ((i & 15) == 7) v &= 0x807FFFFF;
  if ((i & 15) == 11) v &= 0x83FF83FF;
  return v;
}

uint64_t fnv(const std::vector<uint8_t>& bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

struct Shape {
  const char* kernel;
  uint32_t blocks, threads, shared;
};
constexpr Shape kShapes[] = {
    {"specialised", 1, 384, 67584},
    {"boxes", 20, 128, 9216},
    {"stores", 8, 64, 9216},
    {"changed_map", 1, 32, 9216},
    {"halves_transposed", 1, 128, 0},
    {"halves_to_halves", 1, 128, 0},
    {"bfloats_registers", 1, 128, 0},
    {"tensor_floats", 1, 128, 0},
    {"tensor_floats_registers", 1, 128, 0},
    {"bytes_signed", 1, 128, 0},
    {"bytes_registers", 1, 128, 0},
    {"eight_bits", 1, 128, 0},
    {"eight_bits_registers", 1, 128, 0},
};

std::vector<uint8_t> out_of(const Source& source, const Shape& shape) {
  std::vector<uint8_t> in(kOutBytes);
  for (uint32_t i = 0; i < kOutBytes / 4; ++i) {
    const uint32_t word = hash_of(i + 1000);
    std::memcpy(&in[4 * i], &word, sizeof word);
  }
  DeviceMemory memory;
  const uint64_t buffers[] = {memory.allocate(in), memory.allocate(std::vector<uint8_t>(kOutBytes)),
                              memory.allocate(std::vector<uint8_t>(1 << 20))};
  Launch launch;
  launch.grid = {shape.blocks, 1, 1};
  launch.block = {shape.threads, 1, 1};
  launch.shared_bytes = shape.shared;
  launch.parameters.resize(sizeof buffers);
  std::memcpy(launch.parameters.data(), buffers, sizeof buffers);
  StepObserver nobody;
  execute(source.program(shape.kernel), launch, memory, nobody);
  return memory.bytes(buffers[1]);
}

TEST(Sm70Tensor, KernelsLeaveWhatAnH100LeftBitForBit) {
  std::map<std::string, uint64_t> expected;
  std::ifstream file(test::data_path("hopper/tensor.expected.txt"));
  std::string kernel, hash;
  while (file >> kernel >> hash) expected[kernel] = std::stoull(hash, nullptr, 16);
  ASSERT_EQ(expected.size(), std::size(kShapes));
  const auto source = open_source(test::data_path("hopper/tensor.sm90a.cubin.gz"));
  for (const Shape& shape : kShapes)
    EXPECT_EQ(fnv(out_of(*source, shape)), expected.at(shape.kernel)) << shape.kernel;
}

// ---- kernels that read and write words

struct Words {
  const char* file;
  const char* kernel;
  uint32_t blocks, threads;
  size_t bytes;  ///< of the output
  uint64_t hash;
};
constexpr Words kWords[] = {
    {"h100/hopper/sparse.sm90.cubin.gz", "sparse_halves", 8, 128, 32768, 0xDEEC6799C6FC0C04},
    {"h100/hopper/sparse.sm90.cubin.gz", "sparse_halves_1", 8, 128, 32768, 0xE158AE3A414B49E0},
    {"h100/hopper/sparse.sm90.cubin.gz", "sparse_bfloats_turned", 8, 128, 32768,
     0xF3EB9CC5573CBC42},
    {"h100/hopper/sparse.sm90.cubin.gz", "sparse_tensor_floats", 8, 128, 32768, 0xCE42BEFD22DFF8DB},
    {"h100/hopper/sparse.sm90.cubin.gz", "sparse_tensor_floats_1", 8, 128, 32768,
     0x45E8A5A2A2E082A6},
    {"h100/hopper/sparse.sm90.cubin.gz", "sparse_bytes", 8, 128, 32768, 0xAED331309F489E32},
    {"h100/hopper/sparse.sm90.cubin.gz", "sparse_bytes_registers", 8, 128, 32768,
     0x1BC7D1B1A1A880A1},
    {"h100/hopper/sparse.sm90.cubin.gz", "sparse_eight_bits", 8, 128, 32768, 0x657A24C050A13EBC},
    {"h100/hopper/sparse.sm90.cubin.gz", "sparse_eight_bits_registers", 8, 128, 32768,
     0x4C95F75A3F41F125},
    {"h100/hopper/clusters.sm90.cubin.gz", "sums_of_eight", 16, 128, 32768, 0x8021F196D195E031},
    {"h100/hopper/clusters.sm90.cubin.gz", "tiles_between_eight", 8, 64, 65536, 0x28AC7606AF377314},
    {"h100/hopper/warps.sm90.cubin.gz", "matrices_of_lanes", 5, 96, 3840, 0x32DFE70428100791},
    {"h100/hopper/warps.sm90.cubin.gz", "elected_lanes", 6, 128, 9216, 0xA57F84C64679B0E8},
    {"h100/hopper/products.sm90.cubin.gz", "widths_in_turn", 4, 256, 131072, 0x940F2EFE7B3B8707},
    {"hopper/faults.sm90a.cubin.gz", "products_of_cluster", 4, 128, 16384, 0xA967C7159CD1D817},
};

TEST(Sm70Hopper, SparseProductsAndClustersLeaveWhatAnH100LeftBitForBit) {
  std::vector<uint8_t> in(4 << 16);
  for (uint32_t i = 0; i < in.size() / 4; ++i) {
    const uint32_t word = hash_of(i + 1000);
    std::memcpy(&in[4 * i], &word, sizeof word);
  }
  for (const Words& words : kWords) {
    DeviceMemory memory;
    const uint64_t buffers[] = {memory.allocate(in),
                                memory.allocate(std::vector<uint8_t>(words.bytes))};
    Launch launch;
    launch.grid = {words.blocks, 1, 1};
    launch.block = {words.threads, 1, 1};
    launch.parameters.resize(sizeof buffers);
    std::memcpy(launch.parameters.data(), buffers, sizeof buffers);
    StepObserver nobody;
    const auto source = open_source(test::data_path(words.file));
    execute(source->program(words.kernel), launch, memory, nobody);
    EXPECT_EQ(fnv(memory.bytes(buffers[1])), words.hash) << words.kernel;
  }
}

uint64_t descriptor(uint64_t start, uint64_t leading, uint64_t stride, uint64_t base,
                    uint64_t mode) {
  return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | base << 49 | mode << 62;
}

TEST(Sm70SharedMatrix, PiecesStandWhereAnH100ReadThem) {
  const SharedMatrix plain(descriptor(0x1230, 0x80, 0x100, 0, 0));
  EXPECT_EQ(plain.piece(0, 0), 0x1230u);
  EXPECT_EQ(plain.piece(9, 1), 0x1230u + 0x10 + 0x100 + 0x80);
  EXPECT_EQ(plain.transposed_piece(1, 9), 0x1230u + 0x100 + 0x80 + 0x10);
  const SharedMatrix rows128(descriptor(0x2800, 0x20, 0x280, 0, 1));
  EXPECT_EQ(rows128.piece(0, 0), 0x2800u);
  EXPECT_EQ(rows128.piece(1, 0), 0x2890u);  // row 1: piece 0 is in place 1
  EXPECT_EQ(rows128.piece(2, 1), 0x2930u);  // row 2: piece 1 is in place 3
  const SharedMatrix moved(descriptor(0x2800, 0x20, 0x280, 1, 1));
  EXPECT_EQ(moved.piece(0, 0), 0x2870u);  // measured: less the base offset
  EXPECT_EQ(moved.piece(1, 0), 0x2880u);
  EXPECT_EQ(moved.piece(2, 0), 0x2910u);
  const SharedMatrix rows64(descriptor(0x42a0, 0x1a0, 0x3a0, 5, 2));
  EXPECT_EQ(rows64.transposed_piece(0, 0), 0x42a0u);
  const SharedMatrix rows32(descriptor(0x3d50, 0x6e0, 0x4b0, 7, 3));
  EXPECT_EQ(rows32.transposed_piece(0, 0), 0x3d40u);
}

/// The error that a product by `threads` threads raises.
std::string failure_of_product(uint32_t threads, const char* kernel) {
  const auto source = open_source(test::data_path("hopper/tensor.sm90a.cubin.gz"));
  try {
    out_of(*source, {kernel, 1, threads, 0});
  } catch (const LaunchError& error) {
    return error.what();
  }
  return "";
}

TEST(Sm70GroupProduct, AGroupOfFewerThanFourWarpsIsAnError) {
  EXPECT_THAT(failure_of_product(96, "bytes_signed"), HasSubstr("in a group of fewer"));
  EXPECT_THAT(failure_of_product(120, "bytes_signed"), HasSubstr("without all lanes of a warp"));
}

// ---- tensor maps

struct MapLine {
  TensorMap map;
  TensorMap::Words words{};
};

template <class T>
T next_of(std::istream& in) {
  int64_t value = 0;
  in >> value;
  return static_cast<T>(value);
}

/// A line of maps.txt: the driver's arguments and the map that it made of them.
MapLine line_of(const std::string& text) {
  static constexpr uint8_t kTypeOf[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 8, 7, 8};
  std::istringstream in(text);
  MapLine line;
  TensorMap& map = line.map;
  map.is_im2col = next_of<int>(in) != 0;
  const auto type = next_of<size_t>(in);
  map.type = static_cast<TensorMap::Type>(kTypeOf[type]);
  map.rounds = type > 10;
  map.rank = next_of<uint8_t>(in);
  map.interleave = next_of<uint8_t>(in);
  map.swizzle = next_of<uint8_t>(in);
  map.promotion = next_of<uint8_t>(in);
  map.fills_nan = next_of<int>(in) != 0;
  in >> map.address;
  for (unsigned i = 0; i < map.rank; ++i) in >> map.dims[i];
  for (unsigned i = 0; i + 1 < map.rank; ++i) in >> map.strides[i];
  if (map.is_im2col) {
    for (unsigned i = 0; i + 2 < map.rank; ++i) in >> map.lower[i];
    for (unsigned i = 0; i + 2 < map.rank; ++i) in >> map.upper[i];
    in >> map.channels >> map.pixels;
  } else {
    for (unsigned i = 0; i < map.rank; ++i) in >> map.box[i];
  }
  for (unsigned i = 0; i < map.rank; ++i) in >> map.steps[i];
  in >> std::ws;
  in.get();  // the colon
  for (unsigned i = 0; i < 19; ++i) in >> std::hex >> line.words[i];
  return line;
}

TEST(TensorMap, ReadsAndWritesTheWordsOfTheDriver) {
  std::ifstream file(test::data_path("hopper/maps.txt"));
  unsigned read = 0;
  for (std::string text; std::getline(file, text);) {
    const MapLine line = line_of(text);
    TensorMap map;
    const std::string problem = TensorMap::read(line.words, &map);
    ASSERT_EQ(problem, "") << text;
    EXPECT_EQ(line.map.words(), line.words) << text;
    EXPECT_EQ(map.words(), line.words) << text;
    ++read;
  }
  EXPECT_EQ(read, 220u);
}

TensorMap::Words plane() {
  TensorMap map;
  map.rank = 2;
  map.type = TensorMap::Type::kF32;
  map.address = 0x100000000;
  map.dims = {10, 3};
  map.strides = {64};
  map.box = {8, 2};
  map.steps = {1, 1};
  return map.words();
}

TEST(TensorMap, WhatIsNotUnderstoodIsNamed) {
  TensorMap map;
  TensorMap::Words words = plane();
  EXPECT_EQ(TensorMap::read(words, &map), "");
  words[2] |= 1u << 22;
  EXPECT_EQ(TensorMap::read(words, &map), "bits 0x00400000 of word 2 are not known");
  words = plane();
  words[25] = 7;
  EXPECT_EQ(TensorMap::read(words, &map), "word 25 is 0x00000007; expected 0");
  words = plane();
  words[2] |= 11u << 7;
  EXPECT_EQ(TensorMap::read(words, &map), "a type of elements that is not known, 15");
  words = plane();
  words[2] |= 7u << 4;
  EXPECT_EQ(TensorMap::read(words, &map), "8 dimensions; expected 1 to 5");
  words = plane();
  words[2] |= 1;
  EXPECT_EQ(TensorMap::read(words, &map), "im2col of 2 dimensions; expected 3 to 5");
}

TEST(TensorMap, RowsOfABoxAreClippedByTheTensor) {
  TensorMap map;
  ASSERT_EQ(TensorMap::read(plane(), &map), "");
  TensorBox box;
  box.at = {4, -1};
  TensorRows rows(map, box);
  EXPECT_EQ(rows.inside().last, 0u);  // above the tensor
  rows.next();
  EXPECT_EQ(rows.shared(), 32u);
  EXPECT_EQ(rows.address(), 0x100000010u);
  EXPECT_EQ(rows.inside().first, 0u);
  EXPECT_EQ(rows.inside().last, 6u);  // elements 4 to 9 of 10
  rows.next();
  EXPECT_TRUE(rows.at_end());
}

/// Rows of 64 pixels of 16 bytes, 6 of them, 5 slices, 3 images.
TensorMap slices() {
  TensorMap map;
  map.rank = 4;
  map.type = TensorMap::Type::kU16;
  map.interleave = 1;
  map.dims = {64, 6, 5, 3};
  map.strides = {0x100, 0x1000, 0x8000};
  map.box = {32, 3, 2, 1};
  map.steps = {2, 1, 1, 1};
  return map;
}

TEST(TensorMap, RowsOfAnInterleavedTensorArePixelsOfOneSlice) {
  const TensorMap map = slices();
  TensorBox box;
  box.at = {56, 4, 4, 2};
  TensorRows rows(map, box);
  EXPECT_EQ(map.rows(), 48u);
  EXPECT_EQ(rows.address(), 0x14780u);
  EXPECT_EQ(rows.inside().last, 8u);
  for (unsigned i = 0; i < 4; ++i) rows.next();
  EXPECT_EQ(rows.shared(), 64u);
  EXPECT_EQ(rows.inside().last, 0u);  // pixel 64
  for (unsigned i = 0; i < 12; ++i) rows.next();
  EXPECT_EQ(rows.address(), 0x14880u);
  for (unsigned i = 0; i < 16; ++i) rows.next();
  EXPECT_EQ(rows.inside().last, 0u);  // row 6
  for (unsigned i = 0; i < 16; ++i) rows.next();
  EXPECT_TRUE(rows.at_end());
}

TEST(TensorMap, Im2colOfAnInterleavedTensorStaysInItsSlice) {
  TensorMap map = slices();
  map.is_im2col = true;
  map.steps = {1, 1, 1, 1};
  map.lower = {-1, -1};
  map.upper = {-1, -4};
  map.pixels = 3;
  TensorBox box;
  box.at = {62, 0, 2, 0};
  box.offsets = {1, 2};
  TensorRows rows(map, box);
  EXPECT_EQ(rows.address(), 0x2000u + 0x200u + 63u * 16u);
  rows.next();
  EXPECT_EQ(rows.address(), 0x2000u + 0x300u);  // the next row's corner, plus the offsets
  box.at = {62, 1, 2, 0};
  TensorRows last(map, box);
  last.next();
  EXPECT_EQ(last.address(), 0x8000u + 0x2000u + 0x100u);  // the next image
}

/// B is read at address 0: column c has the words 4 c to 4 c + 3 twice, word n being n.
TEST(Sm70Tensor, BitProductsCountThePlacesWhereBothHaveOnes) {
  Experiment one(
      {"SHF.L.U32 R3, R0, 0x2, RZ", "STS [R3], R0", "BAR.SYNC 0x0", "MOV R4, 0xffffffff",
       "MOV R5, 0xffffffff", "MOV R6, 0xffffffff", "MOV R7, 0x0", "MOV R24, 0x64", "MOV R25, 0x0",
       "MOV R26, 0x0", "MOV R27, 0x0", "WARPGROUP.ARRIVE",
       "BGMMA.64x8x256.AND.POPC R24, R4, gdesc[URZ], R24, gsb0", "WARPGROUP.DEPBAR.LE gsb0, 0x0"},
      Arch::kSm90);
  std::vector<uint32_t> lanes(kLanes);
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes[lane] = lane;
  one.set_lanes(0, lanes);
  one.launch.block = {128, 1, 1};
  one.launch.shared_bytes = 1024;
  one.run();
  const auto ones = [](uint32_t column) {
    uint32_t sum = 0;
    for (uint32_t word = 4 * column; word < 4 * column + 4; ++word)
      sum += static_cast<uint32_t>(__builtin_popcount(word));
    return sum;
  };
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t column = lane % 4 * 2;
    EXPECT_EQ(one.value(24, lane), 100 + 2 * ones(column)) << lane;
    EXPECT_EQ(one.value(25, lane), 2 * ones(column + 1)) << lane;
    EXPECT_EQ(one.value(26, lane), ones(column)) << lane;  // the second half of these rows is 0
  }
}

TEST(Sm70Tensor, AProductWithoutAResultThatOnlyEndsAGroupReadsNoDescriptor) {
  Experiment one(
      {"UMOV UR4, 0xffffffff", "WARPGROUP.ARRIVE",
       "HGMMA.64x8x16.F16 RZ, gdesc[URZ], RZ, !UPT, gsb0", "WARPGROUP.DEPBAR.LE gsb0, 0x0"},
      Arch::kSm90);
  one.launch.block = {128, 1, 1};
  one.launch.shared_bytes = 1024;
  EXPECT_EQ(one.failure(), "");
}

}  // namespace sm70_tensor_test
}  // namespace shflsim::isa
