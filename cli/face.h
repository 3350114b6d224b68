// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "cli/command.h"

namespace shflsim::cli {

/// One thing that a command takes: an argument, known by its place, or an option, by its name.
struct FaceOption {
  std::string group;  ///< heading in the help: "launch"; "arguments"
  std::string name;   ///< "kernel"
  char letter = 0;    ///< 'o' of -o; 0: none
  std::string value;  ///< "FILE"; "" where it takes none
  std::string standard;
  std::string help;
  bool repeats = false;
  bool is_optional = false;  ///< the value, which then stands behind =

  bool is_argument() const { return group == kArguments; }
  static constexpr const char* kArguments = "arguments";
};

/// What a command looks like from outside: its help, its manual page and what a shell completes are
/// made of it.
struct Face {
  std::string call;
  std::string example;
  std::vector<FaceOption> options;  ///< by group, arguments first, groups in the help's order
};

Face face_of(const Usage& usage, const boost::program_options::options_description& options,
             const boost::program_options::positional_options_description& positions);

/// The face of a command, which does nothing else meanwhile.
Face face_of(const Command& command);
/// True while a command is asked for its face alone, which is then this.
bool shows_face(const Usage& usage, const boost::program_options::options_description& options,
                const boost::program_options::positional_options_description& positions);

/// A command and those inside it, "trace" and "trace record".
struct NamedCommand {
  std::string name;
  Command command;
};
/// All commands, each before those inside it.
std::vector<NamedCommand> all_commands();

}  // namespace shflsim::cli
