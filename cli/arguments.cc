// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "cli/spec.h"
#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

/// "BYTES:HEX" of fill:BYTES:HEX
std::vector<uint8_t> filled(const std::string& spec, const std::string& option) {
  const size_t colon = spec.find(':');
  if (colon == std::string::npos) {
    throw InputError(option + ": expected fill:BYTES:HEX, such as fill:4096:cd");
  }
  const uint64_t size = read_number(spec.substr(0, colon), isa::DeviceMemory::kMostBytes, option);
  const uint64_t value = read_number("0x" + spec.substr(colon + 1), 0xFF, option);
  return std::vector<uint8_t>(size, static_cast<uint8_t>(value));
}

template <class Value>
std::vector<uint8_t> bytes_of(Value value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string sizes_of(const std::vector<isa::Program::Parameter>& parameters) {
  std::string text;
  for (const auto& each : parameters)
    text += (text.empty() ? "" : ", ") + std::to_string(each.size);
  return text;
}

}  // namespace

const char* const kArgumentKinds =
    "file:PATH (device buffer with the file's bytes), fill:BYTES:HEX (device buffer of one byte "
    "value), u32:N, u64:N, f32:X, bytes:PATH (a structure passed by value)";

uint32_t hashed(uint32_t index) {
  uint32_t x = index * 2654435761u + 12345u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ (x >> 13);
}

Argument pointer_to(uint64_t address, const std::string& spec) {
  return {spec, bytes_of(address), address};
}

Argument read_argument(const std::string& spec, const std::string& folder,
                       const std::string& option, isa::DeviceMemory& memory) {
  const Pair pair = read_pair(spec, ':', option + " as one of: " + kArgumentKinds);
  const auto path = [&] {
    if (pair.second == "-") return pair.second;  // standard input
    return (std::filesystem::path(folder) / pair.second).string();
  };
  if (pair.first == "file") return pointer_to(memory.allocate(bytes_of_file(path())), spec);
  if (pair.first == "fill") return pointer_to(memory.allocate(filled(pair.second, option)), spec);
  if (pair.first == "bytes") return {spec, bytes_of_file(path()), {}};
  if (pair.first == "u32") {
    const uint64_t value = read_number(pair.second, 0xFFFFFFFF, option);
    return {spec, bytes_of(static_cast<uint32_t>(value)), {}};
  }
  if (pair.first == "u64")
    return {spec, bytes_of(read_number(pair.second, ~uint64_t{0}, option)), {}};
  if (pair.first == "f32") return {spec, bytes_of(read_float(pair.second, option)), {}};
  throw InputError(option + ": unknown kind '" + pair.first + "'; expected " + kArgumentKinds);
}

std::vector<uint8_t> parameter_area(const std::vector<Argument>& arguments,
                                    const isa::Program& program) {
  const auto& layout = program.parameters;
  if (!layout.empty() && layout.size() != arguments.size()) {
    throw InputError("kernel '" + program.name + "' takes " + std::to_string(layout.size()) +
                     " arguments, of " + sizes_of(layout) + " bytes; " +
                     std::to_string(arguments.size()) + " given");
  }
  std::vector<uint8_t> area;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::vector<uint8_t>& bytes = arguments[i].bytes;
    if (!layout.empty() && layout[i].size != bytes.size()) {
      throw InputError("'" + arguments[i].spec + "' has " + std::to_string(bytes.size()) +
                       " bytes; expected " + std::to_string(layout[i].size) + " for argument " +
                       std::to_string(i) + " of kernel '" + program.name + "'");
    }
    const size_t alignment = std::clamp<size_t>(bytes.size(), 1, 8);
    const size_t offset =
        layout.empty() ? (area.size() + alignment - 1) / alignment * alignment : layout[i].offset;
    area.resize(std::max(area.size(), offset + bytes.size()));
    std::copy(bytes.begin(), bytes.end(), area.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  return area;
}

}  // namespace shflsim::cli
