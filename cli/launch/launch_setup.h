// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/options/arguments.h"
#include "cli/options/launch_options.h"
#include "isa/base/out_file.h"
#include "isa/code/program.h"
#include "isa/machine/machine.h"

namespace shflsim::cli {

/// A program and its launch: device memory, parameters and initial registers of LaunchOptions, and
/// the files of SaveOptions.
class LaunchSetup {
 public:
  /// Throws InputError for options that cannot be used.
  LaunchSetup(const LaunchOptions& options, const SaveOptions& saves, const isa::Program& program);

  const isa::Launch& launch() const { return launch_; }
  isa::DeviceMemory& memory() { return memory_; }
  bool keeps_registers() const { return !dumps_.empty(); }

  /// Writes the buffers of `--save` and the registers of `--dump-reg`.
  void save(const isa::Outcome& outcome);

 private:
  struct Save {
    uint64_t buffer;  ///< address of the buffer
    isa::OutFile file;
  };
  struct Dump {
    uint8_t index;
    isa::OutFile file;
  };
  void place(const isa::Program& program);
  void read_arguments(const LaunchOptions& options, const isa::Program& program);
  void refuse_unwritten(const isa::Program& program) const;
  void add_register(const std::string& spec, const isa::Program& program);
  void add_save(const std::string& spec);
  void add_dump(const std::string& spec, const isa::Program& program);
  uint64_t threads() const;

  isa::Launch launch_;
  isa::DeviceMemory memory_;
  ArgumentReader reader_{"", memory_};
  std::vector<Argument> arguments_;
  std::vector<Save> saves_;
  std::vector<Dump> dumps_;
};

}  // namespace shflsim::cli
