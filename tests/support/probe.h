// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "isa/dialects/source.h"
#include "model/run.h"
#include "tests/support/files.h"
#include "tests/support/layers.h"
#include "traces/live_launch.h"

namespace shflsim::test {

/// A launch of a kernel of tests/data, timed while it is executed.
class Probe {
 public:
  Probe(const std::string& file, const std::string& kernel)
      : program_(isa::find_kernel(*isa::open_source(data_path(file)), kernel, file)) {}

  Probe& blocks(uint32_t count) {
    launch_.grid.x = count;
    return *this;
  }
  Probe& threads(uint32_t count) {
    launch_.block.x = count;
    return *this;
  }
  Probe& shared(uint32_t bytes) {
    launch_.shared_bytes = bytes;
    return *this;
  }
  Probe& buffer(const std::vector<uint8_t>& bytes) {
    last_ = memory_.allocate(bytes);
    return argument(last_);
  }
  Probe& buffer(size_t bytes) { return buffer(std::vector<uint8_t>(bytes)); }
  /// An address in the last buffer.
  Probe& inside(size_t offset) { return argument(last_ + offset); }
  template <typename T>
  Probe& argument(const T& value) {
    std::vector<uint8_t>& all = launch_.parameters;
    const size_t at = (all.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    all.resize(at + sizeof value);
    std::memcpy(all.data() + at, &value, sizeof value);
    return *this;
  }

  model::RunResult run(const model::ConfigLayers& layers, unsigned sms = 1) {
    const auto live =
        std::make_shared<traces::LiveLaunch>(program_, launch_, memory_, isa::MachineOptions());
    return model::run(traces::live_trace(program_, launch_, live), layers, sms);
  }
  /// What the launch left in the last buffer.
  const std::vector<uint8_t>& bytes() const { return memory_.bytes(last_); }
  /// The words of the last buffer after a run.
  std::vector<uint32_t> words_of(const std::string& config,
                                 const std::vector<std::string>& settings = {}, unsigned sms = 1) {
    run(layers_of(config, settings), sms);
    std::vector<uint32_t> words(bytes().size() / 4);
    std::memcpy(words.data(), bytes().data(), 4 * words.size());
    return words;
  }

 private:
  isa::Program program_;
  isa::DeviceMemory memory_;
  isa::Launch launch_;
  uint64_t last_ = 0;
};

}  // namespace shflsim::test
