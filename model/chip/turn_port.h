// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/chip/turns.h"
#include "model/global_memory/chip_memory.h"

namespace shflsim::model {

/// An SM's way to the memory of the chip: its requests wait for the SM's turn.
class TurnPort : public MemoryPort {
 public:
  TurnPort(unsigned sm, Turns& turns, MemoryPort& memory)
      : sm_(sm), turns_(turns), memory_(memory) {}

  Cycle take(Cycle now) override {
    turns_.wait(sm_, now);
    return memory_.take(now);
  }
  Fetched fetch(const LineRequest& request, Cycle now) override {
    turns_.wait(sm_, now);
    return memory_.fetch(request, now);
  }
  Cycle write(const LineRequest& request, Cycle now) override {
    turns_.wait(sm_, now);
    return memory_.write(request, now);
  }
  Updated update(const LineRequest& request, const Update& update, Cycle now) override {
    turns_.wait(sm_, now);
    return memory_.update(request, update, now);
  }
  Cycle fence(Cycle now) override {
    turns_.wait(sm_, now);
    return memory_.fence(now);
  }
  Cycle lateness(const AwaitedFill& fill, Cycle now) override {
    turns_.wait(sm_, now);
    return memory_.lateness(fill, now);
  }
  void note(unsigned sm, uint64_t line) override { memory_.note(sm, line); }
  Reached reached(unsigned sm) override { return memory_.reached(sm); }
  uint32_t written_back(unsigned sm) override { return memory_.written_back(sm); }

 private:
  const unsigned sm_;
  Turns& turns_;
  MemoryPort& memory_;
};

}  // namespace shflsim::model
