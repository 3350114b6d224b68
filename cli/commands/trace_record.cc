// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/trace_command.h"
#include "cli/launch/input.h"
#include "cli/launch/launch_line.h"
#include "cli/launch/launch_setup.h"
#include "cli/launch/recorded_launch.h"
#include "cli/launch/shown_work.h"
#include "cli/options/command.h"
#include "isa/base/input_error.h"
#include "report/terminal/messages.h"
#include "traces/shft/file_recorder.h"
#include "traces/shft/writer.h"

namespace shflsim::cli {
namespace {

/// The machine that executes the code.
struct RecordMachine : OptionGroup {
  MachineChoice choice;
  unsigned sms = 1;
  bool without_timing = false;

  void list(OptionList& list);
};

void RecordMachine::list(OptionList& list) {
  choice.list(list, ", on which the code is executed (default: the input's own)");
  list.group("machine", this);
  list.number("sms", &sms, 1, 256, "N", "SMs of a chip, that share the grid's blocks");
  list.flag("no-timing", &without_timing,
            "execute the code without a machine: one block after the other, warps in turns, no "
            "clock; faster");
  list.excludes_group(&without_timing, choice, ", which has no machine");
  list.excludes(&without_timing, {&sms}, ", which has no machine");
}

struct RecordOptions : OptionGroup {
  std::string file;
  std::string output;
  InputOptions input;
  RecordMachine machine;

  void list(OptionList& list);
};

void RecordOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("input", &file, "FILE", "FILE or FILE:KERNEL, code (`shflsim list inputs`)");
  list.text("output", &output, "FILE", "the trace to write").short_form('o').required().common();
  input.list(list);
  input.save.list(list);
  machine.list(list);
}

/// Writes the steps while they are executed, so that a long launch need not fit in memory. The
/// order of the steps is that in which the machine issues them, or that of execution without time.
void record_launch(const Input& input, const RecordOptions& options) {
  input.refuse_foreign_options();
  const isa::Program program =
      isa::find_kernel(input.source("trace record"), input.kernel(), input.path());
  say_remarks(program);
  LaunchSetup launch(with_launch_line(options.input.launch, input.path()), options.input.save,
                     program);
  const ShownWork shown;
  const isa::MachineOptions how = options.input.execution.machine(launch.keeps_registers());
  if (options.machine.without_timing) {
    launch.save(
        traces::record_to_file(options.output, program, launch.launch(), launch.memory(), how));
    return;
  }
  launch.save(recorded_to_file(options.output, {program, launch.launch(), launch.memory(), how},
                               options.machine.choice.layers(input.machine(options.machine.choice)),
                               options.machine.sms));
}

/// A region is one block of warps.
void record_region(const Input& input, const RecordOptions& options) {
  for (const OptionGroup* group :
       std::initializer_list<const OptionGroup*>{&options.machine, &options.machine.choice})
    refuse(*group, "--region, which executes nothing");
  const traces::Trace trace = input.launch().trace;
  traces::LaunchShape shape;
  shape.block.x = trace.threads_per_block;
  traces::write_shft(options.output, trace, shape);
}

int record_trace(const RecordOptions& options) {
  const Input input(options.file, options.input);
  if (input.is_trace())
    throw InputError({input.path()}, "is a trace already; expected code, or shflsim trace convert");
  if (input.is_region()) {
    record_region(input, options);
  } else {
    record_launch(input, options);
  }
  return kFine;
}

}  // namespace

const Command kTraceRecord = command(
    "record", "execute code and write its trace", "shflsim trace record FILE -o TRACE [options]",
    "  shflsim trace record traces/scan_inclusive.sass --reg Rsum=1.0 -o scan.shft\n"
    "  shflsim run scan.shft --set shuffle.network=banked\n",
    record_trace);

}  // namespace shflsim::cli
