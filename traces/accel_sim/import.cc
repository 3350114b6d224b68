// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/import.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "isa/input_error.h"
#include "traces/accel_sim/code.h"
#include "traces/shft/reader.h"
#include "traces/shft/writer.h"
#include "traces/trace_format.h"

namespace shflsim::traces {
namespace {

constexpr uint64_t kMostRegisters = 255;
constexpr uint64_t kMostSharedBytes = 1u << 20;
constexpr uint64_t kMostBinaryVersion = 999;
constexpr uint64_t kVolta = 70;

using Numbers = std::map<TracegInstruction, uint32_t>;

/// First reading: which instructions there are, and how the file was written.
class CodeCollector final : public TracegSink {
 public:
  void begin_warp(uint32_t /*block*/, uint32_t /*warp*/) override {}
  void end_block() override {}
  void step(const TracegInstruction& instruction, const TracegStep& step) override {
    numbers_.emplace(instruction, 0);
    has_immediates_ |= instruction.has_immediate;
    lists_addresses_ |= step.lists_addresses;
  }

  /// By PC, numbered in that order.
  const Numbers& numbered() {
    uint32_t next = 0;
    for (auto& [instruction, number] : numbers_) number = next++;
    return numbers_;
  }
  bool has_immediates() const { return has_immediates_; }
  bool lists_addresses() const { return lists_addresses_; }

 private:
  Numbers numbers_;
  bool has_immediates_ = false;
  bool lists_addresses_ = false;
};

/// Second reading: the steps.
class StepWriter final : public TracegSink {
 public:
  StepWriter(const Numbers& numbers, UnknownLanes* unknown, ShftWriter* out)
      : numbers_(numbers), unknown_(*unknown), out_(*out), shuffles_(numbers.size()) {
    for (const auto& [instruction, number] : numbers) {
      if (is_shuffle(instruction)) shuffles_[number] = traced_shuffle(instruction).operands;
    }
  }

  void begin_warp(uint32_t block, uint32_t warp) override {
    warp_ = out_.begin_warp(block, warp, 0);
    guesses_of_warp_ = 0;
    block_ = block;
    number_in_block_ = warp;
  }
  void end_block() override { out_.end_warps(); }
  void step(const TracegInstruction& instruction, const TracegStep& step) override {
    const uint32_t number = numbers_.find(instruction)->second;
    const bool shuffles = is_shuffle(instruction);
    isa::LaneMap map;
    if (shuffles && step.mask != 0) map = map_of(instruction, number, step.mask);
    out_.add(warp_, number, step.mask, shuffles ? &map : nullptr,
             instruction.width != 0 && !shuffles ? &step.addresses : nullptr);
  }

  /// For each SHFL whose lanes had to be chosen: how often, where first and for which lanes.
  std::vector<Finding> findings() const {
    std::vector<Finding> found;
    for (const auto& [number, guess] : guesses_) {
      found.push_back(guess.first);
      found.back().what = "has lanes that the trace does not say; " + unknown_.text() +
                          " was taken for " + std::to_string(guess.count) + " warp instructions";
    }
    return found;
  }

 private:
  struct Guess {
    Finding first;
    uint64_t count = 0;
  };
  isa::LaneMap map_of(const TracegInstruction& instruction, uint32_t number, isa::LaneMask mask) {
    if (shuffles_[number]) {
      isa::LaneValues index;
      isa::LaneValues clamp;
      index.fill(shuffles_[number]->index);
      clamp.fill(shuffles_[number]->clamp);
      return isa::lane_map(mode_in(instruction.opcode).value(), index, clamp, mask);
    }
    Guess& guess = guesses_.try_emplace(number).first->second;
    if (guess.count++ == 0) guess.first = {number, block_, number_in_block_, 0, ""};
    guess.first.lanes |= mask;
    return unknown_.map(mask, guesses_of_warp_++);
  }

