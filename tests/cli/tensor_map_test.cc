// SPDX-License-Identifier: Apache-2.0
// Tensor maps as arguments of a kernel: the bytes are the driver's, and so are the refusals.
#include "cli/options/tensor_map_argument.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

#include "isa/base/input_error.h"
#include "tests/support/files.h"

namespace shflsim::cli {
namespace tensor_map_test {

/// The next `count` numbers of a line, separated by x.
std::string numbers_of(std::istream& in, unsigned count) {
  std::string text, number;
  for (unsigned i = 0; i < count && in >> number; ++i) text += (i == 0 ? "" : "x") + number;
  return text;
}

/// A line of tests/data/hopper/maps.txt as the fields of an argument.
std::string fields_of(std::istream& in, uint64_t* address) {
  static constexpr const char* kTypes[] = {"u8",  "u16", "u32",  "s32",    "u64",  "s64",    "f16",
                                           "f32", "f64", "bf16", "f32ftz", "tf32", "tf32ftz"};
  static constexpr unsigned kSwizzles[] = {0, 32, 64, 128}, kPromotions[] = {0, 64, 128, 256};
  unsigned kind = 0, type = 0, rank = 0, interleave = 0, swizzle = 0, promotion = 0, fill = 0;
  in >> kind >> type >> rank >> interleave >> swizzle >> promotion >> fill >> *address;
  const std::string sizes = numbers_of(in, rank);
  const std::string strides = rank > 1 ? numbers_of(in, rank - 1) : "packed";
  std::string corners, box;
  if (kind == 1) {
    corners = ",im2col=" + numbers_of(in, rank - 2);
    corners += ":" + numbers_of(in, rank - 2);
  }
  box = numbers_of(in, kind == 1 ? 2 : rank);
  std::ostringstream out;
  out << ',' << kTypes[type] << ',' << sizes << ',' << strides << ',' << box << ','
      << kSwizzles[swizzle] << ",steps=" << numbers_of(in, rank)
      << ",interleave=" << 16 * interleave << ",promotion=" << kPromotions[promotion]
      << ",fill=" << (fill != 0 ? "nan" : "zero") << corners;
  return out.str();
}

TEST(TensorMapArgument, HasTheBytesThatTheDriverMakesOfTheSameArguments) {
  std::ifstream file(test::data_path("hopper/maps.txt"));
  unsigned compared = 0;
  for (std::string text; std::getline(file, text); ++compared) {
    std::istringstream in(text);
    uint64_t address = 0;
    const std::string fields = fields_of(in, &address);
    in.ignore(static_cast<std::streamsize>(text.size()), ':');
    std::array<uint32_t, 32> expected{}, words{};
    for (unsigned i = 0; i < 19; ++i) in >> std::hex >> expected[i];
    const std::vector<uint8_t> bytes = tensor_map_bytes(fields, address, "--arg");
    ASSERT_EQ(bytes.size(), sizeof words);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    EXPECT_EQ(words, expected) << fields;
  }
  EXPECT_EQ(compared, 220u);
}

std::string refusal_of(const std::string& fields, uint64_t address = 0x100000) {
  try {
    tensor_map_bytes("," + fields, address, "--arg");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

struct Refused {
  const char* fields;
  const char* problem;
};

TEST(TensorMapArgument, IsRefusedWhereTheDriverRefusesIt) {
  static constexpr Refused kRefused[] = {
      {"f32,64x0,256,16x1,0", "a size of 0 elements; expected 1 to 2^32"},
      {"f32,64x4294967297,256,16x1,0", "a size of 4294967297 elements; expected 1 to 2^32"},
      {"f32,64x4,1099511627776,16x1,0",
       "a stride of 1099511627776 bytes; expected a multiple of 16 below 2^40"},
      {"u64,4294967296x4294967296x2,packed,16x1x1,0",
       "a stride of 1099511627776 bytes; expected a multiple of 16 below 2^40"},
      {"f32,64x4,256,16x257,0", "a box of 257 elements; expected 1 to 256"},
      {"f32,64x4,256,16x0,0", "a box of 0 elements; expected 1 to 256"},
      {"f32,64x4,256,16x1,0,steps=1x9", "an element stride of 9; expected 1 to 8"},
      {"f32,64x4,256,16x1,0,steps=0x1", "an element stride of 0; expected 1 to 8"},
      {"u32,64x4,256,16x1,0,fill=nan", "NaN outside of integers; expected floats"},
      {"f32,64x4,256,16x1,32,interleave=32",
       "an interleaved tensor of 2 dimensions; expected 3 to 5"},
      {"f32,64x4x4,2064x8192,16x1x1,32,interleave=32",
       "a stride of 2064 bytes; expected a multiple of 32 below 2^40"},
      {"f32,64x4x4,256x1024,16x1025,0,im2col=0:0", "1025 pixels; expected 1 to 1024"},
      {"f32,64x4x4x4,256x1024x4096,16x8,0,im2col=-129x0:0x0",
       "a corner at -129; expected -128 to 127"},
      {"f32,64x4x4x4x4,256x1024x4096x16384,16x8,0,im2col=0x0x0:0x16x0",
       "a corner at 16; expected -16 to 15"},
      {"f32,64x4x4,256x1024,16x8,0,im2col=2:-2",
       "corners at 2 and -2 of a size of 4; expected places between them"},
      {"f32,64x4x4,2048x8192,15x1x1,0,interleave=16",
       "rows of a box of 60 bytes; expected a multiple of 16"},
      {"u8,512x512x512,512x262144,256x256x4,0", "a box of 262144 bytes; expected 233472 at most"},
      {"f32,64x4x4,2048x8192,256x256x1,0,interleave=16",
       "a box of 262144 bytes; expected 233472 at most"},
      {"f32,256x256x4,1024x262144,256x229,0,im2col=0:0",
       "a box of 234496 bytes; expected 233472 at most"},
      {"f32,64x2147483648x4,256x1024,16x8,0,im2col=0:0",
       "corners at 0 and 0 of a size of 2147483648; expected places between them"},
  };
  for (const Refused& each : kRefused)
    EXPECT_EQ(refusal_of(each.fields), std::string("--arg: ") + each.problem) << each.fields;
  EXPECT_EQ(refusal_of("f32,64x4,256,16x1,0", 0x100008),
            "--arg: the address 0x100008; expected a multiple of 16");
  EXPECT_EQ(refusal_of("f32,64x4,256,16x1,0", uint64_t{1} << 57),
            "--arg: the address 0x200000000000000; expected one below 2^57");
  for (const char* accepted :
       {"f32,64x4,256,16x1,0", "u8,512x512x512,512x262144,256x228x4,0",
        "u8,512x512x512,512x262144,256x224x256,0,steps=1x8x8", "u8,512x512,512,256x256,0,steps=8x1",
        "f32,256x256x4,1024x262144,256x228,0,im2col=0:0",
        "f32,64x2147483648x4,256x1024,16x8,0,im2col=0:-1"})
    EXPECT_EQ(refusal_of(accepted, (uint64_t{1} << 57) - 16), "") << accepted;
}

TEST(TensorMapArgument, NamesAPartThatIsWrong) {
  static constexpr Refused kWrong[] = {
      {"f32,64x4,256,16x1", "expected map:BUFFER,TYPE,DIMS,STRIDES,BOX,SWIZZLE"},
      {"f32,64x4,256,16x1,0,1", "KEY=VALUE with steps, interleave, fill, promotion or im2col"},
      {"f32,64x4,256,16x1,0,size=1", "'size'; expected steps, interleave, fill"},
      {"f32,64x4,256,16x1,0,steps=1", "'1' are 1 sizes; expected 2"},
      {"f32,64x4,256,16x1,0,interleave=64", "interleave '64'; expected 0, 16 or 32"},
      {"f32,64x4,256,16x1,0,promotion=32", "promotion '32'; expected 0, 64, 128 or 256"},
      {"f32,64x4,256,16x1,0,fill=one", "fill 'one'; expected nan or zero"},
      {"f32,64x4,256,16x1,0,im2col=0:0", "'0' are 1 numbers; expected 0"},
      {"f32,64x4x4,256x1024,16x8,0,im2col=0", "im2col=LOWER:UPPER"},
      {"f32,64x4x4,256x1024,16x8,0,im2col=0:-x", "'-x' are 2 numbers; expected 1"},
      {"f32,64x4x4,256x1024,16x8,0,im2col=0:-", "'' is no number"},
      {"f32,64x4x4,256x1024,16x8x4,0,im2col=0:0", "'16x8x4' are 3 sizes; expected 2"},
  };
  for (const Refused& each : kWrong)
    EXPECT_THAT(refusal_of(each.fields), testing::HasSubstr(each.problem)) << each.fields;
}

}  // namespace tensor_map_test
}  // namespace shflsim::cli
