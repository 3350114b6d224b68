// SPDX-License-Identifier: Apache-2.0
// The program's own traces: read, walked and, if they are small, timed. Most changes are made to
// the content of the sections, and the file is put together again; the others are made to the
// file's bytes.
#include <algorithm>
#include <cstring>
#include <random>

#include "model/run.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/shft_parts.h"
#include "tests/fuzz/use_trace.h"

namespace {

using namespace shflsim;

constexpr uint64_t kMostTimedSteps = 2000;

/// Steps that match no barrier can cause a deadlock.
void walk_and_time(const traces::Trace& trace) {
  if (fuzz::walk(trace) > kMostTimedSteps) return;
  model::ConfigLayers layers;
  layers.add_file(trace.code.family() == isa::Family::kMaxwell ? "gm107" : "gh100");
  try {
    model::run(trace, layers);
  } catch (const model::Deadlock&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::MemoryFile file(fuzz::text_of(data, size));
  fuzz::use_trace_file(file.path(), "shft", walk_and_time);
  return 0;
}

#ifdef SHFLSIM_LIBFUZZER

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace {

using fuzz::ShftParts;

void change(std::string* bytes) {
  const size_t size = bytes->size();
  bytes->resize(size + 64);
  bytes->resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes->data()), size, bytes->size()));
}

uint64_t changed_number(uint64_t number, std::mt19937* random) {
  switch ((*random)() % 4) {
    case 0: return number + 1;
    case 1: return number - 1;
    case 2: return number ^ uint64_t { 1 } << (*random)() % 64;
    default: return (*random)();
  }
}

void change(ShftParts::Steps* steps, std::mt19937* random) {
  if (steps->segments.empty() || (*random)() % 4 != 0) return change(&steps->raw);
  ShftParts::Segment& segment = steps->segments[(*random)() % steps->segments.size()];
  uint64_t* const numbers[] = {&segment.warp, &segment.steps, &segment.bytes};
  uint64_t* const number = numbers[(*random)() % std::size(numbers)];
  *number = changed_number(*number, random);
}

void change(ShftParts* parts, std::mt19937* random) {
  switch ((*random)() % 8) {
    case 0: return change(&parts->head);
    case 1:
      if (!parts->sections.empty()) parts->sections.push_back(parts->sections.front());
      return;
    case 2:
    case 3: return change(&parts->program);
    default:
      if (parts->sections.empty()) return;
      return change(&parts->sections[(*random)() % parts->sections.size()], random);
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  std::mt19937 random(seed);
  std::optional<ShftParts> parts;
  if (random() % 8 != 0) parts = fuzz::parts_of(fuzz::text_of(data, size));
  if (!parts.has_value()) return LLVMFuzzerMutate(data, size, most);
  for (size_t changes = 1 + random() % 3; changes > 0; --changes) change(&*parts, &random);
  const std::string file = fuzz::file_of(*parts);
  if (file.size() > most) return size;
  std::memcpy(data, file.data(), file.size());
  return file.size();
}

#endif
