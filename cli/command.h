// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <optional>
#include <string>
#include <vector>

#include "isa/files/out_file.h"
#include "model/config/config.h"

namespace shflsim::cli {

/// Exit statuses, the same for every command. Behind kSignal: stopped by the signal of that number.
enum ExitStatus : int { kFine = 0, kNo = 1, kBadInput = 2, kDeadlock = 3, kSignal = 128 };

/// One verb of the program. A new one is one file that defines a Command, and its line in
/// commands().
struct Command {
  const char* name;
  const char* summary;                                    ///< one line of `shflsim --help`
  int (*run)(const std::vector<std::string>& arguments);  ///< behind the verb; an ExitStatus
};

extern const Command kAccuracy;
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

/// Text around a command's options in its help: what to call it like, an example first.
struct Usage {
  const char* call;     ///< "shflsim run FILE [options]"
  const char* example;  ///< whole lines, ready to paste
};

/// Parses a command's arguments and heeds the common ones. Prints the help or the version and
/// returns false where that is asked for.
/// Throws InputError for an unknown option, with the nearest one; prefixes are not guessed.
bool parse(const std::vector<std::string>& arguments, const Usage& usage,
           const boost::program_options::options_description& options,
           const boost::program_options::positional_options_description& positions,
           boost::program_options::variables_map* values);

/// The text that an option was given, "" where it was not.
std::string text_of(const boost::program_options::variables_map& values, const char* name);
/// The file that an option names, begun; none where it was not given. To be made before the work:
/// what cannot be written is said then.
std::optional<isa::OutFile> file_of(const boost::program_options::variables_map& values,
                                    const char* name);

/// Throws InputError for the options that `add` declares and the user gave, but those of `allowed`:
/// "--grid with " and `because`.
void refuse(const boost::program_options::variables_map& values,
            void (*add)(boost::program_options::options_description&),
            const std::vector<std::string>& allowed, const std::string& because);

constexpr const char* kDefaultMachine = "gm107";
/// The machines that `--config` (`machine` where there is none) and `--set` name, the same for
/// every command: a config that leaves parameters open is put over the machine in front of it, A+B
/// is one machine, and a further whole one is a further machine. `--set` is for all of them.
std::vector<model::ConfigLayers> machines(const boost::program_options::variables_map& values,
                                          const std::string& machine = kDefaultMachine);
/// The same for a command of one machine: throws InputError where there are more.
model::ConfigLayers config_layers(const boost::program_options::variables_map& values,
                                  const std::string& machine = kDefaultMachine);

}  // namespace shflsim::cli
