// SPDX-License-Identifier: Apache-2.0
#include "unit.h"

#include <fmt/format.h>

#include "isa/base/input_error.h"

namespace shflsim::examples {
namespace {

const sc_core::sc_time kCycle(1, sc_core::SC_NS);
const sc_core::sc_time kQuarter = kCycle / 4;

}  // namespace

Unit::Unit(const sc_core::sc_module_name& name, const model::Wiring& wiring, Tally* tally)
    : sc_module(name), tally_(*tally), fields_(rtl::control_fields(wiring)), network_("network") {
  SC_HAS_PROCESS(Unit);
  if (ctl_.read().length() != static_cast<int>(rtl::control_bits(wiring))) {
    throw InputError(
        fmt::format("the verilated module has {} control bits; expected {} of the "
                    "machine's network, whose parameters are others",
                    ctl_.read().length(), rtl::control_bits(wiring)));
  }
  network_.clk(clk_);
  network_.in(in_);
  network_.ctl(ctl_);
  network_.we(we_);
  network_.out(out_);
  SC_THREAD(clocked);
}

void Unit::pass_in(model::Cycle cycle, const model::Settings& settings,
                   std::shared_ptr<const Words> words) {
  if (!passes_.insert({cycle, {settings, std::move(words)}}).second) {
    tally_.fault = fmt::format("{}: two passes in cycle {}", name(), cycle);
  }
  more_.notify();
}

void Unit::clocked() {
  while (true) {
    while (passes_.empty()) wait(more_);
    const auto first = passes_.begin();
    const auto [cycle, pass] = *first;
    passes_.erase(first);
    const sc_core::sc_time begin = kCycle * static_cast<double>(cycle);
    if (begin > sc_core::sc_time_stamp()) wait(begin - sc_core::sc_time_stamp());
    set_pins(pass);
    wait(kQuarter);
    clk_ = true;
    wait(kQuarter);
    compare(cycle, pass);
    clk_ = false;
  }
}

void Unit::set_pins(const Pass& pass) {
  auto in = in_.read();
  for (unsigned lane = 0; lane < isa::kLanes; ++lane)
    in.set_word(static_cast<int>(lane), pass.words->lanes[lane]);
  auto ctl = ctl_.read();
  for (size_t group = 0; group < fields_.size(); ++group) {
    for (unsigned bit = 0; bit < fields_[group].bits; ++bit) {
      ctl[static_cast<int>(fields_[group].first + bit)] =
          ((pass.settings.selects[group] >> bit) & 1u) != 0;
    }
  }
  in_ = in;
  ctl_ = ctl;
  we_ = static_cast<isa::LaneMask>(pass.settings.enables);
}

void Unit::compare(model::Cycle cycle, const Pass& pass) {
  ++tally_.passes;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if (((pass.settings.enables >> lane) & 1u) == 0) continue;
    ++tally_.lanes;
    const unsigned source = pass.words->map.source[lane];
    const uint32_t has = out_.read().get_word(static_cast<int>(lane));
    const uint32_t expected = pass.words->lanes[source];
    if (has == expected || !tally_.fault.empty()) continue;
    tally_.fault = fmt::format("{}: cycle {}: lane {} has {:08x}, expected lane {}'s {:08x}",
                               name(), cycle, lane, has, source, expected);
  }
}

}  // namespace shflsim::examples
