// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/launch/launch_file.h"
#include "cli/options/arguments.h"
#include "isa/code/program.h"
#include "isa/dialects/source.h"
#include "isa/machine/machine.h"
#include "isa/machine/variables.h"
#include "traces/live_launch.h"

namespace shflsim::cli {

/// The device on which the launches of a file run one after the other: its modules, and its buffers
/// by name.
class LaunchSession {
 public:
  LaunchSession(const LaunchFile& file, const isa::MachineOptions& machine)
      : file_(file), machine_(machine), arguments_(file.beside(""), memory_) {}

  struct Prepared {
    isa::Program program;
    isa::Launch launch;
  };
  /// Loads the code of the step and makes its buffers. Throws InputError for invalid steps.
  Prepared prepare(const LaunchStep& step);
  /// Executes the launch and returns its trace.
  traces::Trace execute(const Prepared& prepared);
  /// The launch, which is executed once, while it is timed.
  std::shared_ptr<const traces::LiveLaunch> live(const Prepared& prepared);
  /// Content of the buffer for `step`. Throws InputError if no buffer has this name.
  const std::vector<uint8_t>& bytes_of(const std::string& buffer, const LaunchStep& step) const;

 private:
  struct Module {
    std::unique_ptr<isa::Source> source;
    isa::VariablePlaces places;
  };
  Module& module(const std::string& path, const std::string& architecture);
  std::string where(const LaunchStep& step) const;
  std::vector<Argument> arguments(const LaunchStep& step);
  /// Address of a buffer that has at least `bytes` bytes for variables.
  uint64_t holder_of(size_t bytes, const std::string& buffer, const LaunchStep& step) const;
  void set_variables(const LaunchStep& step, const isa::Program& program, Module* loaded,
                     isa::Launch* launch);

  const LaunchFile& file_;
  const isa::MachineOptions machine_;
  isa::DeviceMemory memory_;
  std::map<std::pair<std::string, std::string>, Module> modules_;  ///< by path and architecture
  ArgumentReader arguments_;
};

}  // namespace shflsim::cli
