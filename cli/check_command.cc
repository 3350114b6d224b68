// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/launch_options.h"
#include "isa/check/checker.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"
#include "report/atomic_file.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

po::options_description check_options() {
  po::options_description options("options");
  options.add_options()("input", po::value<std::string>()->required(),
                        "cubin, listing, PTX, or code in the manual's syntax");
  LaunchOptions::add_to(options);
  options.add_options()("json", po::value<std::string>(), "write the findings as JSON");
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

void write_json(const std::string& path, const isa::Program& program,
                const std::vector<isa::CheckFinding>& findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const isa::CheckFinding& finding : findings) {
    nlohmann::ordered_json entry;
    entry["kernel"] = program.name;
    entry["address"] = program.code[finding.index].address;
    entry["instruction"] = program.texts[finding.index];
    entry["what"] = finding.what;
    if (finding.executed) {
      entry["block"] = finding.block;
      entry["warp"] = finding.warp;
      entry["lanes"] = finding.lanes;
    }
    list.push_back(entry);
  }
  report::write_file_atomically(path, list.dump(2) + "\n");
}

int run(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("input", 1);
  po::variables_map values;
  const Usage usage{"shflsim check FILE [options]",
                    "  shflsim check traces/scan_inclusive.sass --reg Rsum=lane\n"};
  if (!parse(arguments, usage, check_options(), positions, &values)) return kFine;
  const std::string file = values["input"].as<std::string>();
  const std::string kernel = values.count("kernel") == 0 ? "" : values["kernel"].as<std::string>();
  const isa::Program program = isa::find_kernel(*isa::open_source(file), kernel, file);
  for (const std::string& warning : program.warnings) std::cout << warning << "\n";

  LaunchOptions launch(values, program);
  isa::Checker checker(program);
  isa::MachineOptions options;
  options.keep_registers = launch.keeps_registers();
  launch.save(isa::execute(program, launch.launch(), launch.memory(), checker, options));
  const std::vector<isa::CheckFinding> findings = checker.finish();
  for (const isa::CheckFinding& finding : findings) std::cout << line_of(program, finding) << "\n";
  if (values.count("json") != 0) write_json(values["json"].as<std::string>(), program, findings);
  return findings.empty() && program.warnings.empty() ? kFine : kNo;
}

}  // namespace

const Command kCheck = {"check", "run code and look for faults in its shuffles and control bits",
                        run};

}  // namespace shflsim::cli
