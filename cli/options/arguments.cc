// SPDX-License-Identifier: Apache-2.0
#include "cli/options/arguments.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "cli/options/spec.h"
#include "cli/options/tensor_map_argument.h"
#include "isa/base/input_error.h"

namespace shflsim::cli {
namespace {

/// The bytes of fill:BYTES:HEX; `spec` is "BYTES:HEX".
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
    "value), u32:N, u64:N, f32:X, bytes:PATH (a structure passed by value; @BYTE=NAME or "
    "@BYTE=NAME+BYTES after it stores a buffer's address there), "
    "map:BUFFER,TYPE,DIMS,STRIDES,BOX,SWIZZLE and ,KEY=VALUE where needed (a tensor map)";

uint32_t hashed(uint32_t index) {
  uint32_t x = index * 2654435761u + 12345u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ (x >> 13);
}

Argument pointer_to(uint64_t address, const std::string& spec) {
  return {spec, bytes_of(address), address};
}

Argument ArgumentReader::read(const std::string& spec, const std::string& option) {
  const size_t equals = spec.find('=');
  const size_t colon = spec.find(':');
  if (equals == std::string::npos && colon == std::string::npos)
    return pointer_to(address_of(spec, option), spec);
  if (equals >= colon) return unnamed(spec, option);  // the = belongs to the text after the colon
  const std::string place = spec.substr(0, equals);
  const size_t at = std::min(place.find('@'), place.size());
  const std::string name = place.substr(0, at);
  Address address;
  if (at < place.size()) address = read_number(place.substr(at + 1), ~uint64_t{0}, option);
  Argument made = unnamed(spec.substr(equals + 1), option, address);
  if (!made.buffer) throw InputError(option + ": is no buffer; expected file: or fill:");
  if (!buffers_.emplace(name, *made.buffer).second)
    throw InputError(option + ": buffer '" + name + "' is there already; expected a new name");
  return made;
}

void ArgumentReader::add_buffer(const std::string& spec, const std::string& option) {
  if (spec.find('=') >= spec.find(':'))
    throw InputError(option + ": names no buffer; expected NAME=file:PATH or NAME=fill:BYTES:HEX");
  read(spec, option);
}

uint64_t ArgumentReader::address_of(const std::string& name, const std::string& option) const {
  const auto found = buffers_.find(name);
  if (found != buffers_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [buffer, address] : buffers_) known.push_back(buffer);
  throw InputError(option + ": no buffer '" + name + "'" +
                   (known.empty() ? "; expected NAME=file:PATH or NAME=fill:BYTES:HEX first"
                                  : suggestion(name, known)));
}

uint64_t ArgumentReader::place_of(const std::string& text, const std::string& option) const {
  if (text.rfind("0x", 0) == 0) return read_number(text, ~uint64_t{0}, option);
  const size_t plus = std::min(text.find('+'), text.size());
  const std::string offset = plus == text.size() ? "0" : text.substr(plus + 1);
  return address_of(text.substr(0, plus), option) +
         read_number(offset, isa::DeviceMemory::kMostBytes, option);
}

std::string ArgumentReader::path_of(const std::string& file) const {
  if (file == "-") return file;  // standard input
  return (std::filesystem::path(folder_) / file).string();
}

uint64_t ArgumentReader::place(std::vector<uint8_t> bytes, const std::string& option,
                               Address address) {
  if (!address) return memory_.allocate(std::move(bytes));
  try {
    memory_.place(*address, std::move(bytes));
  } catch (const InputError& error) {
    throw InputError(option + ": " + error.what());
  }
  return *address;
}

Argument ArgumentReader::unnamed(const std::string& spec, const std::string& option,
                                 Address address) {
  const Pair pair = read_pair(spec, ':', option + " as one of: " + kArgumentKinds);
  if (pair.first == "file")
    return pointer_to(place(bytes_of_file(path_of(pair.second)), option, address), spec);
  if (pair.first == "fill")
    return pointer_to(place(filled(pair.second, option), option, address), spec);
  if (pair.first == "map") {
    const size_t end = std::min(pair.second.find_first_of(",;"), pair.second.size());
    const uint64_t tensor = place_of(pair.second.substr(0, end), option);
    return {spec, tensor_map_bytes(pair.second.substr(end), tensor, option), {}};
  }
  if (pair.first == "bytes") return {spec, structure(pair.second, option), {}};
  if (pair.first == "u32") {
    const uint64_t value = read_number(pair.second, 0xFFFFFFFF, option);
    return {spec, bytes_of(static_cast<uint32_t>(value)), {}};
  }
  if (pair.first == "u64")
    return {spec, bytes_of(read_number(pair.second, ~uint64_t{0}, option)), {}};
  if (pair.first == "f32") return {spec, bytes_of(read_float(pair.second, option)), {}};
  throw InputError(option + ": unknown kind '" + pair.first + "'; expected " + kArgumentKinds);
}

/// The bytes of "PATH@BYTE=NAME+BYTES@...".
std::vector<uint8_t> ArgumentReader::structure(const std::string& spec,
                                               const std::string& option) const {
  size_t at = std::min(spec.find('@'), spec.size());
  std::vector<uint8_t> bytes = bytes_of_file(path_of(spec.substr(0, at)));
  while (at < spec.size()) {
    const size_t end = std::min(spec.find('@', at + 1), spec.size());
    const Pair place = read_pair(spec.substr(at + 1, end - at - 1), '=', option + " @BYTE=NAME");
    const uint64_t address = place_of(place.second, option);
    if (bytes.size() < sizeof address) {
      throw InputError(option + ": a structure of " + std::to_string(bytes.size()) +
                       " bytes; expected 8 at least, to hold an address");
    }
    const uint64_t byte = read_number(place.first, bytes.size() - sizeof address, option);
    std::memcpy(bytes.data() + byte, &address, sizeof address);
    at = end;
  }
  return bytes;
}

std::vector<uint8_t> parameter_area(const std::vector<Argument>& arguments,
                                    const isa::Program& program) {
  const auto& layout = program.parameters;
  if (!layout.empty() && layout.size() != arguments.size()) {
    // Better arguments would not help a kernel that cannot be executed.
    const std::string refused = isa::refusal_of(program);
    if (!refused.empty()) throw InputError(refused);
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