  const Numbers& numbers_;
  UnknownLanes& unknown_;
  ShftWriter& out_;
  std::vector<std::optional<TracedShuffle::Operands>> shuffles_;  ///< by number: known ones
  size_t warp_ = 0;
  uint64_t guesses_of_warp_ = 0;
  uint32_t block_ = 0;
  uint32_t number_in_block_ = 0;
  std::map<uint32_t, Guess> guesses_;  ///< by number of the instruction
};

/// The tracer's binary version is the chip's compute capability times ten.
isa::Family family_of(const TracegReader& in) {
  const char* const key = "binary version";
  const bool is_older =
      in.header().count(key) != 0 && in.header_number(key, kMostBinaryVersion) < kVolta;
  return is_older ? isa::Family::kMaxwell : isa::Family::kVolta;
}

Trace code_of(const TracegReader& in, const Numbers& numbers) {
  Trace trace;
  isa::Code& code = trace.code;
  code.name = in.header().at("kernel name");
  code.family = family_of(in);
  code.has_control = false;
  code.registers = static_cast<unsigned>(in.header_number("nregs", kMostRegisters));
  for (const auto& [instruction, number] : numbers) {
    code.lines.push_back(traced_line(code.family, instruction));
    for (unsigned i = 0; i < code.lines.back().footprint.read_count; ++i)
      code.registers = std::max(code.registers, code.lines.back().footprint.reads[i].index + 1u);
  }
  trace.blocks = static_cast<uint32_t>(in.grid().count());
  trace.threads_per_block = static_cast<uint32_t>(in.block().count());
  return trace;
}

LaunchShape shape_of(const TracegReader& in, CodeCollector* code) {
  LaunchShape shape;
  shape.grid = in.grid();
  shape.block = in.block();
  for (const auto& [key, value] : in.header()) shape.notes[kTracegNote + key] = value;
  if (code->has_immediates()) shape.notes[std::string(kTracegNote) + "immediates"] = "1";
  if (code->lists_addresses()) shape.notes[std::string(kTracegNote) + "address lists"] = "1";
  std::string lines;
  std::string widths;
  for (const auto& [instruction, number] : code->numbered()) {
    lines += std::to_string(instruction.line) + " ";
    widths += std::to_string(instruction.width) + " ";
  }
  shape.notes[std::string(kTracegNote) + "source lines"] = lines;
  shape.notes[std::string(kTracegNote) + "widths"] = widths;
  return shape;
}

}  // namespace

void import_traceg(const std::string& path, const std::string& shft, UnknownLanes unknown) {
  TracegReader in(path);
  CodeCollector code;
  in.read(&code);
  const Numbers& numbers = code.numbered();
  if (numbers.empty()) throw InputError({path}, "no instruction in it; expected thread blocks");
  const Trace trace = code_of(in, numbers);
  ShftWriter out(shft, trace, shape_of(in, &code));
  StepWriter steps(numbers, &unknown, &out);
  TracegReader(path).read(&steps);
  out.finish(static_cast<uint32_t>(in.header_number("shmem", kMostSharedBytes)), steps.findings());
}

Trace open_traceg(const std::string& path, const std::string& unknown_lanes, LaunchShape* shape) {
  const UnknownLanes unknown(unknown_lanes);
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("shflsim." + std::to_string(getpid()));
  try {
    import_traceg(path, file.string(), unknown);
    Trace trace = open_shft(file.string(), shape);
    std::filesystem::remove(file);  // it stays readable while it is open
    return trace;
  } catch (...) {
    std::filesystem::remove(file);
    throw;
  }
}

namespace {

std::string name_in(const std::string& path) {
  return TracegReader(path).header().at("kernel name");
}

Trace open_launch(const std::string& path, const TraceChoice& choice, LaunchShape* shape) {
  const std::string name = name_in(path);
  if (!choice.kernel.empty() && choice.kernel != name)
    throw InputError({path}, "no kernel '" + choice.kernel + "'; expected '" + name + "'");
  return open_traceg(path, choice.unknown_lanes, shape);
}

const bool registered = TraceFormats::add(
    {"traceg", "Accel-Sim's kernel trace of tracer version 3 to 5, plain or .xz",
     [](const std::string& path) { return looks_like_traceg(first_line(path)); },
     [](const std::string& path) -> std::vector<std::string> { return {name_in(path)}; },
     open_launch});

}  // namespace
}  // namespace shflsim::traces
