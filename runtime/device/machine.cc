// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/machine.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "isa/code/launch_layout.h"
#include "isa/codec/arch.h"
#include "isa/lanes/lane_bits.h"
#include "model/run.h"

namespace shflsim::runtime {
namespace {

/// What a config does not say, of the card that it is named after: NVIDIA's data sheets.
struct Card {
  unsigned arch;
  unsigned sms;
  unsigned gib;  ///< of device memory
};
constexpr Card kCards[] = {
    {50, 5, 2},       // GTX 750 Ti
    {52, 16, 4},      // GTX 980
    {60, 20, 8},      // GTX 1080
    {70, 80, 16},     // V100
    {75, 68, 11},     // RTX 2080 Ti
    {80, 108, 40},    // A100
    {86, 82, 24},     // RTX 3090
    {89, 128, 24},    // RTX 4090
    {90, 132, 80},    // H100 SXM
    {100, 148, 180},  // B200
    {120, 170, 32},   // RTX 5090
};

/// The card of the architecture, or of the next older one.
const Card& card_of(unsigned arch) {
  const Card* card = std::begin(kCards);
  for (const Card& each : kCards) {
    if (each.arch <= arch) card = &each;
  }
  return *card;
}

uint64_t up_to_unit(uint64_t size, uint64_t unit) {
  return unit == 0 ? size : (size + unit - 1) / unit * unit;
}

}  // namespace

Machine::Machine(const ExecOptions& options, unsigned architecture)
    : arch(architecture), sms(options.sms) {
  const auto own = options.machines.find(arch);
  const std::string file = !options.config.empty()         ? options.config
                           : own != options.machines.end() ? own->second
                                                           : options.machines.begin()->second;
  layers.add_file(file);
  for (const std::string& setting : options.settings) layers.add_setting(setting);
  name = std::filesystem::path(file).stem().string();
  const std::vector<model::ConfigValue> config = model::effective_config(layers);
  const auto number = [&config](const char* key) -> uint64_t {
    const auto found = std::find_if(config.begin(), config.end(),
                                    [key](const auto& each) { return each.key == key; });
    return found == config.end() ? 0 : std::stoull(found->value);
  };
  clock_mhz = number("technology.clock");
  max_warps = number("sm.max_warps");
  max_blocks = number("sm.max_blocks");
  barriers = number("sm.barriers");
  registers = number("sm.registers");
  register_unit = number("sm.register_unit");
  shared_bytes = number("sm.shared_bytes");
  shared_unit = number("sm.shared_unit");
  shared_reserved = number("sm.shared_reserved");
  l2_bytes = number("global_memory.l2_capacity") * 1024;
  chip_sms = card_of(arch).sms;
  memory_bytes = uint64_t{card_of(arch).gib} << 30;
}

uint32_t Machine::most_shared() const {
  return isa::launch_layout(isa::arch_numbered(arch).value_or(isa::Arch::kSm50)).most_shared;
}

uint64_t Machine::blocks_of_sm(const BlockShape& shape) const {
  constexpr uint64_t kSubPartitions = 4;
  const uint64_t warps = std::max<uint64_t>(1, (shape.threads + isa::kLanes - 1) / isa::kLanes);
  const uint64_t of_warp =
      up_to_unit(std::max<uint64_t>(1, shape.registers) * isa::kLanes, register_unit);
  const uint64_t by_registers = registers / kSubPartitions / of_warp * kSubPartitions / warps;
  const uint64_t of_block = up_to_unit(shape.shared_bytes + shared_reserved, shared_unit);
  const uint64_t by_shared = of_block == 0 ? max_blocks : shared_bytes / of_block;
  const bool counts = barriers != 0 && shape.barriers != 0;
  const uint64_t by_barriers = counts ? barriers / shape.barriers : max_blocks;
  return std::min({by_registers, by_shared, by_barriers, max_warps / warps, max_blocks});
}

}  // namespace shflsim::runtime
