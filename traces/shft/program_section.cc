// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/program_section.h"

#include "isa/codec.h"
#include "traces/shft/volta_record.h"

namespace shflsim::traces {
namespace {

constexpr uint64_t kMostRegisters = 255;
constexpr uint64_t kMostBytes = 1u << 31;
constexpr uint64_t kMostExtent = 0x7FFFFFFF;
constexpr uint64_t kMostThreads = 1024;

enum Flags : uint8_t { kHasControl = 1, kMinLaneRule = 2, kVolta = 4, kAllFlags = 7 };

void write_extent(const isa::Extent& extent, ByteWriter* out) {
  out->number(extent.x);
  out->number(extent.y);
  out->number(extent.z);
}

isa::Extent read_extent(ByteReader* in, uint64_t most_count, const char* what) {
  isa::Extent extent;
  extent.x = static_cast<uint32_t>(in->number_upto(most_count, what));
  extent.y = static_cast<uint32_t>(in->number_upto(most_count / std::max(1u, extent.x), what));
  const uint64_t plane = std::max<uint64_t>(1, uint64_t{extent.x} * extent.y);
  extent.z = static_cast<uint32_t>(in->number_upto(most_count / plane, what));
  if (extent.count() == 0) in->place().fail("damaged: a launch of nothing");
  return extent;
}

void write_instruction(const isa::Instruction& instruction, const std::string& text,
                       ByteWriter* out) {
  out->word64(instruction.word);
  out->number(isa::slot_of(instruction.control));
  out->text(text == isa::text_of(instruction) ? "" : text);
}

void read_instruction(uint32_t address, ByteReader* in, isa::Program* program) {
  const uint64_t word = in->word64();
  const isa::Control control =
      isa::control_from_slot(static_cast<uint32_t>(in->number_upto(0x1FFFFF, "a control slot")));
  isa::Instruction instruction;
  const std::string problem = isa::decode(word, address, control, &instruction);
  if (!problem.empty()) in->place().fail("damaged: " + problem);
  const std::string text = in->text();
  program->texts.push_back(text.empty() ? isa::text_of(instruction) : text);
  program->code.push_back(instruction);
}

void write_code(const Trace& trace, ByteWriter* out) {
  const isa::Program& program = trace.program;
  out->number(program.code.size());
  uint64_t before = 0;
  for (size_t i = 0; i < program.code.size(); ++i) {
    const isa::Instruction& instruction = program.code[i];
    out->difference(instruction.address - before);
    before = instruction.address;
    if (trace.volta.empty()) write_instruction(instruction, program.texts[i], out);
    if (!trace.volta.empty()) write_volta(trace.volta[i], out);
  }
}

void read_code(bool is_volta, ByteReader* in, Trace* trace) {
  const uint64_t count = in->number();
  uint64_t address = 0;
  for (uint64_t i = 0; i < count; ++i) {
    address += in->difference();
    if (address > kMostBytes) in->place().fail("damaged: an address beyond any code");
    const uint32_t at = static_cast<uint32_t>(address);
    if (is_volta) add_volta_instruction(read_volta(at, in), trace);
    if (!is_volta) read_instruction(at, in, &trace->program);
  }
}

void read_names(ByteReader* in, isa::Program* program) {
  for (uint64_t left = in->number(); left > 0; --left) {
    const std::string name = in->text();
    program->symbols[name] = in->byte();
  }
  for (uint64_t left = in->number(); left > 0; --left) program->warnings.push_back(in->text());
}

}  // namespace

uint64_t code_identity(const Trace& trace) {
  uint64_t hash = 0xCBF29CE484222325u;
  const auto add = [&hash](uint64_t value) { hash = (hash ^ value) * 0x100000001B3u; };
  for (size_t i = 0; i < trace.program.code.size(); ++i) {
    add(trace.program.code[i].word);
    add(isa::slot_of(trace.program.code[i].control));
    if (trace.volta.empty()) continue;
    for (const char letter : trace.program.texts[i]) add(static_cast<uint8_t>(letter));
  }
  return hash;
}

std::string program_bytes(const Trace& trace, const LaunchShape& shape) {
  const isa::Program& program = trace.program;
  ByteWriter out;
  out.word64(code_identity(trace));
  out.byte(static_cast<uint8_t>((program.has_control ? kHasControl : 0) |
                                (shape.up_rule == isa::UpRule::kMinLane ? kMinLaneRule : 0) |
                                (trace.volta.empty() ? 0 : kVolta)));
  out.text(program.name);
  write_extent(shape.grid, &out);
  write_extent(shape.block, &out);
  out.number(program.registers);
  out.number(program.shared_bytes);
  out.number(program.local_bytes);
  write_code(trace, &out);
  out.number(program.symbols.size());
  for (const auto& [name, index] : program.symbols) {
    out.text(name);
    out.byte(index);
  }
  out.number(program.warnings.size());
  for (const std::string& warning : program.warnings) out.text(warning);
  out.number(shape.notes.size());
  for (const auto& [key, value] : shape.notes) {
    out.text(key);
    out.text(value);
  }
  return out.bytes();
}

void read_program(ByteReader in, Trace* trace, LaunchShape* shape) {
  isa::Program& program = trace->program;
  const uint64_t identity = in.word64();
  const uint8_t flags = in.byte();
  if (flags > kAllFlags) in.place().fail("damaged: unknown flags of the program");
  program.has_control = (flags & kHasControl) != 0;
  shape->up_rule = (flags & kMinLaneRule) != 0 ? isa::UpRule::kMinLane : isa::UpRule::kMaxLane;
  program.name = in.text();
  shape->grid = read_extent(&in, kMostExtent, "the grid");
  shape->block = read_extent(&in, kMostThreads, "the block");
  const auto registers = static_cast<unsigned>(in.number_upto(kMostRegisters, "the registers"));
  program.shared_bytes = static_cast<unsigned>(in.number_upto(kMostBytes, "shared memory"));
  program.local_bytes = static_cast<unsigned>(in.number_upto(kMostBytes, "local memory"));
  read_code((flags & kVolta) != 0, &in, trace);
  program.registers = registers;
  read_names(&in, &program);
  for (uint64_t left = in.number(); left > 0; --left) {
    const std::string key = in.text();
    shape->notes[key] = in.text();
  }
  trace->blocks = static_cast<uint32_t>(shape->grid.count());
  trace->threads_per_block = static_cast<uint32_t>(shape->block.count());
  if (!in.at_end()) in.place().fail("damaged: bytes behind the program");
  if (identity != code_identity(*trace)) in.place().fail("damaged: the code is not what it was");
}

}  // namespace shflsim::traces
