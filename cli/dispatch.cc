// SPDX-License-Identifier: Apache-2.0
#include "cli/dispatch.h"

#include <algorithm>
#include <iostream>

#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/help.h"
#include "cli/result_format.h"
#include "isa/input_error.h"

namespace shflsim::cli {

namespace po = boost::program_options;
using Strings = std::vector<std::string>;

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      kRun,    kCompare,  kSweep, kResults, kDiff, kDecode, kEncode, kExplain, kRtl,
      kVerify, kAccuracy, kAsm,   kDisasm,  kList, kLower,  kCheck,  kTrace,
  };
  return all;
}

namespace {

/// Options alone: `--help`, `--version`.
int without_verb(const Strings& options) {
  const auto is_help = [](const std::string& each) { return each == "--help" || each == "-h"; };
  if (std::any_of(options.begin(), options.end(), is_help)) {
    std::cout << overview();
    return kFine;
  }
  po::options_description own;
  add_format_option(own);
  po::variables_map values;
  const Usage usage{"shflsim COMMAND [arguments]", ""};
  if (!parse(options, usage, own, {}, &values)) return kFine;
  if (result_format(values) == ResultFormat::kJson)
    throw InputError("no command given; expected " + std::string(usage.call));
  std::cerr << overview();
  return kBadInput;
}

/// `help run` and `help trace dump` are `run --help` and `trace dump --help`.
Strings help_asked_behind(const Strings& arguments) {
  Strings turned(arguments.begin() + 1, arguments.end());
  turned.emplace_back("--help");
  return turned;
}

}  // namespace

int dispatch(const Strings& given) {
  Strings arguments = verb_first(given);
  if (!arguments.empty() && arguments.front() == "help")
    arguments = verb_first(help_asked_behind(arguments));
  if (arguments.empty() || arguments.front().compare(0, 1, "-") == 0)
    return without_verb(arguments);
  const std::string& name = arguments.front();
  Strings known = {"help"};
  for (const Command& command : commands()) {
    if (name == command.name) return command.run({arguments.begin() + 1, arguments.end()});
    known.emplace_back(command.name);
  }
  throw InputError("unknown command '" + name + "'" + suggestion(name, known));
}

}  // namespace shflsim::cli
