// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/launch/input.h"
#include "cli/launch/launch_line.h"
#include "cli/launch/launch_setup.h"
#include "cli/launch/shown_work.h"
#include "cli/options/command.h"
#include "cli/options/result_files.h"
#include "cli/options/result_format.h"
#include "isa/base/input_error.h"
#include "isa/base/launch_error.h"
#include "isa/check/checker.h"
#include "isa/dialects/source.h"
#include "report/run/check_columns.h"
#include "report/run/columns.h"
#include "report/run/json_fields.h"
#include "report/terminal/messages.h"
#include "report/terminal/screen.h"

namespace shflsim::cli {
namespace {

struct CheckOptions : OptionGroup {
  std::string file;
  InputOptions input;
  ResultFileOptions files;
  FormatOption format;

  void list(OptionList& list);
};

void CheckOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("input", &file, "FILE",
                "FILE or FILE:KERNEL, code that can be executed (`shflsim list inputs`)");
  input.list_kernel(list, "one kernel of the file (default: all of them)");
  input.code.list(list);
  input.launch.list(list);
  input.execution.list(list);
  input.save.list(list);
  files.list(list, "each finding", false);
  format.list(list);
}

std::string line_of(const isa::Program& program, const isa::CheckFinding& finding) {
  std::string line =
      fmt::format("{}:0x{:04x}: {}: {}", program.name, program.code[finding.index].address,
                  program.texts[finding.index], finding.what);
  std::vector<std::string> where;
  const std::string place = report::source_of({program, &finding, ""});
  if (!place.empty()) where.push_back(place);
  if (finding.executed)
    where.push_back(fmt::format("block {}, warp {}, lanes {}, mask 0x{:08x}", finding.block,
                                finding.warp, report::lane_ranges(finding.lanes), finding.lanes));
  if (!where.empty()) line += fmt::format(" ({})", fmt::join(where, ", "));
  return line;
}

using report::Json;

/// Runs a launch; returns why it stopped. If nothing was found before, that is an error.
template <class F>
std::string stop_of(const F& run, isa::Checker& checker) {
  try {
    run();
  } catch (const isa::LaunchError& error) {
    if (checker.finish().empty()) throw;
    return error.what();
  }
  return "";
}

/// Runs one kernel, prints the findings if the format is text, and adds them to the list.
void check_kernel(const isa::Program& program, const std::string& file, const CheckOptions& options,
                  Json* found) {
  const bool prints = options.format.is_text();
  for (const std::string& warning : program.warnings) {
    if (prints) report::write_line(std::cout, warning, 4);
    found->push_back(
        report::object_of<report::CheckRow>(report::check_columns(), {program, nullptr, warning}));
  }
  LaunchSetup launch(with_launch_line(options.input.launch, file), options.input.save, program);
  isa::Checker checker(program);
  isa::MachineOptions machine = options.input.execution.machine(launch.keeps_registers());
  machine.go_on_after_faults = true;
  const auto run = [&] {
    const ShownWork shown;
    launch.save(isa::execute(program, launch.launch(), launch.memory(), checker, machine));
  };
  const std::string stopped = stop_of(run, checker);
  for (const isa::CheckFinding& finding : checker.finish()) {
    if (prints) report::write_line(std::cout, line_of(program, finding), 4);
    found->push_back(
        report::object_of<report::CheckRow>(report::check_columns(), {program, &finding, ""}));
  }
  if (!stopped.empty()) report::remark("the launch has not ended: " + stopped);
}

/// The program. Prints a remark and returns nothing if one of several kernels cannot be used.
std::optional<isa::Program> usable(const isa::Source& source, const std::string& kernel,
                                   const Input& input, bool is_alone) {
  try {
    return isa::find_kernel(source, kernel, input.path());
  } catch (const InputError& error) {
    if (is_alone) throw;
    report::remark("left out: " + error.faults().front().line());
    return std::nullopt;
  }
}

int check(const CheckOptions& options) {
  const Input input(options.file, options.input);
  const isa::Source& source = input.source("check");
  std::vector<std::string> kernels = source.kernels();
  if (!input.kernel().empty()) kernels = {input.kernel()};
  if (kernels.empty()) throw InputError({input.path()}, "holds no kernel; expected one at least");
  ResultFiles files(options.files);
  const bool prints = options.format.is_text();
  if (prints) report::write_input(std::cout, input.origin());
  Json found = Json::array();
  bool is_whole = true;
  for (const std::string& kernel : kernels) {
    const std::optional<isa::Program> program = usable(source, kernel, input, kernels.size() == 1);
    if (program) check_kernel(*program, input.path(), options, &found);
    is_whole &= program.has_value();
  }
  report::Document document(report::object_of(report::check_header(), input.origin()), "findings",
                            {});
  for (const auto& field : report::check_columns()) document.keys.push_back(field.key);
  document.json()["findings"] = found;
  files.write([&] { return report::json_of(document); }, [&] { return report::csv_of(document); });
  print_formatted(options.format.format, document);
  if (prints) std::cout << fmt::format("kernels: {}, findings: {}\n", kernels.size(), found.size());
  return found.empty() && is_whole ? kFine : kNo;
}

}  // namespace

const Command kCheck =
    command("check", "run code and look for faults in its shuffles and control bits",
            "shflsim check FILE [options]",
            "  shflsim check traces/scan_inclusive.sass --reg Rsum=lane\n", check);

}  // namespace shflsim::cli
