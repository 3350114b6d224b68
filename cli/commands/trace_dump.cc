// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/commands/trace_command.h"
#include "cli/launch/input.h"
#include "cli/options/command.h"
#include "isa/base/input_error.h"
#include "isa/machine/asynchronous_row.h"
#include "report/terminal/screen.h"
#include "traces/warp_reader.h"

namespace shflsim::cli {
namespace {

constexpr uint32_t kMost = 0xFFFFFFFF;

struct DumpOptions : OptionGroup {
  std::string file;
  std::optional<uint32_t> block;
  std::optional<uint32_t> warp;
  uint64_t first = 0;
  std::optional<uint64_t> count;
  InputOptions input;  ///< only its kernel and trace options are listed

  void list(OptionList& list);
  bool shows(const traces::WarpTrace& its) const {
    return its.block == block.value_or(its.block) && its.warp == warp.value_or(its.warp);
  }
};

void DumpOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("input", &file, "TRACE", "a trace");
  list.number("block", &block, 0, kMost, "N",
              "only the warps of this block (linear index in the grid)")
      .common();
  list.number("warp", &warp, 0, kMost, "N", "only the warps with this number in their block")
      .common();
  list.number("first", &first, 0, kMost, "N", "first step of each warp, from 0").common();
  list.number("count", &count, 0, kMost, "N", "steps of each warp at most").common();
  input.list_trace(list);
}

/// Source lanes, 0 to 31.
std::string sources_text(const isa::LaneMap& map) {
  return fmt::format("{}", fmt::join(map.source, " "));
}

std::string addresses_text(const traces::LaneAddresses& addresses, isa::LaneMask lanes) {
  std::string text;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if (((lanes >> lane) & 1u) != 0) text += fmt::format(" {:x}", addresses[lane]);
  }
  return text;
}

std::string line_of(const traces::Trace& trace, const traces::WarpReader& steps, uint64_t number) {
  const traces::Step& step = steps.step();
  std::string line =
      fmt::format("{:>8} 0x{:04x} {:08x} {}", number, trace.code.lines[step.index].address,
                  step.lanes, trace.code.lines[step.index].text);
  if (step.payload == traces::Step::kNone) return line;
  if (trace.code.lines[step.index].is_shuffle())
    return line + "  from " + sources_text(trace.maps()[step.payload]);
  if (trace.code.lines[step.index].is_block_barrier()) {
    isa::BarrierOperands barrier;
    isa::unpack_barrier(steps.addresses()[static_cast<unsigned>(__builtin_ctz(step.lanes))],
                        &barrier);
    return line + fmt::format("  barrier {}, {} threads", barrier.number, barrier.threads);
  }
  const bool copies = trace.code.lines[step.index].op == isa::Op::kSm70_LDGSTS;
  return line + "  at" +
         addresses_text(copies ? isa::copied_from(steps.addresses()) : steps.addresses(),
                        step.lanes);
}

void dump_warp(const traces::Trace& trace, size_t warp, uint64_t first, uint64_t count) {
  std::cout << fmt::format("block {} warp {}\n", trace.warps[warp].block, trace.warps[warp].warp);
  traces::WarpReader steps(trace, warp);
  uint64_t number = 0;
  do {
    if (number >= first && number - first >= count) return;
    if (number >= first) report::write_line(std::cout, line_of(trace, steps, number), 25);
    ++number;
  } while (steps.next());
}

int dump_trace(const DumpOptions& options) {
  const Input input(options.file, options.input);
  const traces::Trace& trace = input.trace();
  bool any = false;
  for (size_t warp = 0; warp < trace.warps.size(); ++warp) {
    if (!options.shows(trace.warps[warp])) continue;
    dump_warp(trace, warp, options.first, options.count.value_or(~uint64_t{0}));
    any = true;
  }
  if (!any) {
    throw InputError({input.path()},
                     fmt::format("no such warp; expected blocks below {} and warps below {}",
                                 trace.blocks, trace.warps_per_block()));
  }
  return kFine;
}

}  // namespace

const Command kTraceDump =
    command("dump", "print the steps of a trace as text", "shflsim trace dump TRACE [options]",
            "  shflsim trace record traces/scan_inclusive.sass -o scan.shft\n"
            "  shflsim trace dump scan.shft --block 0 --warp 0 --count 20\n",
            dump_trace);

}  // namespace shflsim::cli
