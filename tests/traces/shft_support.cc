// SPDX-License-Identifier: Apache-2.0
#include "tests/traces/shft_support.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "isa/dialects/schedule.h"
#include "isa/dialects/source.h"
#include "tests/support/random_program.h"
#include "traces/recorder.h"
#include "traces/warp_reader.h"

namespace shflsim::traces {
namespace {

void add(uint64_t number, std::string* text) { *text += std::to_string(number) + " "; }

void add_map(const isa::LaneMap& map, std::string* text) {
  *text += "from ";
  for (const uint8_t source : map.source) add(source, text);
  add(map.executing, text);
  add(map.in_range, text);
  add(map.undefined, text);
}

void add_warp(const Trace& trace, size_t warp, std::string* text) {
  const WarpTrace& head = trace.warps[warp];
  *text += "\nwarp ";
  for (const uint64_t number : {uint64_t{head.block}, uint64_t{head.warp}, head.start})
    add(number, text);
  WarpReader steps(trace, warp);
  do {
    const Step& step = steps.step();
    *text += "\n";
    add(step.index, text);
    add(step.lanes, text);
    if (step.payload == Step::kNone || step.lanes == 0) continue;
    if (trace.code.lines[step.index].is_shuffle()) {
      add_map(trace.maps()[step.payload], text);
      continue;
    }
    *text += "at ";
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
      if (((step.lanes >> lane) & 1u) != 0) add(steps.addresses()[lane], text);
    }
  } while (steps.next());
}

}  // namespace

RandomRun::RandomRun(uint32_t seed) {
  const std::string file = "random.sass";
  program = isa::find_kernel(
      *isa::Dialects::named("manual").open({file, test::random_program(seed)}), "", file);
  if (seed % 2 != 0) isa::choose_control(&program);
  launch.grid.x = 1 + seed % 3;
  launch.block.x = 32 + seed % 70;
  isa::DeviceMemory memory;
  isa::Outcome outcome;
  trace = record(program, launch, memory, {}, &outcome);
}

TemporaryFile::TemporaryFile(const std::string& name)
    : path(testing::TempDir() + std::to_string(getpid()) + "_" + name) {}

TemporaryFile::~TemporaryFile() { std::filesystem::remove(path); }

std::string described(const Trace& trace) {
  const isa::Code& code = trace.code;
  std::string text = code.name + " ";
  for (const uint64_t number :
       {uint64_t{trace.blocks}, uint64_t{trace.threads_per_block}, uint64_t{trace.shared_bytes},
        uint64_t{code.registers}, uint64_t{code.has_control}, code_identity(code)})
    add(number, &text);
  for (const isa::CodeLine& line : code.lines) {
    text += "\n" + line.text + " " + isa::pipe_name(line.pipe) + " ";
    add(line.address, &text);
  }
  for (const std::string& warning : code.warnings) text += "\n" + warning;
  for (const Finding& finding : trace.findings) {
    text += "\n" + finding.what + " ";
    for (const uint32_t number : {finding.index, finding.block, finding.warp, finding.lanes})
      add(number, &text);
  }
  for (size_t warp = 0; warp < trace.warps.size(); ++warp) add_warp(trace, warp, &text);
  return text;
}

}  // namespace shflsim::traces
