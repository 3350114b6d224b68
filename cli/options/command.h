// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/option_list.h"

namespace shflsim::cli {

/// Exit statuses, the same for all commands. kSignal plus N: signal N stopped the run.
enum ExitStatus : int { kFine = 0, kNo = 1, kBadInput = 2, kDeadlock = 3, kSignal = 128 };

/// One verb of the program. A new verb is one file that defines a Command, and one line in
/// commands().
struct Command {
  std::string name;
  std::string summary;  ///< one line of `shflsim --help`
  std::string call;     ///< "shflsim run FILE [options]"
  std::string example;  ///< whole lines, ready to paste
  /// Declares the command's options and returns the function that runs the command after parsing.
  /// This function returns an ExitStatus.
  std::function<std::function<int()>(OptionList& list)> prepare;
  /// The verbs of a command that has no options of its own: `trace record`.
  const std::vector<Command>& (*verbs)() = nullptr;
};

/// A command that runs with its options parsed into `Options`.
template <class Options>
Command command(const char* name, const char* summary, const char* call, std::string example,
                int (*run)(const Options& options)) {
  const auto prepare = [run](OptionList& list) -> std::function<int()> {
    const auto options = std::make_shared<Options>();
    options->list(list);
    return [options, run] { return run(*options); };
  };
  return {name, summary, call, std::move(example), prepare};
}

extern const Command kAccuracy;
extern const Command kExec;
extern const Command kRun;
extern const Command kDecode;
extern const Command kEncode;
extern const Command kCompare;
extern const Command kExplain;
extern const Command kCheck;
extern const Command kList;
extern const Command kLower;
extern const Command kTrace;
extern const Command kSweep;
extern const Command kResults;
extern const Command kRtl;
extern const Command kVerify;
extern const Command kAsm;
extern const Command kDiff;
extern const Command kDisasm;
const std::vector<Command>& commands();

/// The options of the command by group, including those common to all commands.
std::vector<Option> options_of(const Command& command);

/// Calls the command with the arguments after its verb. Returns an ExitStatus. Passes on the
/// exceptions of commands.
int run_command(const Command& command, const Strings& arguments);

}  // namespace shflsim::cli
