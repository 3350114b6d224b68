// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/launch_line.h"
#include "cli/launch_options.h"
#include "cli/machine_options.h"
#include "cli/result_format.h"
#include "cli/shown_work.h"
#include "isa/check/checker.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"
#include "report/check_columns.h"
#include "report/json_fields.h"
#include "report/screen.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

po::options_description check_options() {
  po::options_description options("options");
  options.add_options()("input", po::value<std::string>()->value_name("FILE")->required(),
                        "FILE or FILE:KERNEL, code that can be executed (`shflsim list inputs`)");
  add_code_choices(options);
  LaunchOptions::add_to(options);
  add_machine_options(options);
  LaunchOptions::add_saves_to(options);
  options.add_options()("json", po::value<std::string>()->value_name("FILE"),
                        "write the findings as JSON");
  add_format_option(options);
  return options;
}

std::string line_of(const isa::Program& program, const isa::CheckFinding& finding) {
  std::string line =
      fmt::format("{}:0x{:04x}: {}: {}", program.name, program.code[finding.index].address,
                  program.texts[finding.index], finding.what);
  if (finding.executed) {
    line += fmt::format(" (block {}, warp {}, lanes 0x{:08x})", finding.block, finding.warp,
                        finding.lanes);
  }
  return line;
}

using report::Json;

/// Runs one kernel, prints what is found where that is asked for as text, and adds it to the list.
void check_kernel(const isa::Program& program, const std::string& file,
                  const po::variables_map& values, Json* found) {
  const bool prints = result_format(values) == ResultFormat::kText;
  for (const std::string& warning : program.warnings) {
    if (prints) report::write_line(std::cout, warning, 4);
    found->push_back(
        report::object_of<report::CheckRow>(report::check_columns(), {program, nullptr, warning}));
  }
  LaunchOptions launch(with_launch_line(values, file), program);
  isa::Checker checker(program);
  isa::MachineOptions options = machine_options(values, launch.keeps_registers());
  options.go_on_after_faults = true;
  const isa::Outcome outcome = [&] {
    const ShownWork shown;
    return isa::execute(program, launch.launch(), launch.memory(), checker, options);
  }();
  launch.save(outcome);
  for (const isa::CheckFinding& finding : checker.finish()) {
    if (prints) report::write_line(std::cout, line_of(program, finding), 4);
    found->push_back(
        report::object_of<report::CheckRow>(report::check_columns(), {program, &finding, ""}));
  }
}

int run(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("input", 1);
  po::variables_map values;
  const Usage usage{"shflsim check FILE [options]",
                    "  shflsim check traces/scan_inclusive.sass --reg Rsum=lane\n"};
  if (!parse(arguments, usage, check_options(), positions, &values)) return kFine;
  const Input input(values["input"].as<std::string>(), values);
  const isa::Source& source = input.source("check");
  std::vector<std::string> kernels = source.kernels();
  if (!input.kernel().empty()) kernels = {input.kernel()};
  std::optional<isa::OutFile> json = file_of(values, "json");
  const bool prints = result_format(values) == ResultFormat::kText;
  if (prints) report::write_input(std::cout, input.origin());
  Json found = Json::array();
  for (const std::string& kernel : kernels) {
    check_kernel(isa::find_kernel(source, kernel, input.path()), input.path(), values, &found);
  }
  report::Document document{
      report::object_of(report::check_header(), input.origin()), "findings", {}};
  for (const auto& field : report::check_columns()) document.keys.push_back(field.key);
  document.json["findings"] = found;
  if (json) json->finish(report::json_of(document.json));
  print_formatted(values, document);
  if (prints) std::cout << fmt::format("kernels: {}, findings: {}\n", kernels.size(), found.size());
  return found.empty() ? kFine : kNo;
}

}  // namespace

const Command kCheck = {"check", "run code and look for faults in its shuffles and control bits",
                        run};

}  // namespace shflsim::cli
