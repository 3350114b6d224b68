// SPDX-License-Identifier: Apache-2.0
#include "cli/input.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "cli/chips.h"
#include "cli/command.h"
#include "cli/launch_line.h"
#include "cli/launch_options.h"
#include "cli/machine_options.h"
#include "cli/region_options.h"
#include "cli/shown_work.h"
#include "cli/spec.h"
#include "isa/input_error.h"
#include "report/messages.h"
#include "traces/accel_sim/unknown_lanes.h"
#include "traces/recorder.h"

namespace shflsim::cli {

namespace po = boost::program_options;

namespace {

/// Also false where the path cannot be looked at: the reader says why.
bool exists(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

/// The options of a launch that were given, each with its value: "--block 256". Not those that say
/// where its result goes, nor the kernel.
std::vector<std::string> given_words(void (*add)(po::options_description&),
                                     const po::variables_map& values) {
  po::options_description options;
  add(options);
  std::vector<std::string> words;
  for (const auto& option : options.options()) {
    const std::string& name = option->long_name();
    const auto given = values.find(name);
    if (given == values.end() || given->second.empty() || given->second.defaulted()) continue;
    if (name == "kernel") continue;
    const auto* text = boost::any_cast<std::string>(&given->second.value());
    const auto* texts = boost::any_cast<std::vector<std::string>>(&given->second.value());
    if (text != nullptr) words.push_back("--" + name + " " + *text);
    for (size_t i = 0; texts != nullptr && i < texts->size(); ++i)
      words.push_back("--" + name + " " + (*texts)[i]);
  }
  return words;
}

}  // namespace

void add_code_choices(po::options_description& options) {
  options.add_options()("arch", po::value<std::string>()->value_name("NAME"),
                        "fat binaries: the code to take, sm_NN or compute_NN (default: cubins of "
                        "sm_50 to sm_62, else PTX)");
  options.add_options()(
      "lowering", po::value<std::string>()->value_name("HOW"),
      "PTX: the code that is made of it, optimised (default), as a compiler would "
      "write it, or plain, statement by statement");
}

void add_trace_options(po::options_description& options) {
  options.add_options()("unknown-lanes", po::value<std::string>()->value_name("RULE"),
                        "Accel-Sim traces: lanes that a SHFL reads where the trace does not say: "
                        "identity (default), xor, random:SEED or worst");
}

void Input::add_options(po::options_description& options) {
  add_code_choices(options);
  LaunchOptions::add_to(options);
  add_region_options(options);
  add_machine_options(options);
  add_trace_options(options);
}

Input::Input(const std::string& text, const po::variables_map& values)
    : path_(text), kernel_(text_of(values, "kernel")), values_(values) {
  const size_t colon = text.rfind(':');
  if (colon != std::string::npos && !exists(text)) {
    path_ = text.substr(0, colon);
    kernel_ = text.substr(colon + 1);
  }
  const std::string architecture =
      values.count("arch") == 0 ? "" : read_architecture(text_of(values, "arch"), "--arch");
  const std::optional<isa::Lowering> lowering = read_lowering(text_of(values, "lowering"));
  format_ = traces::TraceFormats::of_file(path_);
  if (format_ == nullptr) source_ = isa::open_source(path_, architecture, lowering);
  if (is_trace() && !architecture.empty())
    throw InputError("--arch with the trace " + path_ + "; expected it with code");
  if (is_trace() && lowering)
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
  return !is_trace() && family() == isa::Family::kVolta && values_.count("region") != 0;
}

isa::Family Input::family() const { return is_trace() ? trace().code.family() : source_->family(); }

std::string Input::machine() const {
  if (!is_trace()) return machine_of(source_->arch());
  const auto version = shape().notes.find(std::string(traces::kTracegNote) + "binary version");
  if (version != shape().notes.end()) return traced_machine(version->second);
  if (trace().code.has_words) return machine_of(trace().code.arch);
  return family() == isa::Family::kMaxwell ? kDefaultMachine : "gh100";
}

/// By Accel-Sim's binary version.
std::string Input::traced_machine(const std::string& version) const {
  std::string versions;
  for (const auto& [number, machine] : chips()) {
    const std::string each = std::to_string(number);
    if (each == version) return machine;
    versions += (versions.empty() ? "" : ", ") + each;
  }
  if (values_.count("config") == 0)
    throw InputError(
        {path_}, "is of binary version " + version + ", of which no machine is known (" + versions +
                     " are); expected --config with one of " + "`shflsim list configs`");
  return kDefaultMachine;  // which --config replaces
}

void Input::open_trace() const {
  if (trace_.has_value()) return;
  traces::TraceChoice choice;
  choice.kernel = kernel_;
  const std::string unknown = text_of(values_, "unknown-lanes");
  if (!unknown.empty() && !format_->leaves_lanes_open)
    throw InputError("--unknown-lanes with the trace " + path_ +
                     ", which says all lanes; expected it with an Accel-Sim trace");
  if (!unknown.empty()) choice.unknown_lanes = traces::UnknownLanes(unknown).text();
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
  const auto launch = LaunchOptions::add_to;
  const auto saves = LaunchOptions::add_saves_to;
  const auto region = add_region_options;
  const auto machine = add_machine_options;
  const auto trace = add_trace_options;
  if (is_trace()) {
    const std::string because = "the trace " + path_ +
                                ", which holds a launch that was executed; expected it where the "
                                "trace is recorded";
    refuse(values_, launch, {"kernel"}, because);
    refuse(values_, saves, {}, because);
    refuse(values_, region, {}, because);
    refuse(values_, machine, {}, because);
  } else if (!is_region()) {
    refuse(
        values_, region, {},
        path_ + ", which is executed; expected it with --region clock and code of sm_70 or later");
    refuse(values_, trace, {},
           path_ + ", whose lanes are computed; expected it with an Accel-Sim trace");
  } else {
    const std::string because =
        path_ + ", of which a region is timed; expected it without --region";
    refuse(values_, launch, {"kernel", "warps"}, because);
    refuse(values_, saves, {}, because);
    refuse(values_, machine, {}, because);
    refuse(values_, trace, {}, because);
  }
}

Launch Input::launch() const {
  refuse_foreign_options();
  if (!is_trace()) return is_region() ? region() : executed();
  for (const std::string& warning : trace().code.warnings) report::remark(path_ + ": " + warning);
  return {trace(), origin(), false};
}

std::string Input::prepared_kernel() const {
  refuse_foreign_options();
  if (is_trace()) return trace().code.name;
  if (is_region()) return region().trace.code.name;
  const isa::Program program = isa::find_kernel(*source_, kernel_, path_);
  const LaunchOptions checked(with_launch_line(values_, path_), program);
  machine_options(values_, checked.keeps_registers());
  return program.name;
}

report::Origin Input::origin() const {
  report::Origin origin{path_ + (kernel_.empty() ? "" : ":" + kernel_)};
  const auto add = [&origin](auto* options, const po::variables_map& values) {
    for (const std::string& words : given_words(options, values)) origin.arguments.push_back(words);
  };
  const bool has_launch_line = !is_trace() && !is_region();
  add(LaunchOptions::add_to, has_launch_line ? with_launch_line(values_, path_) : values_);
  for (auto* options :
       {add_code_choices, add_region_options, add_machine_options, add_trace_options})
    add(options, values_);
  return origin;
}

Launch Input::executed() const {
  const isa::Program program = isa::find_kernel(*source_, kernel_, path_);
  for (const std::string& warning : program.warnings) report::remark(warning);
  const auto options = std::make_shared<LaunchOptions>(with_launch_line(values_, path_), program);
  const auto outcome = std::make_shared<isa::Outcome>();
  Launch launch;
  launch.origin = origin();
  const report::TimedDetail timed("executed " + program.name);
  const ShownWork shown;
  launch.trace =
      traces::record(program, options->launch(), options->memory(),
                     machine_options(values_, options->keeps_registers()), outcome.get());
  launch.save = [options, outcome] { options->save(*outcome); };
  return launch;
}

Launch Input::region() const {
  const std::string kind = text_of(values_, "region");
  if (kind != "clock") throw InputError("--region '" + kind + "'" + suggestion(kind, {"clock"}));
  const isa::Code code = source_->code(isa::choose_kernel(*source_, kernel_, path_));
  return {traces::region_trace(code, region_options(values_, code.name)), origin(), true};
}

void say_machine(const std::string& machine, const po::variables_map& values) {
  if (values.count("config") == 0 && machine != kDefaultMachine)
    report::remark("timed on " + machine + ", the input's own; --config chooses another");
}

}  // namespace shflsim::cli
