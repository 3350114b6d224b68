// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/export.h"

#include <fmt/format.h>

#include <iterator>
#include <sstream>

#include "isa/base/input_error.h"
#include "isa/machine/asynchronous_row.h"
#include "traces/accel_sim/code.h"
#include "traces/accel_sim/import.h"
#include "traces/accel_sim/peer_names.h"
#include "traces/accel_sim/text_lines.h"
#include "traces/warp_reader.h"

namespace shflsim::traces {
namespace {

unsigned width_in(const std::string& opcode) {
  const auto has = [&opcode](const char* part) { return opcode.find(part) != std::string::npos; };
  if (has(".128")) return 16;
  if (has(".64")) return 8;
  if (has(".U16") || has(".S16")) return 2;
  return has(".U8") || has(".S8") ? 1 : 4;
}

/// True if the addresses have a base and a stride by the tracer's rule: the active lanes are
/// contiguous, two or more, or there are none.
bool has_stride(const LaneAddresses& addresses, isa::LaneMask lanes, int64_t* stride) {
  *stride = 0;
  if (lanes == 0) return true;
  const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
  const isa::LaneMask run = lanes >> first;
  if (run == 1 || (uint64_t{run} & (uint64_t{run} + 1)) != 0) return false;
  *stride = static_cast<int64_t>(addresses[first + 1] - addresses[first]);
  for (unsigned lane = first + 1; lane < isa::kLanes && ((lanes >> lane) & 1u) != 0; ++lane) {
    if (addresses[lane] - addresses[lane - 1] != static_cast<uint64_t>(*stride)) return false;
  }
  return true;
}

class TracegWriter {
 public:
  TracegWriter(const Trace& trace, const LaunchShape& shape, TextOut* out)
      : trace_(trace), shape_(shape), out_(*out) {
    imported_ = shape.notes.count(std::string(kTracegNote) + "kernel name") != 0;
    immediates_ = !imported_ || note("immediates") == "1" ? 1 : note("immediates") == "2" ? 2 : 0;
    has_values_ = note("accelsim tracer version") == "6";
    has_commits_ = !note("commit groups").empty();
    lists_addresses_ = !note("address lists").empty();
    has_lines_ = note("enable lineinfo") == "1";
    read_code();
  }

  void write() {
    write_header();
    for (size_t warp = 0; warp < trace_.warps.size(); ++warp) {
      const uint32_t block = trace_.warps[warp].block;
      const bool begins = warp == 0 || trace_.warps[warp - 1].block != block;
      if (begins && warp != 0) out_.write("\n#END_TB\n");
      if (begins) write_block(block);
      write_warp(warp);
    }
    if (!trace_.warps.empty()) out_.write("\n#END_TB\n");
  }

 private:
  std::string note(const std::string& key) const {
    const auto found = shape_.notes.find(kTracegNote + key);
    return found == shape_.notes.end() ? "" : found->second;
  }

  void read_code() {
    std::istringstream widths(note("widths"));
    std::istringstream lines(note("source lines"));
    for (const isa::CodeLine& listed : trace_.code.lines) {
      TracegInstruction instruction =
          imported_ ? imported_instruction(listed.text) : traceg_instruction(listed.text);
      instruction.pc = listed.address;
      if (!(widths >> instruction.width)) instruction.width = own_width(listed, instruction.opcode);
      if (!(lines >> instruction.line)) instruction.line = 0;
      if (!imported_) instruction.opcode = accel_sim_opcode(trace_.code.arch, instruction.opcode);
      code_.push_back(instruction);
    }
  }

  static unsigned own_width(const isa::CodeLine& listed, const std::string& opcode) {
    const bool accesses = listed.text.find('[') != std::string::npos;
    const bool is_memory = listed.pipe == isa::Pipe::kShared || listed.pipe == isa::Pipe::kGlobal;
    return accesses && is_memory ? width_in(opcode) : 0;
  }

  void write_header() {
    const auto line = [this](const std::string& key, const std::string& value) {
      const std::string noted = note(key);
      if (!imported_ || !noted.empty())
        out_.write("-" + key + " = " + printable(imported_ ? noted : value) + "\n");
    };
    const auto extent = [](const isa::Extent& e) {
      return fmt::format("({},{},{})", e.x, e.y, e.z);
    };
    line("kernel name", trace_.code.name);
    line("kernel id", "1");
    line("grid dim", extent(shape_.grid));
    line("block dim", extent(shape_.block));
    line("shmem", std::to_string(trace_.shared_bytes));
    line("nregs", std::to_string(trace_.code.registers));
    line("binary version", std::to_string(accel_sim_version(trace_.code.arch)));
    line("cuda stream id", "0");
    line("shmem base_addr", "0x0000000000000000");
    line("local mem base_addr", "0x0000000000000000");
    line("nvbit version", "none");
    line("accelsim tracer version", "5");
    line("enable lineinfo", "0");
    out_.write(
        "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num "
        "[reg_srcs] mem_width [adrrescompress?] [mem_addresses] ");
    out_.write(has_values_ ? "immediate1 immediate2 Val|NoVal [dest_val_num] [dest_val] ... "
                             "[src_val1_num] [src_val1] ... [...] [src_valX_num] [src_valX] ...\n"
                           : "immediate\n");
  }

