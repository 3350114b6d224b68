// SPDX-License-Identifier: Apache-2.0
#include "cli/launch_options.h"

#include <algorithm>
#include <cstring>

#include "cli/spec.h"
#include "isa/bounded.h"
#include "isa/faults.h"
#include "isa/machine/launch_layout.h"
#include "isa/machine/variables.h"
#include "isa/reader/source.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

Strings strings(const po::variables_map& values, const char* name) {
  return values.count(name) == 0 ? Strings{} : values[name].as<Strings>();
}

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

void LaunchOptions::add_to(po::options_description& options) {
  options.add_options()("kernel", po::value<std::string>()->value_name("NAME"),
                        "kernel of the file; needed where it holds several")(
      "grid", po::value<std::string>()->value_name("X,Y,Z"),
      "blocks of the grid: X, X,Y or X,Y,Z (default 1)")(
      "block", po::value<std::string>()->value_name("X,Y,Z"),
      "threads of a block: X, X,Y or X,Y,Z (default 32)")(
      "shared", po::value<std::string>()->value_name("BYTES"),
      "dynamic shared memory of a block, behind what the code declares (default 0; 48 KiB in "
      "all)")("constants", po::value<std::string>()->value_name("FILE"),
              "file to take the kernel's constant banks from where the input has none: a cubin, an "
              "nvdisasm listing")("warps", po::value<std::string>()->value_name("N"),
                                  "warps of the block, instead of --block")(
      "arg", po::value<Strings>()->value_name("KIND:VALUE"),
      (std::string("next kernel argument: ") + kArgumentKinds +
       "; NAME= in front names the buffer, NAME alone passes it again")
          .c_str())(
      "buffer", po::value<Strings>()->value_name("NAME=KIND:VALUE"),
      "device buffer that is no argument, file: or fill:, to which a structure points")(
      "reg", po::value<Strings>()->value_name("Rx=VALUE"),
      "Rx=lane|hash|VALUE|file:PATH: a register's first value (32-bit words, one a lane, warp by "
      "warp)")("allow-undefined-registers",
               "let code read named registers that nothing has written and --reg does not set");
}

void LaunchOptions::add_saves_to(po::options_description& options) {
  options.add_options()("save", po::value<Strings>()->value_name("I:FILE"),
                        "I:PATH or NAME:PATH: write the I-th argument's buffer (from 0), or the "
                        "buffer of that name, after the run")(
      "dump-reg", po::value<Strings>()->value_name("Rx:FILE"),
      "Rx:PATH: write a register's words after the run");
}

LaunchOptions::LaunchOptions(const po::variables_map& values, const isa::Program& program) {
  const auto text = [&values](const char* name) { return values[name].as<std::string>(); };
  if (values.count("warps") != 0 && values.count("block") != 0)
    throw InputError("--warps and --block both given; expected one of them");
  if (values.count("grid") != 0) launch_.grid = read_extent(text("grid"), kMostGrid, "--grid");
  launch_.block.x = isa::kLanes;
  if (values.count("block") != 0) launch_.block = read_extent(text("block"), kMostBlock, "--block");
  if (values.count("warps") != 0) {
    launch_.block.x = read_extent(text("warps"), {32, 1, 1}, "--warps").x * isa::kLanes;
  }
  if (values.count("shared") != 0) {
    launch_.shared_bytes = static_cast<uint32_t>(
        read_number(text("shared"), isa::LaunchLayout::kMostShared, "--shared"));
  }
  isa::check_shared_memory(program, launch_);
  place(values.count("constants") == 0 ? program : constants_from(text("constants"), program));
  read_arguments(values, program);
  for (const std::string& spec : strings(values, "reg")) add_register(spec, program);
  for (const std::string& spec : strings(values, "save")) add_save(spec);
  for (const std::string& spec : strings(values, "dump-reg")) {
    const Pair pair = read_pair(spec, ':', "--dump-reg Rx:PATH");
    dumps_.push_back(
        {register_named(pair.first, program, "--dump-reg"), isa::OutFile(pair.second)});
  }
  if (values.count("allow-undefined-registers") == 0) refuse_unwritten(program);
}

void LaunchOptions::read_arguments(const po::variables_map& values, const isa::Program& program) {
  for (const std::string& spec : strings(values, "buffer"))
    reader_.add_buffer(spec, "--buffer " + spec);
  for (const std::string& spec : strings(values, "arg"))
    arguments_.push_back(reader_.read(spec, "--arg " + spec));
  launch_.parameters = parameter_area(arguments_, program);
}

void LaunchOptions::refuse_unwritten(const isa::Program& program) const {
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

void LaunchOptions::place(const isa::Program& program) {
  const uint64_t variables = isa::place_variables(program, memory_);
  launch_.constants = isa::constants_with_addresses(program, variables);
  launch_.local_bytes = std::max<uint32_t>(launch_.local_bytes, program.local_bytes);
}

uint64_t LaunchOptions::threads() const {
  return product_of(launch_.grid.count(), launch_.block.count());
}

void LaunchOptions::add_register(const std::string& spec, const isa::Program& program) {
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

/// A number is an argument's, anything else a buffer's name.
void LaunchOptions::add_save(const std::string& spec) {
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

void LaunchOptions::save(const isa::Outcome& outcome) {
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
