// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/spec.h"
#include "cli/trace_command.h"
#include "isa/input_error.h"
#include "report/screen.h"
#include "traces/warp_reader.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr uint32_t kMost = 0xFFFFFFFF;

po::options_description dump_options() {
  po::options_description options("options");
  options.add_options()("input", po::value<std::string>()->value_name("TRACE")->required(),
                        "a trace")("block", po::value<std::string>()->value_name("N"),
                                   "only the warps of this block (linear index in the grid)")(
      "warp", po::value<std::string>()->value_name("N"),
      "only the warps with this number in their block")(
      "first", po::value<std::string>()->value_name("N")->default_value("0"),
      "first step of each warp, from 0")("count", po::value<std::string>()->value_name("N"),
                                         "steps of each warp at most")(
      "kernel", po::value<std::string>()->value_name("NAME"),
      "kernel of a list; needed where it holds several");
  add_trace_options(options);
  return options;
}

bool chosen(const po::variables_map& values, const char* name, uint32_t number) {
  if (values.count(name) == 0) return true;
  return number == read_number(values[name].as<std::string>(), kMost, std::string("--") + name);
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
  return line + "  at" + addresses_text(steps.addresses(), step.lanes);
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

}  // namespace

int dump_trace(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("input", 1);
  po::variables_map values;
  const Usage usage{"shflsim trace dump TRACE [options]",
                    "  shflsim trace record traces/scan_inclusive.sass -o scan.shft\n"
                    "  shflsim trace dump scan.shft --block 0 --warp 0 --count 20\n"};
  if (!parse(arguments, usage, dump_options(), positions, &values)) return kFine;
  const uint64_t first = read_number(values["first"].as<std::string>(), kMost, "--first");
  const uint64_t count = values.count("count") == 0
                             ? ~uint64_t{0}
                             : read_number(values["count"].as<std::string>(), kMost, "--count");
  const Input input(values["input"].as<std::string>(), values);
  const traces::Trace& trace = input.trace();
  bool any = false;
  for (size_t warp = 0; warp < trace.warps.size(); ++warp) {
    if (!chosen(values, "block", trace.warps[warp].block)) continue;
    if (!chosen(values, "warp", trace.warps[warp].warp)) continue;
    dump_warp(trace, warp, first, count);
    any = true;
  }
  if (!any) {
    throw InputError({input.path()},
                     fmt::format("no such warp; expected blocks below {} and warps below {}",
                                 trace.blocks, trace.warps_per_block()));
  }
  return kFine;
}

}  // namespace shflsim::cli