  void write_block(uint32_t block) {
    const isa::Extent& grid = shape_.grid;
    out_.write(fmt::format("\n#BEGIN_TB\n\nthread block = {},{},{}\n", block % grid.x,
                           block / grid.x % grid.y, block / grid.x / grid.y));
  }

  void write_warp(size_t warp) {
    std::string text;
    uint64_t count = 0;
    for (WarpReader counted(trace_, warp);; ++count) {
      if (!counted.next()) break;
    }
    out_.write(fmt::format("\nwarp = {}\ninsts = {}\n", trace_.warps[warp].warp, count + 1));
    WarpReader steps(trace_, warp);
    do {
      append_step(steps, &text);
      if (text.size() < kPiece) continue;
      out_.write(text);
      text.clear();
    } while (steps.next());
    out_.write(text);
  }

  void append_step(const WarpReader& steps, std::string* text) const {
    const Step& step = steps.step();
    const TracegInstruction& instruction = code_[step.index];
    auto out = std::back_inserter(*text);
    if (has_lines_) fmt::format_to(out, "{} ", instruction.line);
    fmt::format_to(out, "{:04x} {:08x} {} ", instruction.pc, step.lanes,
                   instruction.destinations.size());
    for (const TracedRegister& each : instruction.destinations)
      fmt::format_to(out, "{} ", name_of(each));
    fmt::format_to(out, "{} {} ", instruction.opcode, instruction.sources.size());
    for (const TracedRegister& each : instruction.sources)
      fmt::format_to(out, "{} ", name_of(each));
    if (has_commits_ && is_group_product(instruction))
      *text += instruction.ends_group ? "1 " : "0 ";
    const bool accesses =
        step.payload != Step::kNone && !trace_.code.lines[step.index].is_shuffle();
    fmt::format_to(out, "{} ", instruction.width);
    if (instruction.width != 0)
      append_addresses(accesses ? addresses_of(steps) : LaneAddresses{}, step.lanes, text);
    for (unsigned i = 0; i < immediates_; ++i) fmt::format_to(out, "{} ", instruction.immediate[i]);
    *text += has_values_ ? "NoVal \n" : "\n";
  }

  LaneAddresses addresses_of(const WarpReader& steps) const {
    const bool copies = trace_.code.lines[steps.step().index].op == isa::Op::kSm70_LDGSTS;
    return copies ? isa::copied_from(steps.addresses()) : steps.addresses();
  }

  void append_addresses(const LaneAddresses& addresses, isa::LaneMask lanes,
                        std::string* text) const {
    auto out = std::back_inserter(*text);
    int64_t stride = 0;
    const auto first = lanes == 0 ? 0u : static_cast<unsigned>(__builtin_ctz(lanes));
    const uint64_t base = lanes == 0 ? 0 : addresses[first];
    if (!lists_addresses_ && has_stride(addresses, lanes, &stride)) {
      fmt::format_to(out, "1 0x{:x} {} ", base, stride);
      return;
    }
    fmt::format_to(out, lists_addresses_ ? "0 " : "2 0x{:x} ", base);
    uint64_t before = base;
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
      if (((lanes >> lane) & 1u) == 0) continue;
      if (lists_addresses_) fmt::format_to(out, "0x{:016x} ", addresses[lane]);
      if (!lists_addresses_ && lane != first)
        fmt::format_to(out, "{} ", static_cast<int64_t>(addresses[lane] - before));
      before = addresses[lane];
    }
  }

  static constexpr size_t kPiece = 1 << 16;

  const Trace& trace_;
  const LaunchShape& shape_;
  TextOut& out_;
  bool imported_ = false;
  unsigned immediates_ = 1;
  bool has_values_ = false;   ///< version 6
  bool has_commits_ = false;  ///< products of warpgroups have the flag for commit groups
  bool lists_addresses_ = false;
  bool has_lines_ = false;
  std::vector<TracegInstruction> code_;  ///< by index into Code::lines
};

}  // namespace

void export_traceg(const Trace& trace, const LaunchShape& shape, const std::string& path,
                   bool compress) {
  const auto bulk = shape.notes.find(std::string(kTracegNote) + "bulk copies");
  if (bulk != shape.notes.end())
    throw InputError({path}, "the addresses of " + bulk->second +
                                 " are not kept, which a .traceg needs; expected a .shft");
  TextOut out(path, compress);
  TracegWriter(trace, shape, &out).write();
  out.finish();
}

}  // namespace shflsim::traces
