// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/command.h"
#include "cli/rtl_check.h"
#include "cli/spec.h"
#include "isa/input_error.h"
#include "report/compare_design.h"
#include "rtl/bench.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr unsigned kMostBits = 1024;
constexpr unsigned kMostStages = 64;
constexpr unsigned kMostMaps = 100000;
constexpr uint32_t kDefaultSeed = 1;
constexpr uint64_t kMostSeed = 0xFFFFFFFF;
constexpr unsigned kLeastBenchBits = 5;  // as many as tell 32 lanes apart

po::options_description rtl_options() {
  po::options_description options("options");
  options.add_options()("network", po::value<std::string>()->value_name("NETWORK")->required(),
                        "one of `shflsim list networks`")(
      "lanes", po::value<unsigned>()->value_name("N")->default_value(isa::kLanes),
      "lanes, a power of two from 4 to 32")(
      "bits", po::value<unsigned>()->value_name("W")->default_value(model::kWordBits),
      "bits of a lane")("stages", po::value<unsigned>()->value_name("K")->default_value(1),
                        "clock cycles of a pass")(
      "bench", po::value<unsigned>()->value_name("N"),
      "add a test bench that checks N recorded lane maps")(
      "seed", po::value<std::string>()->value_name("N"),
      "of the random maps and words of --bench and --check (default 1)")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "write to this file instead of standard output")(
      "config", po::value<std::vector<std::string>>()->value_name("NAME"),
      "machine whose network parameters and add-ons count (default gm107)")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "KEY=VALUE: set one parameter");
  add_check_options(options);
  return options;
}

unsigned number_of(const po::variables_map& values, const char* name, unsigned least,
                   unsigned most) {
  const auto number = values[name].as<unsigned>();
  if (number < least || number > most) {
    throw InputError("--" + std::string(name) + " " + std::to_string(number) +
                     ": expected a number from " + std::to_string(least) + " to " +
                     std::to_string(most));
  }
  return number;
}

unsigned lanes_of(const po::variables_map& values) {
  const unsigned lanes = number_of(values, "lanes", 4, isa::kLanes);
  if ((lanes & (lanes - 1)) != 0) {
    throw InputError("--lanes " + std::to_string(lanes) + ": expected a power of two");
  }
  return lanes;
}

uint32_t seed_of(const po::variables_map& values) {
  if (values.count("seed") == 0) return kDefaultSeed;
  if (values.count("bench") == 0 && values.count("check") == 0) {
    throw InputError("--seed without --bench or --check; expected one of them");
  }
  return static_cast<uint32_t>(read_number(text_of(values, "seed"), 0, kMostSeed, "--seed"));
}

std::string bench_of(const po::variables_map& values, const rtl::Module& shuffle,
                     const model::ShuffleNetwork& network, uint32_t seed) {
  if (shuffle.bits < kLeastBenchBits) {
    throw InputError("--bench with --bits " + std::to_string(shuffle.bits) +
                     ": expected 5 bits or more, or lanes could not be told apart");
  }
  const unsigned maps = number_of(values, "bench", 1, kMostMaps);
  return rtl::bench(shuffle, network, rtl::bench_maps(lanes_of(values), maps, seed), seed);
}

int write_or_check(const po::variables_map& values) {
  const std::string name = text_of(values, "network");
  const auto choice = report::network_choice(config_layers(values));
  const auto network = choice->make(name, lanes_of(values));
  const rtl::Module shuffle =
      rtl::module_of(name, *network, number_of(values, "bits", 1, kMostBits),
                     number_of(values, "stages", 1, kMostStages));
  const uint32_t seed = seed_of(values);
  refuse_of_check(values);
  if (values.count("check") != 0) return check_module(values, shuffle, *network, seed);
  auto file = file_of(values, "output");
  std::string text = rtl::verilog(shuffle);
  if (values.count("bench") != 0) text += bench_of(values, shuffle, *network, seed);
  if (file) {
    file->finish(text);
  } else {
    std::cout << text;
  }
  return kFine;
}

int run(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("network", 1);
  po::variables_map values;
  const Usage usage{"shflsim rtl NETWORK [options]",
                    "  shflsim rtl benes -o shuffle_benes.v\n"
                    "  shflsim rtl crossbar --lanes 8 --bits 16 --stages 2 --bench 100 -o bench.v\n"
                    "  shflsim rtl rotator --set shuffle.self_bypass=1\n"};
  if (!parse(arguments, usage, rtl_options(), positions, &values)) return kFine;
  return write_or_check(values);
}

}  // namespace

const Command kRtl = {"rtl", "write a shuffle network as Verilog, and a test bench for it", run};

}  // namespace shflsim::cli
