// SPDX-License-Identifier: Apache-2.0
#include "cli/launch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/launch_file.h"
#include "cli/signals.h"
#include "cli/watched_run.h"
#include "isa/files/out_file.h"
#include "isa/input_error.h"
#include "isa/machine/variables.h"
#include "isa/reader/source.h"
#include "report/report.h"
#include "traces/recorder.h"

namespace shflsim::cli {
namespace {

std::string extent_text(const isa::Extent& extent) {
  return fmt::format("{},{},{}", extent.x, extent.y, extent.z);
}

/// The device while a launch file runs: what is loaded, and the buffers by name.
class Session {
 public:
  Session(const LaunchFile& file, const LaunchRunOptions& options)
      : file_(file), options_(options) {}

  int run() {
    bool as_expected = true;
    int status = kFine;
    for (auto step = file_.steps.begin(); step != file_.steps.end() && status == kFine; ++step) {
      ++number_;
      status = run_step(*step);
      for (const Pair& save : step->saves) {
        const std::vector<uint8_t>& bytes = bytes_of(save.first, *step);
        isa::write_file(file_.beside(save.second),
                        {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      }
      for (const Pair& expect : step->expects) as_expected &= check(expect, *step);
    }
    if (status != kFine) return status;
    return as_expected ? kFine : kNo;
  }

 private:
  struct Module {
    std::unique_ptr<isa::Source> source;
    bool placed = false;
    uint64_t variables = 0;
  };

  std::string where(const LaunchStep& step) const {
    return file_.path + ":" + std::to_string(step.line);
  }

  Module& module(const std::string& path) {
    const auto found = modules_.find(path);
    if (found != modules_.end()) return found->second;
    Module loaded;
    loaded.source = isa::open_source(path);
    return modules_.emplace(path, std::move(loaded)).first->second;
  }

  /// An ExitStatus.
  int run_step(const LaunchStep& step) {
    const std::string path = file_.beside(step.code);
    Module& loaded = module(path);
    const isa::Program program = isa::find_kernel(*loaded.source, step.kernel, path);
    if (!loaded.placed) loaded.variables = isa::place_variables(program, memory_);
    loaded.placed = true;

    isa::Launch launch;
    launch.grid = step.grid;
    launch.block = step.block;
    launch.shared_bytes = step.shared_bytes;
    launch.local_bytes = std::max(launch.local_bytes, uint32_t{program.local_bytes});
    launch.constants = isa::constants_with_addresses(program, loaded.variables);
    launch.parameters = parameter_area(arguments(step), program);
    return report(step, program, launch);
  }

  int report(const LaunchStep& step, const isa::Program& program, const isa::Launch& launch) {
    isa::Outcome outcome;
    const traces::Trace trace =
        traces::record(program, launch, memory_, options_.machine, &outcome);
    const size_t launches = file_.steps.size();
    ViewFiles::Shown shown = options_.views.start(number_, launches);
    const model::RunResult result =
        watched_run(trace, options_.layers, options_.sms, shown, options_.most_cycles);
    const std::string kernel = step.kernel.empty() ? "" : ":" + step.kernel;
    const report::Origin origin =
        report::on_machine({step.code + kernel, step.arguments}, options_.layers);
    shown.write({trace, result, origin});
    std::cout << fmt::format("launch {} of {}: {}, grid {}, block {}\n", number_, launches,
                             program.name, extent_text(step.grid), extent_text(step.block));
    report::write_table(std::cout, trace, result, origin);
    return status_of(result);
  }

  std::vector<Argument> arguments(const LaunchStep& step) {
    std::vector<Argument> all;
    for (const std::string& spec : step.arguments) all.push_back(argument(spec, step));
    return all;
  }

  /// NAME, NAME=SPEC or SPEC.
  Argument argument(const std::string& spec, const LaunchStep& step) {
    const std::string option = where(step) + ": args " + spec;
    const size_t equals = spec.find('=');
    const bool has_kind = spec.find(':') != std::string::npos;
    if (equals == std::string::npos && !has_kind) return pointer_to(address_of(spec, step), spec);
    const std::string name = equals == std::string::npos ? "" : spec.substr(0, equals);
    const std::string folder = file_.beside("");
    Argument made = read_argument(equals == std::string::npos ? spec : spec.substr(equals + 1),
                                  folder, option, memory_);
    if (name.empty()) return made;
    if (!made.buffer) throw InputError(option + ": is no buffer; expected file: or fill:");
    if (!buffers_.emplace(name, *made.buffer).second) {
      throw InputError(option + ": buffer '" + name + "' is there already; expected a new name");
    }
    return made;
  }

  uint64_t address_of(const std::string& name, const LaunchStep& step) const {
    const auto found = buffers_.find(name);
    if (found != buffers_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [buffer, address] : buffers_) known.push_back(buffer);
    throw InputError(where(step) + ": no buffer '" + name + "'" +
                     (known.empty() ? "; expected NAME=file:PATH or NAME=fill:BYTES:HEX first"
                                    : suggestion(name, known)));
  }

  const std::vector<uint8_t>& bytes_of(const std::string& buffer, const LaunchStep& step) const {
    return memory_.bytes(address_of(buffer, step));
  }

  bool check(const Pair& expect, const LaunchStep& step) const {
    const std::vector<uint8_t>& bytes = bytes_of(expect.first, step);
    const std::vector<uint8_t> wanted = bytes_of_file(file_.beside(expect.second));
    const auto differing =
        std::mismatch(bytes.begin(), bytes.end(), wanted.begin(), wanted.end()).first;
    const bool equal = bytes == wanted;
    std::cout << fmt::format("launch {}: {} {} {}", number_, expect.first,
                             equal ? "equals" : "differs from", expect.second);
    if (!equal) std::cout << fmt::format(" at byte {}", differing - bytes.begin());
    std::cout << "\n";
    return equal;
  }

  const LaunchFile& file_;
  const LaunchRunOptions& options_;
  isa::DeviceMemory memory_;
  std::map<std::string, Module> modules_;
  std::map<std::string, uint64_t> buffers_;
  size_t number_ = 0;
};

/// Throws where a launch would write outside the folder of the file that describes it.
void refuse_saves_elsewhere(const LaunchFile& file) {
  for (const LaunchStep& step : file.steps) {
    for (const Pair& save : step.saves) {
      const std::filesystem::path path(save.second);
      const bool leaves = std::find(path.begin(), path.end(), "..") != path.end();
      if (path.is_relative() && !leaves && path != "-") continue;
      throw InputError({file.path, step.line},
                       "save to '" + save.second +
                           "'; expected a file in the launch file's folder, or --save-anywhere");
    }
  }
}

}  // namespace

int run_launch_file(const std::string& path, const LaunchRunOptions& options) {
  const LaunchFile file = read_launch_file(path);
  if (!options.saves_anywhere) refuse_saves_elsewhere(file);
  return Session(file, options).run();
}

}  // namespace shflsim::cli
