// SPDX-License-Identifier: Apache-2.0
// Every workload of traces/suite, compared with the same computation on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "isa/dialects/source.h"
#include "isa/machine/machine.h"
#include "tests/support/files.h"
#include "traces/recorder.h"

namespace shflsim::traces {
namespace suite_test {

constexpr unsigned kThreads = 256;
constexpr unsigned kLanes = isa::kLanes;
using Words = std::vector<uint32_t>;
using Floats = std::vector<double>;

/// A thread's input by the rule `--reg Rvalue=hash`.
uint32_t input_word(uint32_t thread) {
  uint32_t x = thread * 2654435761u + 12345u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ (x >> 13);
}

Words inputs() {
  Words words(kThreads);
  for (uint32_t thread = 0; thread < kThreads; ++thread) words[thread] = input_word(thread);
  return words;
}

float as_float(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// One workload after a run with the input rule in Rvalue; argument 0 is a counter at zero.
class SuiteRun {
 public:
  explicit SuiteRun(const std::string& name, unsigned threads = kThreads) {
    const std::string file = test::source_path("traces/suite/" + name + ".sass");
    program_ = isa::find_kernel(*isa::open_source(file), "", file);
    isa::Launch launch;
    launch.block.x = threads;
    counter_ = memory_.allocate(std::vector<uint8_t>(4));
    launch.parameters.resize(sizeof counter_);
    std::memcpy(launch.parameters.data(), &counter_, sizeof counter_);
    const auto value = program_.symbols.find("Rvalue");
    if (value != program_.symbols.end()) launch.registers.push_back({value->second, inputs()});
    isa::MachineOptions options;
    options.keep_registers = true;
    trace_ = record(program_, launch, memory_, options, &outcome_);
  }

  Words words(const std::string& name) const {
    Words words;
    for (const isa::WarpRegisters& warp : outcome_.warps) {
      const isa::LaneValues& lanes = warp.values.at(program_.symbols.at(name));
      words.insert(words.end(), lanes.begin(), lanes.end());
    }
    return words;
  }
  Floats floats(const std::string& name) const {
    Floats floats;
    for (const uint32_t word : words(name)) floats.push_back(as_float(word));
    return floats;
  }
  uint32_t counter() const {
    uint32_t value = 0;
    std::memcpy(&value, memory_.bytes(counter_).data(), sizeof value);
    return value;
  }
  const Trace& trace() const { return trace_; }

 private:
  isa::Program program_;
  isa::DeviceMemory memory_;
  isa::Outcome outcome_;
  Trace trace_;
  uint64_t counter_ = 0;
};

unsigned lane_of(unsigned thread) { return thread % kLanes; }
unsigned warp_base(unsigned thread) { return thread - thread % kLanes; }

/// `value_of(thread)` for each thread.
Words expected(const std::function<uint32_t(unsigned thread)>& value_of) {
  Words words(kThreads);
  for (unsigned thread = 0; thread < kThreads; ++thread) words[thread] = value_of(thread);
  return words;
}

uint32_t sum_of(const Words& words, unsigned first, unsigned last) {
  return std::accumulate(words.begin() + first, words.begin() + last, 0u);
}

void expect_near(const Floats& got, const Floats& wanted, double tolerance) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t thread = 0; thread < got.size(); ++thread) {
    ASSERT_NEAR(got[thread], wanted[thread], tolerance) << "thread " << thread;
  }
}

TEST(Suite, ReducesAWarp) {
  const Words in = inputs();
  const auto total = [&](unsigned t) { return sum_of(in, warp_base(t), warp_base(t) + kLanes); };
  EXPECT_EQ(SuiteRun("reduce_butterfly").words("Rvalue"), expected(total));
  const Words down = SuiteRun("reduce_down").words("Rvalue");
  for (unsigned thread = 0; thread < kThreads; thread += kLanes) {
    EXPECT_EQ(down[thread], total(thread));
  }
}

TEST(Suite, ScansAWarpInThreeWays) {
  const Words in = inputs();
  const auto upto = [&](unsigned t) { return sum_of(in, warp_base(t), t + 1); };
  const auto below = [&](unsigned t) { return sum_of(in, warp_base(t), t); };
  const auto from = [&](unsigned t) { return sum_of(in, t, warp_base(t) + kLanes); };
  const auto total = [&](unsigned t) { return sum_of(in, warp_base(t), warp_base(t) + kLanes); };
  EXPECT_EQ(SuiteRun("scan_inclusive").words("Rvalue"), expected(upto));
  EXPECT_EQ(SuiteRun("scan_reverse").words("Rvalue"), expected(from));
  const SuiteRun exclusive("scan_exclusive");
  EXPECT_EQ(exclusive.words("Rbelow"), expected(below));
  EXPECT_EQ(exclusive.words("Rtotal"), expected(total));
}

TEST(Suite, SortsAWarp) {
  Words sorted = inputs();
  for (auto warp = sorted.begin(); warp != sorted.end(); warp += kLanes) {
    std::sort(warp, warp + kLanes);
  }
  EXPECT_EQ(SuiteRun("bitonic_sort").words("Rvalue"), sorted);
}

TEST(Suite, TransposesAMatrixInRegisters) {
  const SuiteRun run("transpose_32x32", 64);
  for (unsigned row = 0; row < kLanes; ++row) {
    const Words words = run.words("Rv" + std::to_string(row));
    for (unsigned thread = 0; thread < 64; ++thread) {
      ASSERT_EQ(words[thread], row * 32 + lane_of(thread)) << "row " << row;
    }
  }
}

TEST(Suite, AddsNeighboursWithLanesStandingInAtTheEnds) {
  const Words in = inputs();
  const auto neighbour = [&](unsigned t, int distance) {
    const int lane = static_cast<int>(lane_of(t)) + distance;
    return lane < 0 || lane >= 32 ? in[t] : in[warp_base(t) + static_cast<unsigned>(lane)];
  };
  EXPECT_EQ(SuiteRun("stencil_3").words("Rsum"),
            expected([&](unsigned t) { return neighbour(t, -1) + 2 * in[t] + neighbour(t, 1); }));
  EXPECT_EQ(SuiteRun("stencil_9").words("Rsum"), expected([&](unsigned t) {
              uint32_t sum = 0;
              for (int distance = -4; distance <= 4; ++distance) sum += neighbour(t, distance);
              return sum;
            }));
}

TEST(Suite, TransformsThirtyTwoPoints) {
  const Words in = inputs();
  Floats re(kThreads);
  Floats im(kThreads);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    std::complex<double> sum = 0;
    for (unsigned point = 0; point < kLanes; ++point) {
      const double angle = -2 * M_PI * (lane_of(thread) * point % 32) / 32;
      sum += std::polar(1.0 * (in[warp_base(thread) + point] & 0xFF), angle);
    }
    re[thread] = sum.real();
    im[thread] = sum.imag();
  }
  const SuiteRun run("fft_32");
  expect_near(run.floats("Rre"), re, 0.01);
  expect_near(run.floats("Rim"), im, 0.01);
}

