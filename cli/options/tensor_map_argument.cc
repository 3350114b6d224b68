// SPDX-License-Identifier: Apache-2.0
#include "cli/options/tensor_map_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "cli/options/spec.h"
#include "isa/base/input_error.h"
#include "isa/machine/sm70/tensor_map.h"

namespace shflsim::cli {
namespace {

using isa::TensorMap;
using Type = TensorMap::Type;

constexpr const char* kExpected =
    "expected map:BUFFER,TYPE,DIMS,STRIDES,BOX,SWIZZLE, such as map:in,bf16,256x64,512,64x64,128";
constexpr const char* kKeys = "steps, interleave, fill, promotion or im2col";
constexpr uint64_t kAnyNumber = ~uint64_t{0};

struct TypeName {
  const char* name;
  Type type;
  bool rounds = false;
};
constexpr TypeName kTypeNames[] = {{"u8", Type::kU8},
                                   {"u16", Type::kU16},
                                   {"u32", Type::kU32},
                                   {"s32", Type::kS32},
                                   {"u64", Type::kU64},
                                   {"s64", Type::kS64},
                                   {"f16", Type::kF16},
                                   {"f32", Type::kF32},
                                   {"f64", Type::kF64},
                                   {"bf16", Type::kBf16},
                                   {"f32ftz", Type::kFlushedF32},
                                   {"tf32", Type::kF32, true},
                                   {"tf32ftz", Type::kFlushedF32, true}};

std::vector<std::string> parts_of(const std::string& text, const char* separators) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

void set_type(const std::string& name, const std::string& option, TensorMap* map) {
  std::string known;
  for (const TypeName& each : kTypeNames) {
    known += (known.empty() ? "" : ", ") + std::string(each.name);
    if (name != each.name) continue;
    map->type = each.type;
    map->rounds = each.rounds;
    return;
  }
  throw InputError(fmt::format("{}: type '{}'; expected one of {}", option, name, known));
}

/// `count` numbers that are separated by x; as many as there are if it is 0.
std::vector<uint64_t> sizes_in(const std::string& text, uint64_t most, size_t count,
                               const std::string& option) {
  std::vector<uint64_t> sizes;
  for (const std::string& part : parts_of(text, "x"))
    sizes.push_back(read_number(part, most, option));
  if (count != 0 && sizes.size() != count) {
    throw InputError(
        fmt::format("{}: '{}' are {} sizes; expected {}", option, text, sizes.size(), count));
  }
  return sizes;
}

template <class Numbers>
void set_numbers(const std::string& text, size_t count, const std::string& option,
                 Numbers* numbers) {
  constexpr uint64_t kMost = std::numeric_limits<typename Numbers::value_type>::max();
  const std::vector<uint64_t> sizes = sizes_in(text, kMost, count, option);
  std::transform(sizes.begin(), sizes.end(), numbers->begin(),
                 [](uint64_t size) { return static_cast<typename Numbers::value_type>(size); });
}

void set_dimensions(const std::string& text, const std::string& option, TensorMap* map) {
  const auto dims = sizes_in(text, kAnyNumber, 0, option);
  if (dims.size() > TensorMap::kMostDimensions)
    throw InputError(fmt::format("{}: {} dimensions; expected 1 to 5", option, dims.size()));
  map->rank = static_cast<uint8_t>(dims.size());
  std::copy(dims.begin(), dims.end(), map->dims.begin());
  std::fill_n(map->steps.begin(), map->rank, 1);
}

/// Where a product would be too large, the end of strides, which the driver refuses.
void set_strides(const std::string& text, const std::string& option, TensorMap* map) {
  if (text != "packed") {
    if (map->rank > 1) set_numbers(text, map->rank - 1u, option, &map->strides);
    return;
  }
  uint64_t stride = map->interleave != 0 ? map->pixel_bytes() : map->element_bytes();
  for (unsigned i = 0; i + 1 < map->rank; ++i) {
    const bool fits = map->dims[i] <= TensorMap::kStrideEnd / std::max<uint64_t>(stride, 1);
    map->strides[i] = stride = fits ? stride * map->dims[i] : TensorMap::kStrideEnd;
  }
}

/// The place of a number of bytes among those that are known.
template <size_t kCount>
uint8_t place_among(const uint64_t (&known)[kCount], const std::string& text, const char* what,
                    const std::string& option) {
  const auto* const found =
      std::find(std::begin(known), std::end(known), read_number(text, kAnyNumber, option));
  if (found != std::end(known)) return static_cast<uint8_t>(found - std::begin(known));
  std::string numbers;
  for (size_t i = 0; i < kCount; ++i)
    numbers += (i == 0 ? "" : i + 1 < kCount ? ", " : " or ") + std::to_string(known[i]);
  throw InputError(fmt::format("{}: {} '{}'; expected {}", option, what, text, numbers));
}

/// A corner of im2col: numbers with a sign.
void set_corner(const std::string& text, const std::string& option, TensorMap* map,
                std::array<int32_t, TensorMap::kMostSpatial>* corner) {
  const std::vector<std::string> parts = parts_of(text, "x");
  if (map->rank < 3 || parts.size() != map->rank - 2u) {
    throw InputError(
        fmt::format("{}: '{}' are {} numbers; expected {}, two fewer than the dimensions", option,
                    text, parts.size(), std::max(map->rank - 2, 0)));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool negative = parts[i].rfind('-', 0) == 0;
    const auto size =
        static_cast<int32_t>(read_number(parts[i].substr(negative), INT32_MAX, option));
    (*corner)[i] = negative ? -size : size;
  }
}

/// A part KEY=VALUE behind the swizzle.
void set_key(const std::string& part, const std::string& option, TensorMap* map) {
  constexpr uint64_t kInterleaves[] = {0, 16, 32}, kPromotions[] = {0, 64, 128, 256};
  const Pair pair = read_pair(part, '=', option + ": KEY=VALUE with " + kKeys);
  if (pair.first == "steps") {
    set_numbers(pair.second, map->rank, option, &map->steps);
  } else if (pair.first == "interleave") {
    map->interleave = place_among(kInterleaves, pair.second, "interleave", option);
  } else if (pair.first == "promotion") {
    map->promotion = place_among(kPromotions, pair.second, "promotion", option);
  } else if (pair.first == "fill") {
    if (pair.second != "nan" && pair.second != "zero")
      throw InputError(option + ": fill '" + pair.second + "'; expected nan or zero");
    map->fills_nan = pair.second == "nan";
  } else if (pair.first == "im2col") {
    map->is_im2col = true;
    const Pair corners = read_pair(pair.second, ':', option + ": im2col=LOWER:UPPER");
    set_corner(corners.first, option, map, &map->lower);
    set_corner(corners.second, option, map, &map->upper);
  } else {
    throw InputError(option + ": '" + pair.first + "'; expected " + kKeys);
  }
}

/// The sizes of a box in the dimensions, or for im2col the channels and the pixels.
void set_box(const std::string& text, const std::string& option, TensorMap* map) {
  if (!map->is_im2col) return set_numbers(text, map->rank, option, &map->box);
  std::array<uint32_t, 2> sizes;
  set_numbers(text, sizes.size(), option, &sizes);
  map->channels = sizes[0];
  map->pixels = sizes[1];
}

}  // namespace

std::vector<uint8_t> tensor_map_bytes(const std::string& fields, uint64_t address,
                                      const std::string& option) {
  constexpr uint64_t kSwizzles[] = {0, 32, 64, 128};
  const std::vector<std::string> parts = parts_of(fields, ",;");
  if (parts.size() < 6) throw InputError(option + ": " + kExpected);
  TensorMap map;
  map.address = address;
  set_type(parts[1], option, &map);
  set_dimensions(parts[2], option, &map);
  for (size_t i = 6; i < parts.size(); ++i) set_key(parts[i], option, &map);
  set_strides(parts[3], option, &map);
  set_box(parts[4], option, &map);
  map.swizzle = place_among(kSwizzles, parts[5], "swizzle", option);
  const std::string problem = map.refusal();
  if (!problem.empty()) throw InputError(option + ": " + problem);
  const TensorMap::Words words = map.words();
  std::vector<uint8_t> bytes(TensorMap::kBytes);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

}  // namespace shflsim::cli
