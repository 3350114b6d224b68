// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// An operation whose beats or passes are not all granted.
struct Operation {
  MioRequest request;
  uint32_t beats = 0;       ///< beats not yet granted
  uint8_t operands = 1;     ///< room that it takes in the buffer
  uint8_t words = 0;        ///< of data that a lane stores to shared memory
  bool sends_data = false;  ///< the address of a global store has gone, and its data is to follow
  bool goes_on = false;     ///< waits behind the pipe, and...
  bool has_passes = false;  ///< ...takes passes there
  bool takes_pass = false;  ///< its beats are instead of passes
  bool is_first = false;    ///< a store to global memory that found the reader idle
  bool complete = false;    ///< all operands are read and all beats are known
  Cycle ready = 0;          ///< earliest cycle of the next beat
};

/// Operations, first in, first out.
struct Operations {
  std::vector<Operation> ring;
  uint32_t first = 0;
  uint32_t size = 0;
  uint32_t operands = 0;

  Operation& front() { return ring[first]; }
  const Operation& front() const { return ring[first]; }
  Operation& back() { return ring[last()]; }
  const Operation& back() const { return ring[last()]; }
  /// Adds an operation of which nothing else is known.
  Operation& push(const MioRequest& request, uint8_t of_operands, uint8_t words) {
    if (size == ring.size()) grow();
    ++size;
    operands += of_operands;
    return back() = {request, 0, of_operands, words};
  }
  void pop() {
    operands -= front().operands;
    if (++first == ring.size()) first = 0;
    --size;
  }
  size_t last() const {
    const size_t behind = size_t{first} + size;
    return (behind <= ring.size() ? behind : behind - ring.size()) - 1;
  }
  [[gnu::cold]] void grow() {
    std::rotate(ring.begin(), ring.begin() + first, ring.end());
    first = 0;
    ring.emplace_back();
  }
};

}  // namespace shflsim::model
