// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl_check.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>

#include "cli/command.h"
#include "cli/spec.h"
#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr uint64_t kDefaultMaps = 100000;
constexpr uint64_t kMostMaps = 1000000000;
constexpr size_t kMostNumbered = 8;  ///< lanes of which there are few enough maps to go through
constexpr const char* kFunction = "shuffle_clock_edge";  ///< of scripts/rtl/pins.cc

/// The function of a library that clocks its module. The library stays loaded.
rtl::ClockEdge clock_edge_of(const std::string& file) {
  const std::string path = std::filesystem::absolute(file).string();
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw InputError("--check " + file + ": " + dlerror());
  void* const function = dlsym(library, kFunction);
  if (function == nullptr) {
    throw InputError("--check " + file + ": has no function '" + kFunction +
                     "'; expected a library made by scripts/rtl/verify");
  }
  return reinterpret_cast<void (*)(const uint32_t*, const uint32_t*, const uint32_t*, uint32_t*)>(
      function);
}

std::string text_of_map(const isa::LaneMap& map, size_t lanes) {
  return fmt::format("sources {}, executing {:#x}",
                     fmt::join(map.source.begin(), map.source.begin() + lanes, " "), map.executing);
}

/// Maps from 0 on, `step` apart, to before `end`.
struct Numbers {
  uint64_t step = 1;
  uint64_t end = kDefaultMaps;
};

Numbers numbers_of(const po::variables_map& values, size_t lanes) {
  const auto number = [&](const char* name) {
    return read_number(text_of(values, name), 1, kMostMaps, std::string("--") + name);
  };
  if (values.count("maps") != 0) return {1, number("maps")};
  if (values.count("every") == 0) return {};
  Numbers numbers{number("every"), 1};
  for (size_t lane = 0; lane < lanes; ++lane) numbers.end *= lanes;
  return numbers;
}

}  // namespace

void add_check_options(po::options_description& options) {
  options.add_options()(
      "check", po::value<std::string>()->value_name("LIBRARY"),
      "instead of writing the module, check one that Verilator has compiled (docs/rtl.md)")(
      "maps", po::value<std::string>()->value_name("N"),
      "--check: random lane maps to send (default 100000)")(
      "every", po::value<std::string>()->value_name("K"),
      "--check: every K-th of all maps of 4 or 8 lanes instead");
}

void refuse_of_check(const po::variables_map& values) {
  const auto given = [&](const char* name) { return values.count(name) != 0; };
  for (const char* name : {"maps", "every"}) {
    if (given(name) && !given("check")) {
      throw InputError(fmt::format("--{} without --check; expected it with a library", name));
    }
  }
  for (const char* name : {"output", "bench"}) {
    if (given(name) && given("check")) {
      throw InputError(fmt::format("--{} with --check, which writes no module", name));
    }
  }
  if (given("maps") && given("every")) {
    throw InputError("--maps and --every both given; expected one of them");
  }
}

int check_module(const po::variables_map& values, const rtl::Module& shuffle,
                 const model::ShuffleNetwork& network, uint32_t seed) {
  const auto lanes = static_cast<unsigned>(shuffle.wiring.outputs().size());
  const bool is_numbered = values.count("every") != 0;
  if (is_numbered && lanes > kMostNumbered) {
    throw InputError(fmt::format("--every with {} lanes; expected --lanes 4 or 8", lanes));
  }
  if (shuffle.bits != model::kWordBits || shuffle.stages != 1) {
    throw InputError(fmt::format("--check with --bits {} and --stages {}; expected 32 and 1",
                                 shuffle.bits, shuffle.stages));
  }
  const Numbers numbers = numbers_of(values, lanes);
  rtl::Proof proof(shuffle, network, clock_edge_of(values["check"].as<std::string>()), seed);
  std::mt19937_64 random(seed);
  for (uint64_t number = 0; number < numbers.end; number += numbers.step) {
    const isa::LaneMap map =
        is_numbered ? rtl::numbered_map(lanes, number) : rtl::random_map(lanes, number, &random);
    if (const auto fault = proof.fault(map)) {
      std::cout << fmt::format("FAIL: map {}, {}\n{}\n", number, *fault, text_of_map(map, lanes));
      return kNo;
    }
  }
  const rtl::Proof::Counts& counts = proof.counts();
  std::cout << fmt::format("PASS: {} maps, {} passes, {} lanes, {} left out\n", counts.maps,
                           counts.passes, counts.lanes, counts.left_out);
  return kFine;
}

}  // namespace shflsim::cli
