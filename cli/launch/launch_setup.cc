// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/launch_setup.h"

#include <algorithm>
#include <cstring>

#include "cli/options/spec.h"
#include "isa/base/bounded.h"
#include "isa/base/faults.h"
#include "isa/code/launch_layout.h"
#include "isa/dialects/source.h"
#include "isa/machine/variables.h"

namespace shflsim::cli {
namespace {

uint8_t register_named(const std::string& name, const isa::Program& program,
                       const std::string& option) {
  const auto symbol = program.symbols.find(name);
  if (symbol != program.symbols.end()) return symbol->second;
  const bool numbered = name.size() >= 2 && name[0] == 'R' &&
                        name.find_first_not_of("0123456789", 1) == std::string::npos;
  if (numbered) {
    const auto index = static_cast<uint8_t>(read_number(name.substr(1), 254, option));
    const unsigned registers = std::max(program.registers, program.registers_used());
    if (index < registers) return index;
    throw InputError(option + ": the code has no " + name + "; expected R0 to R" +
                     std::to_string(registers == 0 ? 0 : registers - 1));
  }
  Strings known;
  for (const auto& [known_name, index] : program.symbols) known.push_back(known_name);
  throw InputError(option + ": no register '" + name + "'" +
                   (known.empty() ? "; expected R0 to R254" : suggestion(name, known)));
}

isa::Program constants_from(const std::string& file, const isa::Program& program) {
  return isa::find_kernel(*isa::open_source(file), program.name, file);
}

std::string bytes_of(const isa::LaneValues& values) {
  return {reinterpret_cast<const char*>(values.data()), sizeof values};
}

}  // namespace

LaunchSetup::LaunchSetup(const LaunchOptions& options, const SaveOptions& saves,
                         const isa::Program& program) {
  launch_.grid = options.grid;
  launch_.block = options.block.value_or(isa::Extent{isa::kLanes, 1, 1});
  if (options.warps.count) launch_.block.x = *options.warps.count * isa::kLanes;
  launch_.shared_bytes = options.shared_bytes;
  launch_.cluster = options.cluster;
  launch_.is_cooperative = options.is_cooperative;
  isa::check_shared_memory(program, launch_);
  isa::cluster_of(program, launch_);
  place(options.constants ? constants_from(*options.constants, program) : program);
  read_arguments(options, program);
  for (const std::string& spec : options.registers) add_register(spec, program);
  for (const std::string& spec : saves.buffers) add_save(spec);
  for (const std::string& spec : saves.registers) add_dump(spec, program);
  if (!options.allows_undefined_registers) refuse_unwritten(program);
}

void LaunchSetup::read_arguments(const LaunchOptions& options, const isa::Program& program) {
  for (const std::string& spec : options.buffers) reader_.add_buffer(spec, "--buffer " + spec);
  for (const std::string& spec : options.arguments)
    arguments_.push_back(reader_.read(spec, "--arg " + spec));
  launch_.parameters = parameter_area(arguments_, program);
}

void LaunchSetup::refuse_unwritten(const isa::Program& program) const {
  Strings others;
  for (const auto& [name, index] : program.symbols) others.push_back(name);
  for (const auto& read : program.unwritten_reads)
    others.erase(std::find(others.begin(), others.end(), read.name));
  Faults faults;
  for (const auto& [name, where] : program.unwritten_reads) {
    const uint8_t index = program.symbols.at(name);
    const bool is_given = std::any_of(launch_.registers.begin(), launch_.registers.end(),
                                      [index](const auto& each) { return each.index == index; });
    if (is_given) continue;
    const std::string nearest = nearest_name(name, others);
    faults.add(InputError(
        where, "register '" + name + "' is read, but nothing has written it" +
                   (nearest.empty() ? "; expected a write before, or --reg " + name + "=VALUE"
                                    : "; did you mean '" + nearest + "'?")));
  }
  faults.raise();
}

void LaunchSetup::place(const isa::Program& program) {
  isa::add_variables(program, memory_, &launch_);
  launch_.local_bytes = std::max<uint32_t>(launch_.local_bytes, program.local_bytes);
}

uint64_t LaunchSetup::threads() const {
  return product_of(launch_.grid.count(), launch_.block.count());
}

void LaunchSetup::add_register(const std::string& spec, const isa::Program& program) {
  const Pair pair = read_pair(spec, '=', "--reg Rx=lane, hash, VALUE or file:PATH");
  isa::InitialRegister initial;
  initial.index = register_named(pair.first, program, "--reg " + spec);
  constexpr uint64_t kMostWords = uint64_t{1} << 26;
  initial.words.resize(bounded(threads(), kMostWords, "--reg " + spec + ": a grid", {}, "threads"));
  if (pair.second.compare(0, 5, "file:") == 0) {
    const std::vector<uint8_t> bytes = bytes_of_file(pair.second.substr(5));
    if (bytes.size() != initial.words.size() * sizeof(uint32_t)) {
      throw InputError({pair.second.substr(5)},
                       std::to_string(bytes.size()) + " bytes; expected " +
                           std::to_string(initial.words.size() * sizeof(uint32_t)) +
                           ", a word for each thread");
    }
    std::memcpy(initial.words.data(), bytes.data(), bytes.size());
  } else {
    const bool is_rule = pair.second == "lane" || pair.second == "hash";
    const bool is_float = pair.second.find('.') != std::string::npos;
    const uint32_t value =
        is_rule    ? 0
        : is_float ? read_float(pair.second, "--reg")
                   : static_cast<uint32_t>(read_number(pair.second, 0xFFFFFFFF, "--reg " + spec));
    for (uint32_t i = 0; i < initial.words.size(); ++i) {
      initial.words[i] = pair.second == "lane"   ? i % isa::kLanes
                         : pair.second == "hash" ? hashed(i)
                                                 : value;
    }
  }
  launch_.registers.push_back(std::move(initial));
}

/// A number is the index of an argument; any other text is the name of a buffer.
void LaunchSetup::add_save(const std::string& spec) {
  const Pair pair = read_pair(spec, ':', "--save I:PATH or NAME:PATH");
  const std::optional<uint64_t> number = whole_number(pair.first);
  const bool is_buffer = number && *number < arguments_.size() && arguments_[*number].buffer;
  if (number && !is_buffer) {
    throw InputError("--save " + spec + ": argument " + pair.first +
                     " is no buffer; expected the number of a file: or fill: argument, from 0");
  }
  const uint64_t buffer =
      number ? *arguments_[*number].buffer : reader_.address_of(pair.first, "--save " + spec);
  saves_.push_back({buffer, isa::OutFile(pair.second)});
}

void LaunchSetup::add_dump(const std::string& spec, const isa::Program& program) {
  const Pair pair = read_pair(spec, ':', "--dump-reg Rx:PATH");
  dumps_.push_back({register_named(pair.first, program, "--dump-reg"), isa::OutFile(pair.second)});
}

void LaunchSetup::save(const isa::Outcome& outcome) {
  for (Save& save : saves_) {
    const std::vector<uint8_t>& bytes = memory_.bytes(save.buffer);
    save.file.finish({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  for (Dump& dump : dumps_) {
    for (const isa::WarpRegisters& warp : outcome.warps) {
      dump.file.write(
          bytes_of(dump.index < warp.values.size() ? warp.values[dump.index] : isa::LaneValues{}));
    }
    dump.file.commit();
  }
}

}  // namespace shflsim::cli