TEST(Suite, NormalisesRowsBySoftmaxAndByLayer) {
  const Words in = inputs();
  Floats shares(kThreads);
  Floats first_bytes(kThreads);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    double exponentials = 0;
    double sum = 0;
    double squares = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const uint32_t word = in[warp_base(thread) + lane];
      exponentials += std::exp(word & 0xF);
      for (unsigned byte = 0; byte < 4; ++byte) {
        const double value = word >> 8 * byte & 0xFF;
        sum += value / 128;
        squares += value * value / 128;
      }
    }
    shares[thread] = std::exp(in[thread] & 0xF) / exponentials;
    first_bytes[thread] = ((in[thread] & 0xFF) - sum) / std::sqrt(squares - sum * sum + 1 / 1024.0);
  }
  expect_near(SuiteRun("softmax_32").floats("Rshare"), shares, 1e-5);
  expect_near(SuiteRun("layernorm_128").floats("Rxa"), first_bytes, 1e-4);
}

TEST(Suite, ReducesAndScansABlockThroughSharedMemory) {
  const Words in = inputs();
  const SuiteRun reduced("block_reduce");
  EXPECT_EQ(reduced.words("Rvalue")[0], sum_of(in, 0, kThreads));
  EXPECT_EQ(reduced.trace().shared_bytes, 32u);
  EXPECT_EQ(SuiteRun("block_scan").words("Rvalue"),
            expected([&](unsigned t) { return sum_of(in, 0, t + 1); }));
}

TEST(Suite, GivesEveryOddThreadAPlaceOfItsOwn) {
  const Words in = inputs();
  const SuiteRun run("atomic_aggregate");
  const Words all = run.words("Rplace");
  Words places;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if ((in[thread] & 1) != 0) places.push_back(all[thread]);
  }
  EXPECT_EQ(run.counter(), places.size());
  std::sort(places.begin(), places.end());
  for (size_t place = 0; place < places.size(); ++place) ASSERT_EQ(places[place], place);
}

TEST(Suite, TakesDerivativesWithinQuads) {
  const Words in = inputs();
  const auto byte = [&](unsigned thread) { return 1.0 * (in[thread] & 0xFF); };
  Floats dx(kThreads);
  Floats dy(kThreads);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    dx[thread] = byte(thread | 1) - byte(thread & ~1u);
    dy[thread] = byte(thread | 2) - byte(thread & ~2u);
  }
  const SuiteRun run("quad_derivatives");
  expect_near(run.floats("Rdx"), dx, 0);
  expect_near(run.floats("Rdy"), dy, 0);
}

TEST(Suite, GathersFromTheLanesThatTheDataChoose) {
  const Words in = inputs();
  EXPECT_EQ(SuiteRun("random_gather").words("Rfrom"), expected([&](unsigned t) {
              unsigned lane = lane_of(t);
              for (int step = 5; step >= 0; --step) lane = in[warp_base(t) + lane] >> 5 * step & 31;
              return lane;
            }));
}

TEST(Suite, ShufflesWithinSegmentsOfEveryWidth) {
  const Words in = inputs();
  EXPECT_EQ(SuiteRun("segmented_widths").words("Rsum"), expected([&](unsigned t) {
              uint32_t sum = 0;
              for (unsigned width = 2; width <= 16; width *= 2) {
                const unsigned first = t / width * width;
                const unsigned last = first + width - 1;
                sum += in[first + 1] + in[std::max(t, first + 1) - 1];
                sum += in[std::min(t + 1, last)] + in[t ^ (width - 1)];
              }
              return sum + in[t / 8 * 8 + (in[t] >> 8 & 7)];
            }));
}

TEST(Suite, NeverReadsALaneThatDoesNotExecute) {
  for (const char* name : {"block_reduce", "block_scan", "atomic_aggregate", "random_gather"}) {
    const SuiteRun run(name);  // the range below lives as long as it does
    for (const isa::LaneMap& map : run.trace().lane_maps) {
      EXPECT_EQ(map.undefined, 0u) << name;
    }
  }
}

}  // namespace suite_test
}  // namespace shflsim::traces
