// SPDX-License-Identifier: Apache-2.0
#include "cli/options/tensor_map_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cli/options/spec.h"
#include "isa/base/input_error.h"
#include "isa/machine/sm70/tensor_map.h"

namespace shflsim::cli {
namespace {

using isa::TensorMap;
using Type = TensorMap::Type;

constexpr const char* kExpected =
    "expected map:BUFFER,TYPE,DIMS,STRIDES,BOX,SWIZZLE, such as map:in,bf16,256x64,512,64x64,128";
constexpr unsigned kUnit = 16;  ///< strides and rows are multiples of this, bytes

struct TypeName {
  const char* name;
  Type type;
  bool rounds = false;
};
constexpr TypeName kTypeNames[] = {
    {"u8", Type::kU8},   {"u16", Type::kU16},   {"u32", Type::kU32},       {"s32", Type::kS32},
    {"u64", Type::kU64}, {"s64", Type::kS64},   {"f16", Type::kF16},       {"f32", Type::kF32},
    {"f64", Type::kF64}, {"bf16", Type::kBf16}, {"tf32", Type::kF32, true}};

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

std::vector<uint64_t> sizes_in(const std::string& text, uint64_t most, size_t count,
                               const std::string& option) {
  std::vector<uint64_t> sizes;
  for (const std::string& part : parts_of(text, "x"))
    sizes.push_back(read_number(part, 1, most, option));
  if (count != 0 && sizes.size() != count) {
    throw InputError(
        fmt::format("{}: '{}' are {} sizes; expected {}", option, text, sizes.size(), count));
  }
  return sizes;
}

void set_strides(const std::string& text, const std::string& option, TensorMap* map) {
  std::vector<uint64_t> strides;
  if (text == "packed") {
    uint64_t stride = map->element_bytes();
    for (unsigned i = 0; i + 1 < map->rank; ++i) strides.push_back(stride *= map->dims[i]);
  } else if (map->rank > 1) {
    strides = sizes_in(text, (uint64_t{1} << 40) - 1, map->rank - 1u, option);
  }
  for (size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] % kUnit != 0 || strides[i] >> 40 != 0)
      throw InputError(fmt::format("{}: a stride of {} bytes; expected a multiple of 16 below 2^40",
                                   option, strides[i]));
    map->strides[i] = strides[i];
  }
}

void set_swizzle(const std::string& text, const std::string& option, TensorMap* map) {
  constexpr uint64_t kBytes[] = {0, 32, 64, 128};
  const uint64_t bytes = read_number(text, 128, option);
  const auto* const found = std::find(std::begin(kBytes), std::end(kBytes), bytes);
  if (found == std::end(kBytes))
    throw InputError(option + ": swizzle '" + text + "'; expected 0, 32, 64 or 128");
  map->swizzle = static_cast<uint8_t>(found - std::begin(kBytes));
  if (bytes != 0 && map->row_bytes() > bytes) {
    throw InputError(fmt::format("{}: rows of a box of {} bytes; expected {} at most, the swizzle",
                                 option, map->row_bytes(), bytes));
  }
}

}  // namespace

std::vector<uint8_t> tensor_map_bytes(const std::string& fields, uint64_t address,
                                      const std::string& option) {
  const std::vector<std::string> parts = parts_of(fields, ",;");
  if (parts.size() != 6) throw InputError(option + ": " + kExpected);
  TensorMap map;
  map.address = address;
  set_type(parts[1], option, &map);
  const auto dims = sizes_in(parts[2], uint64_t{1} << 32, 0, option);
  if (dims.size() > TensorMap::kMostDimensions)
    throw InputError(fmt::format("{}: {} dimensions; expected 1 to 5", option, dims.size()));
  map.rank = static_cast<uint8_t>(dims.size());
  std::copy(dims.begin(), dims.end(), map.dims.begin());
  set_strides(parts[3], option, &map);
  const auto box = sizes_in(parts[4], 256, dims.size(), option);
  for (size_t i = 0; i < box.size(); ++i) {
    map.box[i] = static_cast<uint32_t>(box[i]);
    map.steps[i] = 1;
  }
  if (map.row_bytes() % kUnit != 0) {
    throw InputError(fmt::format("{}: rows of a box of {} bytes; expected a multiple of 16", option,
                                 map.row_bytes()));
  }
  set_swizzle(parts[5], option, &map);
  const TensorMap::Words words = map.words();
  std::vector<uint8_t> bytes(TensorMap::kBytes);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

}  // namespace shflsim::cli
