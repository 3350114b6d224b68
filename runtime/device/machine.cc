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

/// Data of a card that its config lacks. Source: NVIDIA's data sheets.
struct Card {
  const char* config;
  const char* name;  ///< name in the device's properties
  unsigned arch;
  unsigned sms;
  uint64_t memory_kib;
  unsigned bus_bits;   ///< of device memory
  unsigned clock_mhz;  ///< of device memory
};
constexpr uint64_t kGib = 1 << 20;  // KiB
constexpr Card kCards[] = {
    {"gm107", "NVIDIA GeForce GTX 750 Ti", 50, 5, 2 * kGib, 128, 2700},
    {"gm204", "NVIDIA GeForce GTX 980", 52, 16, 4 * kGib, 256, 3505},
    {"gp104", "NVIDIA GeForce GTX 1080", 60, 20, 8 * kGib, 256, 5005},
    {"gv100", "Tesla V100-SXM2-16GB", 70, 80, 16 * kGib, 4096, 877},
    {"tu102", "NVIDIA GeForce RTX 2080 Ti", 75, 68, 11 * kGib, 352, 7000},
    {"ga100", "NVIDIA A100-SXM4-40GB", 80, 108, 40 * kGib, 5120, 1215},
    {"ga102", "NVIDIA GeForce RTX 3090", 86, 82, 24 * kGib, 384, 9751},
    {"ad102", "NVIDIA GeForce RTX 4090", 89, 128, 24 * kGib, 384, 10501},
    {"gh100", "NVIDIA H100 80GB HBM3", 90, 132, 83024896, 5120, 2619},
    {"gb100", "NVIDIA B200", 100, 148, 180 * kGib, 8192, 3996},
    {"gb202", "NVIDIA GeForce RTX 5090", 120, 170, 32 * kGib, 512, 14001},
};

/// The card of the architecture, or of the nearest older one.
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
  card_name = name == card_of(arch).config ? card_of(arch).name : "shflsim " + name;
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
  memory_bytes = card_of(arch).memory_kib * 1024;
  memory_bus_bits = card_of(arch).bus_bits;
  memory_clock_khz = uint64_t{card_of(arch).clock_mhz} * 1000;
}

uint64_t Machine::most_persisting() const {
  return arch < 80 ? 0 : l2_bytes / 8 * 5;  // measured: five eighths of an H100's 50 MiB
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
