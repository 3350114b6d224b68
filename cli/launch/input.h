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

/// Which code to use if a file has code in several forms.
struct CodeOptions : OptionGroup {
  std::string arch;  ///< "sm_52" or "compute_52"; "" if the user gave none
  std::optional<isa::Lowering> lowering;

  void list(OptionList& list);
  isa::CodeChoice choice() const;
};

/// How to read what a trace leaves open.
struct TraceOptions : OptionGroup {
  std::string unknown_lanes;

  void list(OptionList& list);
};

/// The input of a command: the kernel of a file, and how it is launched or replayed. Commands that
/// take fewer options list only some of the groups.
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
  /// For commands that take only traces.
  void list_trace(OptionList& list);
  /// The groups that define a launch; a launch file defines it itself.
  std::vector<const OptionGroup*> groups_of_launch() const;
};

/// A launch that is ready to be timed.
struct Launch {
  traces::Trace trace;
  report::Origin origin = {};  ///< without a machine
  bool is_region = false;      ///< only the cycles between the last clock reads are reported
  /// Writes the results of the launch: buffers, registers. Call it after the run.
  std::function<void()> save = [] {};
  /// Set if the launch is executed while it is timed. complete() executes the rest of the launch
  /// after a run that ended early, and completes the trace.
  std::shared_ptr<const traces::LiveLaunch> live = nullptr;
  void complete() {
    if (live == nullptr) return;
    live->finish();
    trace.findings = live->findings();
  }
};

/// The input of a command: a file in any dialect of code (isa/dialects/source.h) or format of
/// traces (traces/trace_format.h), recognised by its content, and the kernel that the user chose.
/// All commands use this class, so that they accept the same files and refuse others by name.
class Input {
 public:
  /// `text`: FILE, or FILE:KERNEL if no file has that whole name; `--kernel` names the kernel too.
  /// Throws InputError if the file cannot be opened.
  Input(const std::string& text, InputOptions options);

  const std::string& path() const { return path_; }
  const std::string& kernel() const { return kernel_; }  ///< "" if none was chosen
  std::vector<std::string> kernels() const;
  /// What the file says about each kernel, usable or not; for a trace only the names.
  std::vector<isa::KernelSummary> summaries() const;
  isa::Family family() const;
  bool is_trace() const { return format_ != nullptr; }
  /// True if the region between the clock reads of the code is replayed instead of executed.
  bool is_region() const;
  /// True for a list of traces of which the user chose none.
  bool is_list() const { return is_trace() && format_->is_list && kernel_.empty(); }
  std::string format() const { return is_trace() ? format_->name : ""; }  ///< "" for code
  /// Name of the shipped machine for this input: by the binary version of an Accel-Sim trace, else
  /// by the architecture of the code. Throws InputError for a version of no known machine, unless
  /// the user has chosen a machine.
  std::string machine(const MachineChoice& choice) const;

  /// The code, for a command that takes no traces and no code that can only be timed: refuses both,
  /// naming the command.
  const isa::Source& source(const std::string& command) const;
  /// The trace, for a command that takes only traces.
  const traces::Trace& trace() const;
  const traces::LaunchShape& shape() const;

  /// Throws InputError for given options that do not apply to this kind of input.
  void refuse_foreign_options() const;
  /// The origin that results state: the file and the options of its launch.
  report::Origin origin() const;
  /// Name of the kernel that launch() would launch. Opens every file and checks everything that can
  /// be checked without execution. Throws InputError as launch() does.
  std::string prepared_kernel() const;
  /// Executes the code, opens the trace or lays out the region. Throws InputError for input that
  /// cannot be used and for options that do not apply.
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

/// Prints the notes and warnings of the program on standard error.
void say_remarks(const isa::Program& program);
/// Prints the machine of a report on standard error, unless the user chose it or it is the default.
/// Call it at the end of a command, so that a failure is reported in one line.
void say_machine(const std::string& machine, const MachineChoice& choice);

}  // namespace shflsim::cli
