// SPDX-License-Identifier: Apache-2.0
// The cycles of a kernel of one warp, given as text, on each network.
#include <iostream>
#include <systemc>

#include "isa/dialects/source.h"
#include "model/run.h"
#include "model/shuffle/shuffle_network.h"
#include "traces/recorder.h"

using namespace shflsim;

int sc_main(int argc, char** argv) {  // main() is in SystemC's library
  if (argc != 2) return 2;
  const isa::Program program = isa::find_kernel(*isa::open_source(argv[1]), "", argv[1]);
  isa::Launch launch;
  launch.block.x = isa::kLanes;
  isa::DeviceMemory memory;
  isa::Outcome outcome;
  const traces::Trace trace = traces::record(program, launch, memory, {}, &outcome);
  for (const std::string& network : model::ShuffleNetworks::names()) {
    model::ConfigLayers layers;
    layers.add_file("gm107");
    layers.add_setting("shuffle.network=" + network);
    std::cout << network << " " << model::run(trace, layers).cycles << "\n";
  }
  return 0;
}
