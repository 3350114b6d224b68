// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/machine/machine.h"

namespace shflsim::isa {

/// Assembles the lines; each instruction gets its address, and "name:" alone on a line is a label.
/// EXIT is appended.
Program assemble(const std::vector<std::string>& lines, Arch arch = Arch::kSm50);

/// The checker's findings in a program on one warp: index of the instruction, lanes, text.
std::vector<std::string> findings(const Program& program);

/// Records everything that the machine shows.
struct Witness final : StepObserver {
  struct Step {
    uint32_t block, warp, index;
    LaneMask lanes;
  };
  void on_step(const ExecutedStep& step) override {
    steps.push_back({step.block, step.warp, step.index, step.lanes});
    if (step.lane_map != nullptr) maps.push_back(*step.lane_map);
    if (step.addresses != nullptr) addresses.push_back(*step.addresses);
    if (step.asynchronous != nullptr) rows.push_back(*step.asynchronous);
  }
  void on_undefined_use(const UndefinedUse& use) override { uses.push_back(use); }

  std::vector<Step> steps;
  std::vector<LaneMap> maps;
  std::vector<LaneAddresses> addresses;
  std::vector<LaneAddresses> rows;  ///< of ExecutedStep::asynchronous
  std::vector<UndefinedUse> uses;
};

/// One launch of a program and its results.
struct Experiment {
  explicit Experiment(const std::vector<std::string>& lines, Arch arch = Arch::kSm50)
      : program(assemble(lines, arch)) {
    options.keep_registers = true;
    launch.block = {kLanes, 1, 1};
  }
  /// Gives a register the same value in all lanes of the first warp.
  void set(uint8_t index, uint32_t value) {
    launch.registers.push_back({index, std::vector<uint32_t>(kLanes, value)});
  }
  void set_lanes(uint8_t index, std::vector<uint32_t> words) {
    launch.registers.push_back({index, std::move(words)});
  }
  Experiment& run() {
    outcome = execute(program, launch, memory, witness, options);
    return *this;
  }
  uint32_t value(uint8_t index, unsigned lane = 0, size_t warp = 0) const {
    return outcome.warps.at(warp).values.at(index)[lane];
  }
  LaneMask predicate(uint8_t index) const { return outcome.warps.at(0).predicates.at(index); }
  /// Indices of the executed steps of a warp, in order, as "0 1 2".
  std::string path(uint32_t warp = 0) const;
  /// The message of the InputError that running raises; "" if none.
  std::string failure();

  Program program;
  Launch launch;
  DeviceMemory memory;
  MachineOptions options;
  Witness witness;
  Outcome outcome;
};

/// R0 holds the lane number.
Experiment with_lane_numbers(const std::vector<std::string>& lines, Arch arch = Arch::kSm90);

}  // namespace shflsim::isa
