// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/help.h"
#include "cli/launch_options.h"
#include "cli/trace_command.h"
#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

const Usage kUsage{"shflsim trace VERB [arguments]; shflsim trace VERB --help tells more",
                   "  shflsim trace record traces/scan_inclusive.sass --reg Rsum=1.0 -o scan.shft\n"
                   "  shflsim run scan.shft\n"};

void print_verbs(std::ostream& out) {
  out << "usage: " << kUsage.call << "\n\nexample:\n" << kUsage.example << "\n";
  for (const Command& verb : trace_verbs())
    out << fmt::format("  {:<9}{}\n", verb.name, verb.summary);
  out << "\n" << help_ending();
}

int run(const std::vector<std::string>& given) {
  if (shows_face(kUsage, {}, {})) return kFine;
  const std::vector<std::string> arguments = verb_first(given);
  if (arguments.empty()) {
    print_verbs(std::cerr);
    return kBadInput;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    print_verbs(std::cout);
    return kFine;
  }
  std::vector<std::string> known;
  for (const Command& verb : trace_verbs()) {
    if (name == verb.name) return verb.run({arguments.begin() + 1, arguments.end()});
    known.emplace_back(verb.name);
  }
  throw InputError("trace: unknown verb '" + name + "'" + suggestion(name, known));
}

}  // namespace

const std::vector<Command>& trace_verbs() {
  static const std::vector<Command> all = {
      {"record", "execute code and write its trace", record_trace},
      {"info", "say what a trace holds, and check every byte of it", describe_trace},
      {"dump", "print the steps of a trace as text", dump_trace},
      {"convert", "write a trace in another format", convert_trace},
  };
  return all;
}

const Command kTrace = {"trace", "record traces, and look at them", run};

}  // namespace shflsim::cli
