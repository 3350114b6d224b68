// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/input.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "cli/launch/chips.h"
#include "cli/launch/launch_line.h"
#include "cli/launch/launch_setup.h"
#include "cli/launch/recorded_launch.h"
#include "cli/launch/shown_work.h"
#include "cli/options/spec.h"
#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "report/terminal/messages.h"
#include "traces/accel_sim/unknown_lanes.h"

namespace shflsim::cli {

namespace {

/// Also false if the path is not accessible: the reader then reports why.
bool exists(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

std::string binary_version_note() { return std::string(traces::kTracegNote) + "binary version"; }

std::string unknown_lanes_rule(const std::string& text, const std::string& /*option*/) {
  return traces::UnknownLanes(text).text();
}

}  // namespace

void CodeOptions::list(OptionList& list) {
  list.group("launch", this);
  list.value("arch", &arch, "NAME",
             "fat binaries: the code to take, sm_NN or compute_NN (default: the newest cubin that "
             "can be executed, else PTX)",
             read_architecture)
      .common("fat binaries: the code to take, sm_NN or compute_NN");
  list.choice("lowering", &lowering, {"plain", "optimised"}, "HOW",
              "how PTX is lowered: optimised (default), as a compiler does, or plain, statement by "
              "statement");
}

isa::CodeChoice CodeOptions::choice() const {
  return {arch, lowering, isa::refusal_of, isa::refusal_of_line};
}

void TraceOptions::list(OptionList& list) {
  list.group("traces", this);
  list.value("unknown-lanes", &unknown_lanes, "RULE",
             "Accel-Sim traces: lanes that a SHFL reads if the trace does not say: identity "
             "(default), xor, random:SEED or worst",
             unknown_lanes_rule);
}

void InputOptions::list_kernel(OptionList& list, const char* help) {
  list.group("launch", this);
  list.text("kernel", &kernel, "NAME", help).common();
}

void InputOptions::list_trace(OptionList& list) {
  list_kernel(list, "kernel of a list; required if it has several");
  trace.list(list);
}

void InputOptions::list(OptionList& list) {
  list_kernel(list, "kernel of the file; required if it has several");
  code.list(list);
  launch.list(list);
  region.list(list);
  execution.list(list);
  trace.list(list);
}

std::vector<const OptionGroup*> InputOptions::groups_of_launch() const {
  return {&code, &launch, &launch.warps, &save, &region, &trace};
}

Input::Input(const std::string& text, InputOptions options)
    : path_(text), kernel_(options.kernel), options_(std::move(options)) {
  const size_t colon = text.rfind(':');
  if (colon != std::string::npos && !exists(text)) {
    path_ = text.substr(0, colon);
    kernel_ = text.substr(colon + 1);
  }
  const CodeOptions& code = options_.code;
  format_ = traces::TraceFormats::of_file(path_);
  if (format_ == nullptr) source_ = isa::open_source(path_, code.choice());
  if (is_trace() && !code.arch.empty())
    throw InputError("--arch with the trace " + path_ + "; expected it with code");
  if (is_trace() && code.lowering)
    throw InputError("--lowering with the trace " + path_ + "; expected it with PTX");
  report::detail(fmt::format("reads {} as {}{}", path_,
                             is_trace() ? "a trace, " + format() : "code",
                             kernel_.empty() ? "" : ", kernel " + kernel_));
}

std::vector<std::string> Input::kernels() const {
  return is_trace() ? format_->kernels(path_) : source_->kernels();
}

std::vector<isa::KernelSummary> Input::summaries() const {
  if (!is_trace()) return source_->summaries();
  std::vector<isa::KernelSummary> all;
  for (const std::string& name : kernels()) all.emplace_back().kernel = name;
  return all;
}

bool Input::is_region() const {
  return !is_trace() && family() == isa::Family::kSm70 && options_.region.region.has_value();
}

isa::Family Input::family() const { return is_trace() ? trace().code.family() : source_->family(); }

std::string Input::machine(const MachineChoice& choice) const {
  if (!is_trace())
    return machine_of(source_->arch_of(isa::choose_kernel(*source_, kernel_, path_)));
  const auto version = shape().notes.find(binary_version_note());
  if (version != shape().notes.end()) return traced_machine(version->second, choice);
  if (trace().code.has_words) return machine_of(trace().code.arch);
  return family() == isa::Family::kMaxwell ? kDefaultMachine : "gh100";
}

/// The nearest architecture for a binary version without a machine of its own, such as 87.
std::optional<isa::Arch> Input::nearest_arch(const std::string& version) {
  const std::optional<uint64_t> number = whole_number(version);
  if (!number || *number > 999) return std::nullopt;
  const std::optional<isa::Arch> arch = isa::arch_numbered(static_cast<unsigned>(*number));
  const bool is_nearest =
      arch && isa::family_of(*arch) != isa::Family::kMaxwell && isa::number_of(*arch) != *number;
  return is_nearest ? arch : std::nullopt;
}

void Input::say_nearest_arch() const {
  const auto version = shape().notes.find(binary_version_note());
  const std::optional<isa::Arch> nearest =
      version == shape().notes.end() ? std::nullopt : nearest_arch(version->second);
  if (nearest)
    report::remark(fmt::format("{}: code of binary version {} is timed as {}'s", path_,
                               version->second, isa::name_of(*nearest)));
}

/// The machine for a binary version of Accel-Sim.
std::string Input::traced_machine(const std::string& version, const MachineChoice& choice) const {
  std::string versions;
  for (const auto& [number, machine] : chips()) {
    const std::string each = std::to_string(number);
    if (each == version) return machine;
    versions += (versions.empty() ? "" : ", ") + each;
  }
  if (const std::optional<isa::Arch> nearest = nearest_arch(version)) return machine_of(*nearest);
  if (!choice.is_made())
    throw InputError(
        {path_}, "is of binary version " + version + ", of which no machine is known (" + versions +
                     " are); expected --config with one of " + "`shflsim list configs`");
  return kDefaultMachine;  // --config replaces it
}

void Input::open_trace() const {
  if (trace_.has_value()) return;
  traces::TraceChoice choice;
  choice.kernel = kernel_;
  const std::string& unknown = options_.trace.unknown_lanes;
  if (!unknown.empty() && !format_->leaves_lanes_open)
    throw InputError("--unknown-lanes with the trace " + path_ +
                     ", which says all lanes; expected it with an Accel-Sim trace");
  if (!unknown.empty()) choice.unknown_lanes = unknown;
  const ShownWork shown;
  trace_ = format_->open(path_, choice, &shape_);
}

const traces::Trace& Input::trace() const {
  if (!is_trace())
    throw InputError({path_}, "is no trace; expected one, such as `shflsim trace record` writes");
  open_trace();
  return *trace_;
}

const traces::LaunchShape& Input::shape() const {
  trace();
  return shape_;
}

const isa::Source& Input::source(const std::string& command) const {
  if (is_trace())
    throw InputError({path_}, "is a trace (" + format() + "); expected code for " + command);
  return *source_;
}

void Input::refuse_foreign_options() const {
  const auto refuse_all = [](std::initializer_list<const OptionGroup*> groups,
                             const std::string& because) {
    for (const OptionGroup* group : groups) refuse(*group, because);
  };
  const InputOptions& given = options_;
  if (is_trace()) {
    refuse_all({&given.launch, &given.launch.warps, &given.save, &given.region, &given.execution},
               "the trace " + path_ +
                   ", which holds a launch that was executed; expected it where the trace is "
                   "recorded");
  } else if (!is_region()) {
    refuse(
        given.region,
        path_ + ", which is executed; expected it with --region clock and code of sm_70 or later");
    refuse(given.trace, path_ + ", whose lanes are computed; expected it with an Accel-Sim trace");
  } else {
    refuse_all({&given.launch, &given.save, &given.execution, &given.trace},
               path_ + ", of which a region is timed; expected it without --region");
  }
}

Launch Input::launch() const {
  refuse_foreign_options();
  if (!is_trace()) return is_region() ? region() : executed();
  for (const std::string& warning : trace().code.warnings) report::remark(path_ + ": " + warning);
  say_nearest_arch();
  return {trace(), origin(), false};
}

Launch Input::live_launch() const {
  if (is_trace() || is_region()) return launch();
  refuse_foreign_options();
  return live();
}

std::string Input::prepared_kernel() const {
  refuse_foreign_options();
  if (is_trace()) return trace().code.name;
  if (is_region()) return region().trace.code.name;
  const isa::Program program = isa::find_kernel(*source_, kernel_, path_);
  const LaunchSetup checked(with_launch_line(options_.launch, path_), {}, program);
  return program.name;
}

report::Origin Input::origin() const {
  const bool has_launch_line = !is_trace() && !is_region();
  const LaunchOptions launch =
      has_launch_line ? with_launch_line(options_.launch, path_) : options_.launch;
  report::Origin origin{path_ + (kernel_.empty() ? "" : ":" + kernel_)};
  const std::initializer_list<const OptionGroup*> groups = {&launch.warps,       &launch,
                                                            &options_.code,      &options_.region,
                                                            &options_.execution, &options_.trace};
  for (const OptionGroup* group : groups) {
    for (const std::string& words : words_of(*group)) origin.arguments.push_back(words);
  }
  return origin;
}

Launch Input::executed() const {
  const isa::Program program = isa::find_kernel(*source_, kernel_, path_);
  say_remarks(program);
  LaunchSetup setup(with_launch_line(options_.launch, path_), options_.save, program);
  Launch launch;
  launch.origin = origin();
  const report::TimedDetail timed("executed " + program.name);
  launch.trace = recorded({program, setup.launch(), setup.memory(), options_.execution.machine()},
                          MachineChoice().layers(machine({})));
  return launch;
}

Launch Input::live() const {
  const auto program =
      std::make_shared<const isa::Program>(isa::find_kernel(*source_, kernel_, path_));
  say_remarks(*program);
  const auto setup = std::make_shared<LaunchSetup>(with_launch_line(options_.launch, path_),
                                                   options_.save, *program);
  const auto live =
      std::make_shared<traces::LiveLaunch>(*program, setup->launch(), setup->memory(),
                                           options_.execution.machine(setup->keeps_registers()));
  Launch launch;
  launch.origin = origin();
  launch.trace = traces::live_trace(*program, setup->launch(), live);
  launch.live = live;
  launch.save = [program, setup, live] { setup->save(live->outcome()); };
  return launch;
}

Launch Input::region() const {
  const isa::Code code = source_->code(isa::choose_kernel(*source_, kernel_, path_));
  return {traces::region_trace(code, options_.region.replay(options_.launch.warps, code.name)),
          origin(), true};
}

void say_remarks(const isa::Program& program) {
  for (const std::string& note : program.notes) report::remark(note);
  for (const std::string& warning : program.warnings) report::remark(warning);
}

void say_machine(const std::string& machine, const MachineChoice& choice) {
  if (!choice.is_made() && machine != kDefaultMachine)
    report::remark("timed on " + machine + ", the input's own; --config chooses another");
}

}  // namespace shflsim::cli
