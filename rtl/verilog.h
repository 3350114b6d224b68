// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/shuffle/narrow.h"
#include "model/shuffle/settings.h"

namespace shflsim::rtl {

/// A shuffle network as a Verilog module named `shuffle_NETWORK`:
///   input clk, input [N*W-1:0] in, input [C-1:0] ctl, input [N-1:0] we, output reg [N*W-1:0] out
/// Lane i is in[i*W +: W] and out[i*W +: W]. At a rising clock edge, each lane whose bit of `we` is
/// set takes the value that the pass delivers. A pass takes as many edges as there are stages, and
/// a new pass may begin at every edge. `ctl` and `we` of a pass are set together with its `in`, and
/// are delayed inside the module.
struct Module {
  std::string name;  ///< "shuffle_benes"
  model::Wiring wiring;
  std::vector<std::string> port_names;  ///< as the network names them, "stage 2 link 17"
  unsigned bits = 32;                   ///< W
  unsigned stages = 1;
  std::shared_ptr<const model::NarrowUnit> narrow;  ///< set if fewer lanes per cycle
};

/// The control bits of a module in each cycle of a schedule.
class ModuleSettings {
 public:
  ModuleSettings(const Module& shuffle, const model::ShuffleNetwork& network)
      : solver_(network.wiring()), narrow_(shuffle.narrow) {}
  std::vector<model::Settings> solve(const model::Schedule& schedule) const;

 private:
  const model::SettingsSolver solver_;
  const std::shared_ptr<const model::NarrowUnit> narrow_;
};

/// The control bits of a network: for each group of multiplexers, in the order of creation, the
/// number of the selected input, low bits first, in as few bits as possible.
struct ControlField {
  unsigned first = 0;  ///< lowest bit
  unsigned bits = 0;
};
std::vector<ControlField> control_fields(const model::Wiring& wiring);
/// The number of all control bits, C; 0 if there is nothing to control.
unsigned control_bits(const model::Wiring& wiring);

/// The module of `network`, which delivers up to `width` lanes per cycle. Throws InputError if the
/// network has no multiplexers of its own, or if it holds values between passes and `stages` > 1.
Module module_of(const std::string& name, const model::ShuffleNetwork& network, unsigned bits,
                 unsigned stages, unsigned width = isa::kLanes);
/// The module as synthesizable Verilog-2001, with a line for each multiplexer.
std::string verilog(const Module& shuffle);

}  // namespace shflsim::rtl
