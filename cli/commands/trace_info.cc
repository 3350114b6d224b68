// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/commands/trace_command.h"
#include "cli/launch/input.h"
#include "cli/launch/shown_work.h"
#include "cli/options/command.h"
#include "cli/options/result_format.h"
#include "report/run/rows.h"
#include "report/terminal/screen.h"
#include "traces/shft/reader.h"
#include "traces/warp_reader.h"

namespace shflsim::cli {
namespace {

struct Counts {
  uint64_t steps = 0;
  uint64_t shuffles = 0;
  uint64_t accesses = 0;  ///< steps with addresses
};

/// Reads every step, and with it every byte of the file.
Counts counts_of(const traces::Trace& trace) {
  const ShownWork shown;
  Counts counts;
  for (size_t warp = 0; warp < trace.warps.size(); ++warp) {
    tell_work(warp, trace.warps.size(), "warps");
    traces::WarpReader steps(trace, warp);
    do {
      const traces::Step& step = steps.step();
      const bool shuffles = trace.code.lines[step.index].is_shuffle();
      ++counts.steps;
      counts.shuffles += shuffles ? 1 : 0;
      counts.accesses += !shuffles && step.payload != traces::Step::kNone ? 1 : 0;
    } while (steps.next());
  }
  return counts;
}

std::string extent_text(const isa::Extent& extent) {
  return fmt::format("{},{},{}", extent.x, extent.y, extent.z);
}

void print(const std::string& key, const std::string& value) {
  report::write_line(std::cout, fmt::format("{:<20}{}", key, value), 20);
}

void print(const std::string& key, uint64_t value) { print(key, std::to_string(value)); }

double per_step(uint64_t bytes, const Counts& counts) {
  return static_cast<double>(bytes) / static_cast<double>(counts.steps);
}

void print_sizes(const traces::ShftFile& file, const Counts& counts) {
  print("sections of steps", file.sections().size());
  print("bytes", fmt::format("{}, {} of them steps", file.bytes(), file.path_bytes()));
  print("bytes/instruction",
        fmt::format("{:.3f}, {:.3f} of them steps", per_step(file.bytes(), counts),
                    per_step(file.path_bytes(), counts)));
}

/// These figures as JSON; the trace is the only row.
report::Document document(const Input& input) {
  const traces::Trace& trace = input.trace();
  const Counts counts = counts_of(trace);
  report::Json row = {{"format", input.format()},
                      {"kernel", trace.code.name},
                      {"isa", isa::facts(trace.code.family()).name},
                      {"instructions", trace.code.lines.size()},
                      {"control_bits", trace.code.has_control},
                      {"registers", trace.code.registers},
                      {"shared_bytes", trace.shared_bytes},
                      {"grid", extent_text(input.shape().grid)},
                      {"block", extent_text(input.shape().block)},
                      {"warps", trace.warps.size()},
                      {"warp_instructions", counts.steps},
                      {"shuffles", counts.shuffles},
                      {"memory_accesses", counts.accesses},
                      {"lane_maps", trace.maps().size()},
                      {"findings", trace.findings.size()}};
  if (const auto* file = dynamic_cast<const traces::ShftFile*>(trace.source.get())) {
    row["sections"] = file->sections().size();
    row["bytes"] = file->bytes();
    row["bytes_of_steps"] = file->path_bytes();
  }
  report::Document info(report::Json{{"schema", "shflsim-trace-info/1"}, {"traces", {row}}},
                        "traces", {});
  for (const auto& [key, value] : row.items()) info.keys.push_back(key);
  return info;
}

void print_info(const Input& input) {
  const traces::Trace& trace = input.trace();
  const traces::LaunchShape& shape = input.shape();
  const auto* const file = dynamic_cast<const traces::ShftFile*>(trace.source.get());
  const Counts counts = counts_of(trace);
  print("format", file == nullptr ? input.format()
                                  : fmt::format("{}, version {}", input.format(), file->version()));
  print("kernel", trace.code.name);
  print("isa", isa::facts(trace.code.family()).name);
  print("code", fmt::format("{} instructions, identity {:016x}", trace.code.lines.size(),
                            traces::code_identity(trace.code)));
  print("control bits", trace.code.has_control ? "yes" : "no");
  print("registers", trace.code.registers);
  print("shared memory", fmt::format("{} bytes a block", trace.shared_bytes));
  print("grid", extent_text(shape.grid));
  print("block", extent_text(shape.block));
  print("warps", trace.warps.size());
  print("warp instructions", counts.steps);
  print("shuffles", counts.shuffles);
  print("memory accesses", counts.accesses);
  print("lane maps", trace.maps().size());
  print("findings", trace.findings.size());
  if (file != nullptr) print_sizes(*file, counts);
}

struct InfoOptions : OptionGroup {
  std::string file;
  InputOptions input;  ///< only its kernel and trace options are listed
  FormatOption format;

  void list(OptionList& list) {
    list.group("options", this);
    list.argument("input", &file, "TRACE", "a trace (`shflsim list inputs`)");
    input.list_trace(list);
    format.list(list);
  }
};

int describe_trace(const InfoOptions& options) {
  const Input input(options.file, options.input);
  if (options.format.is_text()) {
    print_info(input);
  } else {
    print_formatted(options.format.format, document(input));
  }
  return kFine;
}

}  // namespace

const Command kTraceInfo = command(
    "info", "say what a trace holds, and check every byte of it", "shflsim trace info TRACE",
    "  shflsim trace record traces/scan_inclusive.sass -o scan.shft\n"
    "  shflsim trace info scan.shft\n",
    describe_trace);

}  // namespace shflsim::cli
