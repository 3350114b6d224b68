// SPDX-License-Identifier: Apache-2.0
#include "cli/launch_options.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "isa/input_error.h"
#include "isa/reader/source.h"
#include "report/atomic_file.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

constexpr uint64_t kMostBuffer = uint64_t{1} << 32;

Strings strings(const po::variables_map& values, const char* name) {
  return values.count(name) == 0 ? Strings{} : values[name].as<Strings>();
}

uint64_t number(const std::string& text, uint64_t most, const std::string& option) {
  char* end = nullptr;
  errno = 0;
  const uint64_t value = std::strtoull(text.c_str(), &end, 0);
  const bool digits = !text.empty() && text.find_first_of("+- ") == std::string::npos;
  if (!digits || *end != '\0' || errno != 0 || value > most) {
    throw InputError(option + ": '" + text + "' is no number; expected 0 to " + std::to_string(most));
  }
  return value;
}

uint32_t count(const po::variables_map& values, const char* name, uint32_t fallback, uint32_t most) {
  if (values.count(name) == 0) return fallback;
  const std::string option = std::string("--") + name;
  const uint64_t value = number(values[name].as<std::string>(), most, option);
  if (value == 0) throw InputError(option + ": 0 of them run nothing; expected 1 to " + std::to_string(most));
  return static_cast<uint32_t>(value);
}

