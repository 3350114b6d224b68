// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/core/parameter.h"

namespace shflsim::model {

/// Operations that wait behind the shared pipe for their passes.
struct PassParams {
  uint32_t places = 0;
  uint32_t place_back = 0;
  uint32_t window = 0;
  uint32_t window_back = 0;
  uint32_t words = 0;
  uint32_t words_back = 0;
  uint32_t loads = 0;

  /// True if loads from global memory take their passes behind the window.
  bool has_loads() const { return places != 0 && loads != 0; }

  void list(ParameterList& out) {
    out.number(
        "mio.places", &places, 0, 256, "operations",
        "shared pipe: operations of shared memory and shuffles that wait behind the pipe for "
        "the window. 0: their passes occupy the pipe");
    out.number(
        "mio.places_back", &place_back, 0, 64, "cycles",
        "mio.places: time from an operation's entry into the window until its place is free; of "
        "loads and stores of mio.loads from their exit");
    out.number("mio.window", &window, 1, 256, "operations",
               "mio.places: operations from which the next one is served: the oldest whose warp is "
               "not being served");
    out.number("mio.window_back", &window_back, 0, 64, "cycles",
               "mio.window: time until the place of an operation that was taken is free");
    out.number("mio.store_words", &words, 1, 1024, "words of a lane",
               "mio.places: data of stores and shuffles from the reader to the last pass, or until "
               "a store leaves for the L1");
    out.number("mio.store_words_back", &words_back, 0, 64, "cycles",
               "mio.store_words: time from then until there is room for other data");
    out.number("mio.loads", &loads, 0, 256, "operations",
               "mio.places: loads from global memory with known addresses, and stores, that wait "
               "behind the window for their passes and for room. 0: their wavefronts occupy the "
               "pipe, and stores wait in front of it");
  }
};

}  // namespace shflsim::model
