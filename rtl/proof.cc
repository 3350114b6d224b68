// SPDX-License-Identifier: Apache-2.0
#include "rtl/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "model/shuffle/routing.h"

namespace shflsim::rtl {
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

std::optional<std::string> Proof::fault(const isa::LaneMove& move) {
  ++counts_.maps;
  for (uint32_t& word : in_) word = static_cast<uint32_t>(random_());
  isa::WideMask left = move.written();
  size_t number = 0;
  const model::Schedule schedule = network_.route(model::requests(move, 0, 0));
  for (const model::Settings& settings : solver_.solve(schedule)) {
    ++counts_.passes;
    set_pins(settings);
    const uint32_t enables[2] = {static_cast<uint32_t>(settings.enables),
                                 static_cast<uint32_t>(settings.enables >> 32u)};
    edge_(in_.data(), ctl_.data(), enables, out_.data());
    left &= ~settings.enables;
    if (auto wrong = compare(move, settings, number++)) return wrong;
  }
  for (const model::Pass& pass : schedule.passes) {
    if (!pass.through_memory) continue;
    for (const model::Delivery& delivery : pass.deliveries)
      left &= ~(isa::WideMask{1} << delivery.lane);
    counts_.left_out += pass.deliveries.size();
  }
  if (left != 0) return fmt::format("lanes {:#x} are served in no pass", left);
  return {};
}

std::optional<std::string> Proof::compare(const isa::LaneMove& move,
                                          const model::Settings& settings, size_t pass) {
  for (size_t lane = 0; lane < in_.size(); ++lane) {
    if (((settings.enables >> lane) & 1u) == 0) continue;
    expected_[lane] = in_[move.source[0][lane].lane];
    ++counts_.lanes;
  }
  if (out_ == expected_) return {};
  const auto wrong = std::mismatch(out_.begin(), out_.end(), expected_.begin());
  const auto lane = static_cast<size_t>(wrong.first - out_.begin());
  const std::string expected = ((settings.enables >> lane) & 1u) != 0
                                   ? fmt::format("of lane {}", move.source[0][lane].lane)
                                   : "that it had";
  return fmt::format("pass {}, lane {}: has {:08x}, expected {:08x}, the word {}", pass, lane,
                     *wrong.first, *wrong.second, expected);
}

}  // namespace shflsim::rtl
