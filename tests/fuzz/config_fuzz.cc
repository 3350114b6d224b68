// SPDX-License-Identifier: Apache-2.0
// Machine configs. The bytes after a line "----" are the file other.cfg next to the config.
#include "model/config/config.h"
#include "tests/fuzz/harness.h"

namespace {

using namespace shflsim;

/// Some keys of a machine, one of each kind.
struct Params {
  uint32_t latency = 0;
  uint32_t is_on = 0;
  std::string network;
  void list(model::ParameterList& list) {
    list.number("unit.latency", &latency, 1, 64, "cycles", "how long it takes");
    list.flag("unit.is_on", &is_on, "whether it is there");
    list.choice("shuffle.network", &network, {"crossbar", "banked"}, "which one");
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes = fuzz::text_of(data, size);
  static const fuzz::MemoryFolder folder;
  const std::string path = folder.write("machine.cfg", fuzz::take_part(&bytes, "\n----\n"));
  folder.write("other.cfg", bytes);
  fuzz::try_input([&] {
    Params params;
    model::ParameterList list;
    params.list(list);
    model::ConfigLayers layers;
    layers.add_file(path);
    layers.apply(list);
  });
  return 0;
}
