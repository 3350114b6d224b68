// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/rtl_check.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "cli/options/command.h"
#include "isa/base/input_error.h"
#include "rtl/moves.h"

namespace shflsim::cli {
namespace {

constexpr uint64_t kDefaultMaps = 100000;
constexpr uint64_t kMostMaps = 1000000000;
constexpr size_t kMostNumbered = 8;  ///< most lanes for which all maps are checked
constexpr const char* kFunction = "shuffle_clock_edge";  ///< defined in scripts/rtl/pins.cc

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

std::string text_of(const isa::LaneMove& move) {
  std::string sources;
  for (unsigned lane = 0; lane < move.lanes; ++lane)
    sources += fmt::format(" {}", move.source[0][lane].lane);
  return fmt::format("sources{}, executing {:#x}", sources, move.written());
}

/// The maps from 0 to before `end`, `step` apart.
struct Numbers {
  uint64_t step = 1;
  uint64_t end = kDefaultMaps;
};

Numbers numbers_of(const ModuleCheckOptions& options, size_t lanes) {
  if (options.maps) return {1, *options.maps};
  if (!options.every) return {};
  Numbers numbers{*options.every, 1};
  for (size_t lane = 0; lane < lanes; ++lane) numbers.end *= lanes;
  return numbers;
}

}  // namespace

void ModuleCheckOptions::list(OptionList& list) {
  list.group("check", this);
  list.text("check", &library, "LIBRARY",
            "instead of writing the module, check one that Verilator has compiled (docs/rtl.md)");
  list.number("maps", &maps, 1, kMostMaps, "N",
              "--check: random lane maps to send (default 100000)");
  list.number("every", &every, 1, kMostMaps, "K",
              "--check: every K-th of all maps of 4 or 8 lanes instead");
  list.needs(&maps, {&library}, "; expected it with a library");
  list.needs(&every, {&library}, "; expected it with a library");
  list.excludes(&maps, {&every});
}

int check_module(const ModuleCheckOptions& options, const rtl::Module& shuffle,
                 const model::ShuffleNetwork& network, uint32_t seed) {
  const auto lanes = static_cast<unsigned>(shuffle.wiring.outputs().size());
  const bool is_numbered = options.every.has_value();
  if (is_numbered && lanes > kMostNumbered) {
    throw InputError(fmt::format("--every with {} lanes; expected --lanes 4 or 8", lanes));
  }
  if (shuffle.bits != model::kWordBits || shuffle.stages != 1) {
    throw InputError(fmt::format("--check with --bits {} and --stages {}; expected 32 and 1",
                                 shuffle.bits, shuffle.stages));
  }
  const Numbers numbers = numbers_of(options, lanes);
  rtl::Proof proof(shuffle, network, clock_edge_of(*options.library), seed);
  std::mt19937_64 random(seed);
  for (uint64_t number = 0; number < numbers.end; number += numbers.step) {
    const isa::LaneMove move =
        is_numbered ? rtl::numbered_move(lanes, number) : rtl::random_move(lanes, number, &random);
    if (const auto fault = proof.fault(move)) {
      std::cout << fmt::format("FAIL: map {}, {}\n{}\n", number, *fault, text_of(move));
      return kNo;
    }
  }
  const rtl::Proof::Counts& counts = proof.counts();
  std::cout << fmt::format("PASS: {} maps, {} passes, {} lanes, {} left out\n", counts.maps,
                           counts.passes, counts.lanes, counts.left_out);
  return kFine;
}

}  // namespace shflsim::cli
