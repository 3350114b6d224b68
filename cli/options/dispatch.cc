// SPDX-License-Identifier: Apache-2.0
#include "cli/options/dispatch.h"

#include <algorithm>
#include <iostream>

#include "cli/options/command.h"
#include "cli/options/common_options.h"
#include "cli/options/help.h"
#include "cli/options/result_format.h"
#include "isa/base/input_error.h"

namespace shflsim::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      kRun, kExec,   kCompare,  kSweep, kResults, kDiff, kDecode, kEncode, kExplain,
      kRtl, kVerify, kAccuracy, kAsm,   kDisasm,  kList, kLower,  kCheck,  kTrace,
  };
  return all;
}

namespace {

/// The options of `shflsim` without a command, such as `--version`.
struct NoCommandOptions : OptionGroup {
  FormatOption format;

  void list(OptionList& list) { format.list(list); }
};

int refuse_no_command(const NoCommandOptions& options) {
  if (options.format.format == ResultFormat::kJson)
    throw InputError("no command given; expected shflsim COMMAND [arguments]");
  std::cerr << overview();
  return kBadInput;
}

bool asks_for_help(const std::string& word) {
  return word == "--help" || word == "-h" || word == "--help-all";
}

/// Runs a call that has only options: `--help`, `--version`.
int without_verb(const Strings& options) {
  if (std::none_of(options.begin(), options.end(), asks_for_help))
    return run_command(command("", "", "shflsim COMMAND [arguments]", "", refuse_no_command),
                       options);
  std::cout << overview();
  return kFine;
}

/// Turns `help run` and `help trace dump` into `run --help` and `trace dump --help`.
Strings help_asked_behind(const Strings& arguments) {
  Strings turned(arguments.begin() + 1, arguments.end());
  turned.emplace_back("--help");
  return turned;
}

int call_verb(const Command& command, const Strings& given);

/// Calls the command that the first argument names. If no command has this name, the message begins
/// with `unknown`; `known` are further names for suggestions.
int call_named(const std::vector<Command>& all, const Strings& arguments,
               const std::string& unknown, Strings known) {
  const std::string& name = arguments.front();
  for (const Command& command : all) {
    known.push_back(command.name);
    if (name != command.name) continue;
    const Strings behind(arguments.begin() + 1, arguments.end());
    return command.verbs == nullptr ? run_command(command, behind) : call_verb(command, behind);
  }
  throw InputError(unknown + " '" + name + "'" + suggestion(name, known));
}

int call_verb(const Command& command, const Strings& given) {
  const Strings arguments = verb_first(given);
  if (arguments.empty()) {
    std::cerr << verbs_text(command);
    return kBadInput;
  }
  if (!asks_for_help(arguments.front()))
    return call_named(command.verbs(), arguments, command.name + ": unknown verb", {});
  std::cout << verbs_text(command);
  return kFine;
}

}  // namespace

int dispatch(const Strings& given) {
  Strings arguments = verb_first(given);
  if (!arguments.empty() && arguments.front() == "help")
    arguments = verb_first(help_asked_behind(arguments));
  if (arguments.empty() || arguments.front().compare(0, 1, "-") == 0)
    return without_verb(arguments);
  return call_named(commands(), arguments, "unknown command", {"help"});
}

}  // namespace shflsim::cli
