// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/commands/rtl_check.h"
#include "cli/options/command.h"
#include "cli/options/machine_choice.h"
#include "cli/options/result_files.h"
#include "cli/options/spec.h"
#include "isa/base/input_error.h"
#include "report/run/compare_design.h"
#include "rtl/bench.h"
#include "rtl/moves.h"

namespace shflsim::cli {
namespace {

constexpr unsigned kMostBits = 1024;
constexpr unsigned kMostStages = 64;
constexpr unsigned kMostBenchMaps = 100000;
constexpr uint32_t kMostSeed = 0xFFFFFFFF;

struct RtlOptions : OptionGroup {
  std::string network;
  unsigned lanes = isa::kLanes;
  unsigned bits = model::kWordBits;
  unsigned stages = 1;
  std::optional<unsigned> bench;
  uint32_t seed = 1;
  std::optional<std::string> output;
  MachineChoice machine;
  ModuleCheckOptions check;

  void list(OptionList& list);
};

unsigned power_of_two(const std::string& text, const std::string& option) {
  const auto number = static_cast<unsigned>(read_number(text, 4, isa::kMostMoveLanes, option));
  if ((number & (number - 1)) != 0)
    throw InputError(option + " " + text + ": expected a power of two");
  return number;
}

void RtlOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("network", &network, "NETWORK", "one of `shflsim list networks`");
  list.value("lanes", &lanes, "N", "lanes, a power of two from 4 to 64", power_of_two)
      .common()
      .standard = std::to_string(lanes);
  list.number("bits", &bits, 1, kMostBits, "W", "bits of a lane").common();
  list.number("stages", &stages, 1, kMostStages, "K", "clock cycles of a pass").common();
  list.number("bench", &bench, 1, kMostBenchMaps, "N",
              "add a test bench that checks N recorded lane maps")
      .common();
  list.number("seed", &seed, 0, kMostSeed, "N",
              "of the random maps and words of --bench and --check");
  list.text("output", &output, "FILE", "write to this file instead of standard output")
      .short_form('o')
      .common();
  machine.list(list, "; its network parameters and add-ons count (default gm107)");
  check.list(list);
  list.needs(&seed, {&bench, &check.library});
  list.excludes(&check.library, {&output, &bench}, ", which writes no module");
}

std::string bench_of(const RtlOptions& options, const rtl::Module& shuffle,
                     const model::ShuffleNetwork& network) {
  const unsigned least = options.lanes > isa::kLanes ? 6 : 5;  // enough to number the lanes
  if (shuffle.bits < least) {
    throw InputError(fmt::format(
        "--bench with --bits {}: expected {} bits or more, or lanes could not be told apart",
        shuffle.bits, least));
  }
  const auto moves = rtl::random_moves(options.lanes, *options.bench, options.seed);
  return rtl::bench(shuffle, network, moves, options.seed);
}

int write_or_check(const RtlOptions& options) {
  const model::ConfigLayers layers = options.machine.layers();
  const auto choice = report::network_choice(layers);
  const auto network = choice->make(options.network, options.lanes);
  const unsigned width = report::unit_width(layers);
  const rtl::Module shuffle =
      rtl::module_of(options.network, *network, options.bits, options.stages,
                     width == isa::kLanes ? options.lanes : width);
  if (options.check.library) return check_module(options.check, shuffle, *network, options.seed);
  auto file = begun(options.output);
  std::string text = rtl::verilog(shuffle);
  if (options.bench) text += bench_of(options, shuffle, *network);
  if (file) {
    file->finish(text);
  } else {
    std::cout << text;
  }
  return kFine;
}

}  // namespace

const Command kRtl =
    command("rtl", "write a shuffle network as Verilog, and a test bench for it",
            "shflsim rtl NETWORK [options]",
            "  shflsim rtl benes -o shuffle_benes.v\n"
            "  shflsim rtl crossbar --lanes 8 --bits 16 --stages 2 --bench 100 -o bench.v\n"
            "  shflsim rtl rotator --set shuffle.self_bypass=1\n",
            write_or_check);

}  // namespace shflsim::cli
