// SPDX-License-Identifier: Apache-2.0
#include "cli/options/launch_options.h"

#include <iostream>

#include "cli/options/arguments.h"
#include "cli/options/spec.h"
#include "isa/code/launch_layout.h"

namespace shflsim::cli {
namespace {

constexpr uint64_t kMostInstructions = uint64_t{1} << 40;
constexpr uint32_t kMostWarps = 32;  ///< greatest number of warps in a block

}  // namespace

void LaunchOptions::list(OptionList& list) {
  list.group("launch", this);
  list.value("grid", &grid, "X,Y,Z", "blocks of the grid: X, X,Y or X,Y,Z (default 1)",
             [](const std::string& text, const std::string& option) {
               return read_extent(text, kMostGrid, option);
             })
      .common();
  list.value("block", &block, "X,Y,Z", "threads of a block: X, X,Y or X,Y,Z (default 32)",
             [](const std::string& text, const std::string& option) {
               return read_extent(text, kMostBlock, option);
             })
      .common();
  list.number("shared", &shared_bytes, 0, isa::LaunchLayout::kMostShared, "BYTES",
              "dynamic shared memory of a block, after the static shared memory; at most 48 KiB in "
              "total on sm_50 to sm_62, and from 64 KiB on sm_75 to 227 KiB on sm_90");
  list.value("cluster", &cluster, "X,Y,Z",
             "blocks of a cluster: X, X,Y or X,Y,Z (default: as the code says); sm_90",
             [](const std::string& text, const std::string& option) {
               return read_extent(text, kMostCluster, option);
             });
  list.flag("cooperative", &is_cooperative,
            "cooperative launch: all blocks run at the same time and may wait for each other");
  list.text("constants", &constants, "FILE",
            "file with the kernel's constant banks, if the input has none: a cubin or an "
            "nvdisasm listing");
  list.texts("arg", &arguments, "KIND:VALUE",
             std::string("next kernel argument: ") + kArgumentKinds +
                 "; NAME= before the value names the buffer, NAME alone passes it again")
      .common(
          "next kernel argument: file:PATH, fill:BYTES:HEX, u32:N, u64:N, f32:X, bytes:PATH or "
          "map:...");
  list.texts("buffer", &buffers, "NAME=KIND:VALUE",
             "device buffer that is not an argument, for pointers in structures; file: or fill:");
  list.texts("reg", &registers, "Rx=VALUE",
             "Rx=lane|hash|VALUE|file:PATH: a register's initial value (a file has a 32-bit word "
             "for each lane, warp by warp)")
      .common("initial value: Rx=lane, hash, VALUE or file:PATH");
  list.flag("allow-undefined-registers", &allows_undefined_registers,
            "permit reads of named registers without a value");
  list.group("launch", &warps);
  list.number("warps", &warps.count, 1, kMostWarps, "N", "warps of the block, instead of --block");
  list.excludes(&warps.count, {&block});
}

void SaveOptions::list(OptionList& list) {
  list.group("output", this);
  list.texts("save", &buffers, "I:FILE",
             "I:PATH or NAME:PATH: write the I-th argument's buffer (from 0), or the buffer of "
             "that name, after the run")
      .common("write the I-th argument's buffer after the run");
  list.texts("dump-reg", &registers, "Rx:FILE", "Rx:PATH: write a register's words after the run");
}

void ExecutionOptions::list(OptionList& list) {
  list.group("execution", this);
  list.number("max-instructions", &max_instructions, 0, kMostInstructions, "N",
              "limit on the warp instructions of a launch; beyond it the launch counts as endless. "
              "A trace in memory takes 16 bytes for each");
}

isa::MachineOptions ExecutionOptions::machine(bool keeps_registers) const {
  isa::MachineOptions options;
  options.keep_registers = keeps_registers;
  options.step_limit = max_instructions;
  options.print = [](const std::string& text) { std::cerr << text; };
  return options;
}

}  // namespace shflsim::cli
