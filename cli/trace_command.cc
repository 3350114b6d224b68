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

struct Verb {
  const char* name;
  const char* summary;
  int (*run)(const std::vector<std::string>& arguments);
};

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {
      {"record", "execute code and write its trace", record_trace},
      {"info", "say what a trace holds, and check every byte of it", describe_trace},
      {"dump", "print the steps of a trace as text", dump_trace},
      {"convert", "write a trace in another format", convert_trace},
  };
  return all;
}

void print_verbs(std::ostream& out) {
  out << "usage: shflsim trace VERB [arguments]; shflsim trace VERB --help tells more\n\n"
         "example:\n"
         "  shflsim trace record traces/scan_inclusive.sass --reg Rsum=1.0 -o scan.shft\n"
         "  shflsim run scan.shft\n\n";
  for (const Verb& verb : verbs()) out << fmt::format("  {:<9}{}\n", verb.name, verb.summary);
  out << "\n" << help_ending();
}

int run(const std::vector<std::string>& given) {
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
  for (const Verb& verb : verbs()) {
    if (name == verb.name) return verb.run({arguments.begin() + 1, arguments.end()});
    known.emplace_back(verb.name);
  }
  throw InputError("trace: unknown verb '" + name + "'" + suggestion(name, known));
}

}  // namespace

const Command kTrace = {"trace", "record traces, and look at them", run};

}  // namespace shflsim::cli
