// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Vshuffle.h>

#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <type_traits>

#include "model/core/cycle.h"
#include "rtl/verilog.h"

namespace shflsim::examples {

/// A SHFL in a unit: the source of each lane, and the words that the lanes send.
struct Words {
  isa::LaneMap map;
  isa::LaneValues lanes{};
};

/// Counts of all units of a run.
struct Tally {
  uint64_t shuffles = 0;
  uint64_t passes = 0;
  uint64_t lanes = 0;  ///< delivered and compared
  std::string fault;   ///< the first, "" if there is none
};

/// A shuffle unit's network as Verilator's SystemC module, with its own signals. The clock has an
/// edge in each cycle of a pass and rests otherwise. A cycle is a nanosecond: the pins are set at
/// its beginning, and the clock rises a quarter later.
class Unit : public sc_core::sc_module {
 public:
  Unit(const sc_core::sc_module_name& name, const model::Wiring& wiring, Tally* tally);

  /// Sets the pins of the pass in `cycle`, which lies ahead and has no other pass.
  void pass_in(model::Cycle cycle, const model::Settings& settings,
               std::shared_ptr<const Words> words);

 private:
  template <class Pin>
  using SignalOf = sc_core::sc_signal<typename std::remove_reference_t<Pin>::data_type>;
  struct Pass {
    model::Settings settings;
    std::shared_ptr<const Words> words;
  };

  void clocked();
  void set_pins(const Pass& pass);
  void compare(model::Cycle cycle, const Pass& pass);

  Tally& tally_;
  const std::vector<rtl::ControlField> fields_;
  SignalOf<decltype(Vshuffle::clk)> clk_;
  SignalOf<decltype(Vshuffle::in)> in_;
  SignalOf<decltype(Vshuffle::ctl)> ctl_;
  SignalOf<decltype(Vshuffle::we)> we_;
  SignalOf<decltype(Vshuffle::out)> out_;
  Vshuffle network_;
  std::map<model::Cycle, Pass> passes_;  ///< passes to come
  sc_core::sc_event more_;
};

}  // namespace shflsim::examples
