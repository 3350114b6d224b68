// SPDX-License-Identifier: Apache-2.0
#include "rtl/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "model/shuffle/routing.h"

namespace shflsim::rtl {
namespace {

isa::LaneMask all_of(unsigned lanes) {
  return static_cast<isa::LaneMask>((uint64_t{1} << lanes) - 1);
}

constexpr unsigned kUniform = 5;  ///< the last kind; the slowest on most networks

unsigned proof_source(unsigned kind, unsigned lane, unsigned lanes, unsigned drawn,
                      unsigned setting) {
  switch (kind) {
    case 2: return lane ^ setting;
    case 3: return lane + setting < lanes ? lane + setting : lane;
    case 4: return (lane & ~3u) + drawn % 4;
    case 5: return setting;
    default: return drawn;
  }
}

}  // namespace

isa::LaneMap random_map(unsigned lanes, uint64_t number, std::mt19937_64* random) {
  const auto draw = [random](unsigned below) { return static_cast<unsigned>((*random)() % below); };
  const auto kind = static_cast<unsigned>(number % 50 == 49 ? kUniform : number % kUniform);
  isa::LaneMap map;
  map.executing = map.in_range = all_of(lanes);
  if (number % 3 == 2) map.executing &= static_cast<isa::LaneMask>((*random)());
  const unsigned setting = draw(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    map.source[lane] = static_cast<uint8_t>(proof_source(kind, lane, lanes, draw(lanes), setting));
  }
  if (kind == 1) {
    std::iota(map.source.begin(), map.source.end(), uint8_t{0});
    std::shuffle(map.source.begin(), map.source.begin() + lanes, *random);
  }
  return map;
}

isa::LaneMap numbered_map(unsigned lanes, uint64_t number) {
  isa::LaneMap map;
  map.executing = map.in_range = all_of(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    map.source[lane] = static_cast<uint8_t>(number % lanes);
    number /= lanes;
  }
  return map;
}

Proof::Proof(const Module& shuffle, const model::ShuffleNetwork& network, ClockEdge edge,
             uint32_t seed)
    : network_(network),
      solver_(shuffle, network),
      fields_(control_fields(shuffle.wiring)),
      edge_(std::move(edge)),
      random_(seed),
      in_(shuffle.wiring.outputs().size()),
      ctl_(control_bits(shuffle.wiring) / 32 + 2),
      out_(in_.size()) {
  if (shuffle.bits != 32 || shuffle.stages != 1) {
    throw std::invalid_argument("a proof is of 32 bits a lane and one stage");
  }
  const uint32_t none[2] = {};  // as many words as the widest pin of up to 64 bits has
  edge_(in_.data(), ctl_.data(), none, out_.data());
  expected_ = out_;
}

void Proof::set_pins(const model::Settings& settings) {
  std::fill(ctl_.begin(), ctl_.end(), 0);
  for (size_t group = 0; group < fields_.size(); ++group) {
    const uint64_t select = uint64_t{settings.selects[group]} << (fields_[group].first % 32);
    uint32_t* const words = &ctl_[fields_[group].first / 32];
    words[0] |= static_cast<uint32_t>(select);
    words[1] |= static_cast<uint32_t>(select >> 32u);
  }
}

std::optional<std::string> Proof::fault(const isa::LaneMap& map) {
  ++counts_.maps;
  for (uint32_t& word : in_) word = static_cast<uint32_t>(random_());
  isa::LaneMask left = map.executing;
  size_t number = 0;
  const model::Schedule schedule = network_.route(map);
  for (const model::Settings& settings : solver_.solve(schedule)) {
    ++counts_.passes;
    set_pins(settings);
    const uint32_t enables[2] = {settings.enables, 0};
    edge_(in_.data(), ctl_.data(), enables, out_.data());
    left &= ~settings.enables;
    if (auto wrong = compare(map, settings, number++)) return wrong;
  }
  for (const model::Pass& pass : schedule.passes) {
    if (!pass.through_memory) continue;
    for (const model::Delivery& delivery : pass.deliveries) left &= ~(1u << delivery.lane);
    counts_.left_out += pass.deliveries.size();
  }
  if (left != 0) return fmt::format("lanes {:#x} are served in no pass", left);
  return {};
}

std::optional<std::string> Proof::compare(const isa::LaneMap& map, const model::Settings& settings,
                                          size_t pass) {
  for (size_t lane = 0; lane < in_.size(); ++lane) {
    if (((settings.enables >> lane) & 1u) == 0) continue;
    expected_[lane] = in_[map.source[lane]];
    ++counts_.lanes;
  }
  if (out_ == expected_) return {};
  const auto wrong = std::mismatch(out_.begin(), out_.end(), expected_.begin());
  const auto lane = static_cast<size_t>(wrong.first - out_.begin());
  const std::string expected = ((settings.enables >> lane) & 1u) != 0
                                   ? fmt::format("of lane {}", map.source[lane])
                                   : "that it had";
  return fmt::format("pass {}, lane {}: has {:08x}, expected {:08x}, the word {}", pass, lane,
                     *wrong.first, *wrong.second, expected);
}

}  // namespace shflsim::rtl
