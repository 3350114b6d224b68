// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "isa/files/out_file.h"
#include "isa/machine/machine.h"
#include "isa/program.h"

namespace shflsim::cli {

/// A launch as the command line describes it: grid, block, arguments, initial registers, and what
/// to keep of the outcome.
class LaunchOptions {
 public:
  /// What is launched; a launch line in a file may say it too.
  static void add_to(boost::program_options::options_description& options);
  /// What to write of the outcome, which the command line alone says.
  static void add_saves_to(boost::program_options::options_description& options);

  /// Throws InputError for anything that cannot be used.
  LaunchOptions(const boost::program_options::variables_map& values, const isa::Program& program);

  const isa::Launch& launch() const { return launch_; }
  isa::DeviceMemory& memory() { return memory_; }
  bool keeps_registers() const { return !dumps_.empty(); }

  /// Writes the buffers of `--save` and the registers of `--dump-reg`.
  void save(const isa::Outcome& outcome);

 private:
  struct Save {
    uint64_t buffer;  ///< its address
    isa::OutFile file;
  };
  struct Dump {
    uint8_t index;
    isa::OutFile file;
  };
  void place(const isa::Program& program);
  void read_arguments(const boost::program_options::variables_map& values,
                      const isa::Program& program);
  void refuse_unwritten(const isa::Program& program) const;
  void add_register(const std::string& spec, const isa::Program& program);
  void add_save(const std::string& spec);
  uint64_t threads() const;

  isa::Launch launch_;
  isa::DeviceMemory memory_;
  ArgumentReader reader_{"", memory_};
  std::vector<Argument> arguments_;
  std::vector<Save> saves_;
  std::vector<Dump> dumps_;
};

}  // namespace shflsim::cli
