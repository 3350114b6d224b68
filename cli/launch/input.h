// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/launch/region_options.h"
#include "cli/options/launch_options.h"
#include "cli/options/machine_choice.h"
#include "isa/dialects/source.h"
#include "report/run/head.h"
#include "traces/live_launch.h"
#include "traces/trace_format.h"

namespace shflsim::cli {

/// What to take of a file that has code in several forms.
struct CodeOptions : OptionGroup {
  std::string arch;  ///< "sm_52" or "compute_52"; "" where the user leaves it open
  std::optional<isa::Lowering> lowering;

  void list(OptionList& list);
  isa::CodeChoice choice() const;
};

/// What a trace that leaves something open is taken to mean.
struct TraceOptions : OptionGroup {
  std::string unknown_lanes;

  void list(OptionList& list);
};

/// What a command works on: the kernel of a file, and how it is launched or replayed. Commands that
/// take less list only some of the groups.
struct InputOptions : OptionGroup {
  std::string kernel;
  CodeOptions code;
  LaunchOptions launch;
  RegionOptions region;
  ExecutionOptions execution;
  TraceOptions trace;
  SaveOptions save;  ///< listed only by commands that save

  void list(OptionList& list);
  void list_kernel(OptionList& list, const char* help);
  /// For commands that take traces alone.
  void list_trace(OptionList& list);
  /// The groups that define the launch; a launch file defines it itself.
  std::vector<const OptionGroup*> groups_of_launch() const;
};

/// A launch that is ready to be timed.
struct Launch {
  traces::Trace trace;
  report::Origin origin = {};  ///< without a machine
  bool is_region = false;      ///< only the cycles between the last clock reads are reported
  /// Writes what the launch left: buffers, registers. To be called when the run is over.
  std::function<void()> save = [] {};
  /// Where the launch is executed while it is timed: completes its execution after a run that ended
  /// early, and the trace.
  std::shared_ptr<const traces::LiveLaunch> live = nullptr;
  void complete() {
    if (live == nullptr) return;
    live->finish();
    trace.findings = live->findings();
  }
};

/// The input of a command: a file in any dialect of code (isa/dialects/source.h) or format of
/// traces (traces/trace_format.h), recognised by its content, and the kernel that the user chose.
/// Every command uses it, so that all accept the same files or say by name why not.
class Input {
 public:
  /// `text`: FILE, or FILE:KERNEL if there is no file of that whole name; `--kernel` names it as
  /// well. Throws InputError if the file cannot be opened.
  Input(const std::string& text, InputOptions options);

  const std::string& path() const { return path_; }
  const std::string& kernel() const { return kernel_; }  ///< "" where none was chosen
  std::vector<std::string> kernels() const;
  /// What the file says of each kernel, also of code that no command can use; of a trace the names.
  std::vector<isa::KernelSummary> summaries() const;
  isa::Family family() const;
  bool is_trace() const { return format_ != nullptr; }
  /// Whether the region between clock reads of the code is replayed, not executed.
  bool is_region() const;
  /// Whether it is a list of traces of which the user chose none.
  bool is_list() const { return is_trace() && format_->is_list && kernel_.empty(); }
  std::string format() const { return is_trace() ? format_->name : ""; }  ///< "" for code
  /// Name of the shipped machine for this input: by an Accel-Sim trace's binary version, else by
  /// the family of the code. Throws InputError for a version of no known machine, unless the user
  /// has chosen a machine.
  std::string machine(const MachineChoice& choice) const;

  /// The code itself, for a command that takes no trace and no code that is only timed: both are
  /// refused with the command's name.
  const isa::Source& source(const std::string& command) const;
  /// The trace itself, for a command that takes nothing else.
  const traces::Trace& trace() const;
  const traces::LaunchShape& shape() const;

  /// Throws InputError for given options that do not apply to this kind of input.
  void refuse_foreign_options() const;
  /// What results say of it: its file and the options of its launch.
  report::Origin origin() const;
  /// Name of the kernel that launch() would launch, with everything checked that can be without
  /// executing it, and every file opened. Throws InputError as launch() does.
  std::string prepared_kernel() const;
  /// Executes the code, opens the trace or lays out the region. Throws InputError for anything that
  /// cannot be used, options that do not apply among it.
  Launch launch() const;
  /// As launch(), but the code is executed while the launch is timed.
  Launch live_launch() const;

 private:
  Launch executed() const;
  Launch live() const;
  Launch region() const;
  void open_trace() const;
  static std::optional<isa::Arch> nearest_arch(const std::string& version);
  void say_nearest_arch() const;
  std::string traced_machine(const std::string& version, const MachineChoice& choice) const;

  std::string path_;
  std::string kernel_;
  InputOptions options_;
  const traces::TraceFormat* format_ = nullptr;  ///< nullptr for code
  std::unique_ptr<isa::Source> source_;          ///< nullptr for a trace
  mutable std::optional<traces::Trace> trace_;   ///< empty until opened
  mutable traces::LaunchShape shape_;
};

/// Prints on standard error what results of the program should be read with.
void say_remarks(const isa::Program& program);
/// Prints on standard error which machine a report is for, unless that is the user's choice or the
/// default one. To be called at a command's end: a failure is reported in one line.
void say_machine(const std::string& machine, const MachineChoice& choice);

}  // namespace shflsim::cli
