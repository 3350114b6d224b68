// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/launch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "cli/launch/chips.h"
#include "cli/launch/judged_run.h"
#include "cli/launch/launch_file.h"
#include "cli/launch/launch_session.h"
#include "cli/options/command.h"
#include "cli/options/signals.h"
#include "isa/base/input_error.h"
#include "isa/base/out_file.h"
#include "isa/base/readable.h"
#include "isa/base/text_cursor.h"
#include "model/config/ini.h"
#include "report/run/report.h"
#include "report/terminal/messages.h"

namespace shflsim::cli {
namespace {

std::string extent_text(const isa::Extent& extent) {
  return fmt::format("{},{},{}", extent.x, extent.y, extent.z);
}

std::string shared_text(uint32_t bytes) {
  return bytes == 0 ? "" : fmt::format(", {} bytes of dynamic shared memory", bytes);
}

/// Executes, times and reports the launches of a file.
class LaunchRun {
 public:
  LaunchRun(const LaunchFile& file, const LaunchRunOptions& options)
      : file_(file),
        options_(options),
        views_(options.timing.views),
        session_(file, options.machine) {}

  int run() {
    bool as_expected = true;
    int status = kFine;
    for (auto step = file_.steps.begin(); step != file_.steps.end() && status == kFine; ++step) {
      ++number_;
      status = run_step(*step);
      for (const Pair& save : step->saves) {
        const std::vector<uint8_t>& bytes = session_.bytes_of(save.first, *step);
        isa::write_file(file_.beside(save.second),
                        {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      }
      for (const Pair& expect : step->expects) as_expected &= check(expect, *step);
    }
    if (status != kFine) return status;
    return as_expected ? kFine : kNo;
  }

 private:
  /// Returns an ExitStatus.
  int run_step(const LaunchStep& step) {
    const LaunchSession::Prepared prepared = session_.prepare(step);
    for (const std::string& note : prepared.program.notes) {
      if (said_.insert(note).second) report::remark(note);
    }
    const TimingOptions& timing = options_.timing;
    const model::ConfigLayers layers = timing.machine.layers(machine_of(prepared.program.arch));
    const auto live = session_.live(prepared);
    traces::Trace trace = traces::live_trace(prepared.program, prepared.launch, live);
    const size_t launches = file_.steps.size();
    ViewFiles::Shown shown = views_.start(number_, launches);
    const JudgedRun judged = judged_run({trace, layers, timing.sms}, shown, timing.cycles.most,
                                        timing.jobs, options_.what_ifs);
    const model::RunResult& result = judged.result;
    const report::Verdict* verdict = judged.verdict ? &*judged.verdict : nullptr;
    live->finish();
    trace.findings = live->findings();
    const std::string kernel = step.kernel.empty() ? "" : ":" + step.kernel;
    const report::Origin origin = report::on_machine({step.code + kernel, step.arguments}, layers);
    shown.write({trace, result, origin, nullptr, verdict});
    std::cout << fmt::format("launch {} of {}: {}, grid {}, block {}{}\n", number_, launches,
                             prepared.program.name, extent_text(step.grid), extent_text(step.block),
                             shared_text(step.shared_bytes));
    report::write_table(std::cout, trace, result, origin, verdict);
    return status_of(result);
  }

  bool check(const Pair& expect, const LaunchStep& step) const {
    const std::vector<uint8_t>& bytes = session_.bytes_of(expect.first, step);
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
  const ViewFiles views_;
  LaunchSession session_;
  std::set<std::string> said_;  ///< notes on the code
  size_t number_ = 0;
};

namespace fs = std::filesystem;

/// The path with all links resolved; the file need not exist.
fs::path without_links(fs::path path) {
  constexpr unsigned kMostLinks = 40;
  std::error_code error;
  for (unsigned i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i)
    path = path.parent_path() / fs::read_symlink(path, error);
  return fs::weakly_canonical(path, error);
}

/// Throws InputError if a launch would write outside the folder of its launch file.
void refuse_saves_elsewhere(const LaunchFile& file) {
  const fs::path folder = without_links(fs::absolute(file.path).parent_path());
  for (const LaunchStep& step : file.steps) {
    for (const Pair& save : step.saves) {
      const fs::path path(save.second);
      const fs::path inside = without_links(folder / path).lexically_relative(folder);
      const bool leaves = inside.empty() || *inside.begin() == "..";
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
  return LaunchRun(file, options).run();
}

std::vector<traces::Trace> executed_launches(const std::string& path,
                                             const isa::MachineOptions& machine) {
  const LaunchFile file = read_launch_file(path);
  LaunchSession session(file, machine);
  std::vector<traces::Trace> traces;
  for (const LaunchStep& step : file.steps)
    traces.push_back(session.execute(session.prepare(step)));
  return traces;
}

std::vector<LaunchedKernel> launched_kernels(const std::string& path) {
  const LaunchFile file = read_launch_file(path);
  LaunchSession session(file, {});
  std::vector<LaunchedKernel> kernels;
  for (const LaunchStep& step : file.steps) {
    const isa::Program program = session.prepare(step).program;
    kernels.push_back({program.name, machine_of(program.arch)});
  }
  return kernels;
}

std::string machine_of(const std::vector<LaunchedKernel>& kernels, const std::string& path) {
  const std::string& machine = kernels.front().machine;
  for (const LaunchedKernel& kernel : kernels) {
    if (machine == kernel.machine) continue;
    throw InputError({path}, "has code of " + machine + " and of " + kernel.machine +
                                 "; expected code of one machine");
  }
  return machine;
}

bool is_launch_file(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error) || fs::is_directory(path, error)) return false;
  std::ifstream file(isa::readable(path));
  for (std::string line; std::getline(file, line);) {
    const std::string code = line.substr(0, model::comment_of(line));
    const std::string_view text = isa::trimmed(code);
    if (text.empty()) continue;
    const std::string_view key = isa::trimmed(text.substr(0, text.find('=')));
    return text == "[launch]" || (key == "code" && text != key);
  }
  return false;
}

void refuse_launch_options(const std::string& path, const InputOptions& options) {
  const std::string because = path + ", a launch file, which says what is launched";
  for (const OptionGroup* group : options.groups_of_launch()) refuse(*group, because);
  if (!options.kernel.empty()) throw InputError("--kernel with " + because);
}

}  // namespace shflsim::cli
