// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>
#include <systemc>

#include "cli/command.h"
#include "isa/input_error.h"
#include "model/run.h"

namespace shflsim::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      kRun, kDecode, kEncode, kCompare, kExplain, kVerify, kAccuracy,
      kAsm, kDisasm, kList,   kLower,   kCheck,   kTrace,
  };
  return all;
}

namespace {

void print_commands(std::ostream& out) {
  out << "shflsim " SHFLSIM_VERSION
         ": times SASS on a model of one NVIDIA SM and its shuffle unit\n\n"
         "usage: shflsim COMMAND [arguments]; shflsim COMMAND --help tells more\n\n";
  for (const Command& command : commands()) {
    out << "  " << command.name << std::string(10 - std::string(command.name).size(), ' ')
        << command.summary << "\n";
  }
  out << "\nexit status: 0 fine, 1 a check or comparison failed, 2 bad usage or bad input,\n"
         "3 the model stopped making progress\n";
}

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    print_commands(std::cerr);
    return kBadInput;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    print_commands(std::cout);
    return kFine;
  }
  if (name == "--version") {
    std::cout << "shflsim " SHFLSIM_VERSION "\n";
    return kFine;
  }
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    if (name == command.name) return command.run({arguments.begin() + 1, arguments.end()});
    known.emplace_back(command.name);
  }
  throw InputError("unknown command '" + name + "'" + suggestion(name, known));
}

int guarded(const std::vector<std::string>& arguments) {
  try {
    const int status = dispatch(arguments);
    std::cout.flush();
    return status;
  } catch (const InputError& error) {
    std::cerr << error.what() << "\n";
    return kBadInput;
  } catch (const model::Deadlock& error) {
    std::cerr << error.what();
    return kDeadlock;
  }
}

}  // namespace
}  // namespace shflsim::cli

/// Called by the SystemC library, whose banner and notices are not part of any result.
int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  return shflsim::cli::guarded({argv + 1, argv + argc});
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