std::vector<uint8_t> bytes_of_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw InputError({path}, "is a folder; expected a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({path}, std::string(std::strerror(errno)) + "; expected a file of bytes");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// "BYTES:HEX" of fill:BYTES:HEX
std::vector<uint8_t> filled(const std::string& spec, const std::string& option) {
  const size_t colon = spec.find(':');
  if (colon == std::string::npos) throw InputError(option + ": expected fill:BYTES:HEX, such as fill:4096:cd");
  const uint64_t size = number(spec.substr(0, colon), kMostBuffer, option);
  const uint64_t value = number("0x" + spec.substr(colon + 1), 0xFF, option);
  return std::vector<uint8_t>(size, static_cast<uint8_t>(value));
}

uint32_t float_bits(const std::string& text, const std::string& option) {
  char* end = nullptr;
  const float value = std::strtof(text.c_str(), &end);
  if (text.empty() || *end != '\0') throw InputError(option + ": '" + text + "' is no number; expected one such as 1.5");
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Spreads a thread's index over 32 bits: the input rule of the conformance kernels.
uint32_t hashed(uint32_t index) {
  uint32_t x = index * 2654435761u + 12345u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ (x >> 13);
}

uint8_t register_named(const std::string& name, const isa::Program& program, const std::string& option) {
  const auto symbol = program.symbols.find(name);
  if (symbol != program.symbols.end()) return symbol->second;
  const bool numbered = name.size() >= 2 && name[0] == 'R' && name.find_first_not_of("0123456789", 1) == std::string::npos;
  if (numbered) return static_cast<uint8_t>(number(name.substr(1), 254, option));
  Strings known;
  for (const auto& [known_name, index] : program.symbols) known.push_back(known_name);
  throw InputError(option + ": no register '" + name + "'" + (known.empty() ? "; expected R0 to R254" : suggestion(name, known)));
}

struct Pair {
  std::string first;
  std::string second;
};

Pair split(const std::string& spec, char separator, const std::string& expected) {
  const size_t at = spec.find(separator);
  if (at == std::string::npos || at == 0 || at + 1 == spec.size()) throw InputError("'" + spec + "' is incomplete; expected " + expected);
  return {spec.substr(0, at), spec.substr(at + 1)};
}

std::string bytes_of(const isa::LaneValues& values) {
  return {reinterpret_cast<const char*>(values.data()), sizeof values};
}

}  // namespace

void LaunchOptions::add_to(po::options_description& options) {
  options.add_options()("kernel", po::value<std::string>(), "kernel of the file; needed where it holds several")(
      "grid", po::value<std::string>(), "blocks of the grid (default 1)")("block", po::value<std::string>(), "threads of a block (default 32)")(
      "constants", po::value<std::string>(),
      "file to take the kernel's constant banks from where the input has none: a cubin, an nvdisasm listing")(
      "warps", po::value<std::string>(), "warps of the block, instead of --block")(
      "arg", po::value<Strings>(),
      "next kernel argument: file:PATH (device buffer with the file's bytes), fill:BYTES:HEX (device buffer of one byte value), u32:N, u64:N, f32:X")(
      "save", po::value<Strings>(), "I:PATH: write the I-th argument's buffer (from 0) after the run")(
      "reg", po::value<Strings>(), "Rx=lane|hash|VALUE|file:PATH: a register's first value (32-bit words, one a lane, warp by warp)")(
      "dump-reg", po::value<Strings>(), "Rx:PATH: write a register's words after the run");
}

LaunchOptions::LaunchOptions(const po::variables_map& values, const isa::Program& program) {
  if (values.count("warps") != 0 && values.count("block") != 0) throw InputError("--warps and --block both given; expected one of them");
  launch_.grid.x = count(values, "grid", 1, 0x7FFFFFFF);
  launch_.block.x = values.count("warps") != 0 ? count(values, "warps", 1, 32) * isa::kLanes : count(values, "block", isa::kLanes, 1024);
  launch_.constants = program.constants;
  if (values.count("constants") != 0) {
    const std::string file = values["constants"].as<std::string>();
    launch_.constants = isa::find_kernel(*isa::open_source(file), program.name, file).constants;
  }
  for (const std::string& spec : strings(values, "arg")) add_argument(spec);
  for (const std::string& spec : strings(values, "reg")) add_register(spec, program);
  for (const std::string& spec : strings(values, "save")) add_save(spec);
  for (const std::string& spec : strings(values, "dump-reg")) {
    const Pair pair = split(spec, ':', "--dump-reg Rx:PATH");
    dumps_.push_back({register_named(pair.first, program, "--dump-reg"), pair.second});
  }
}

uint32_t LaunchOptions::threads() const { return static_cast<uint32_t>(launch_.grid.count() * launch_.block.count()); }

void LaunchOptions::add_argument(const std::string& spec) {
  static const char* const kExpected = "file:PATH, fill:BYTES:HEX, u32:N, u64:N or f32:X";
  const std::string option = "--arg " + spec;
  const Pair pair = split(spec, ':', std::string("--arg ") + kExpected);
  buffers_.emplace_back();
  if (pair.first == "file" || pair.first == "fill") {
    buffers_.back() = memory_.allocate(pair.first == "file" ? bytes_of_file(pair.second) : filled(pair.second, option));
    add_bytes(&*buffers_.back(), sizeof(uint64_t));
  } else if (pair.first == "u32") {
    const uint32_t value = static_cast<uint32_t>(number(pair.second, 0xFFFFFFFF, option));
    add_bytes(&value, sizeof value);
  } else if (pair.first == "u64") {
    const uint64_t value = number(pair.second, ~uint64_t{0}, option);
    add_bytes(&value, sizeof value);
  } else if (pair.first == "f32") {
    const uint32_t value = float_bits(pair.second, option);
    add_bytes(&value, sizeof value);
  } else {
    throw InputError(option + ": unknown kind '" + pair.first + "'; expected " + kExpected);
  }
}

/// Arguments stand at multiples of their size, as the CUDA ABI lays them out.
void LaunchOptions::add_bytes(const void* bytes, size_t size) {
  auto& parameters = launch_.parameters;
  parameters.resize((parameters.size() + size - 1) / size * size);
  const auto* first = static_cast<const uint8_t*>(bytes);
  parameters.insert(parameters.end(), first, first + size);
}

void LaunchOptions::add_register(const std::string& spec, const isa::Program& program) {
  const Pair pair = split(spec, '=', "--reg Rx=lane, hash, VALUE or file:PATH");
  isa::InitialRegister initial;
  initial.index = register_named(pair.first, program, "--reg " + spec);
  initial.words.resize(threads());
  if (pair.second.compare(0, 5, "file:") == 0) {
    const std::vector<uint8_t> bytes = bytes_of_file(pair.second.substr(5));
    if (bytes.size() != initial.words.size() * sizeof(uint32_t)) {
      throw InputError({pair.second.substr(5)}, std::to_string(bytes.size()) + " bytes; expected " +
                                                    std::to_string(initial.words.size() * sizeof(uint32_t)) + ", a word for each thread");
    }
    std::memcpy(initial.words.data(), bytes.data(), bytes.size());
  } else {
    const bool is_rule = pair.second == "lane" || pair.second == "hash";
    const bool is_float = pair.second.find('.') != std::string::npos;
    const uint32_t value = is_rule ? 0 : is_float ? float_bits(pair.second, "--reg") : static_cast<uint32_t>(number(pair.second, 0xFFFFFFFF, "--reg " + spec));
    for (uint32_t i = 0; i < initial.words.size(); ++i) {
      initial.words[i] = pair.second == "lane" ? i % isa::kLanes : pair.second == "hash" ? hashed(i) : value;
    }
  }
  launch_.registers.push_back(std::move(initial));
}

void LaunchOptions::add_save(const std::string& spec) {
  const Pair pair = split(spec, ':', "--save I:PATH");
  const size_t argument = number(pair.first, 1000, "--save " + spec);
  if (argument >= buffers_.size() || !buffers_[argument]) {
    throw InputError("--save " + spec + ": argument " + pair.first + " is no buffer; expected the number of a file: or fill: argument, from 0");
  }
  saves_.push_back({argument, pair.second});
}

void LaunchOptions::save(const isa::Outcome& outcome) const {
  for (const Save& save : saves_) {
    const std::vector<uint8_t>& bytes = memory_.bytes(*buffers_[save.argument]);
    report::write_file_atomically(save.path, {bytes.begin(), bytes.end()});
  }
  for (const Dump& dump : dumps_) {
    std::string words;
    for (const isa::WarpRegisters& warp : outcome.warps) {
      words += bytes_of(dump.index < warp.values.size() ? warp.values[dump.index] : isa::LaneValues{});
    }
    report::write_file_atomically(dump.path, words);
  }
}

}  // namespace shflsim::cli
