// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/import.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "isa/base/input_error.h"
#include "traces/accel_sim/code.h"
#include "traces/accel_sim/roughly_timed.h"
#include "traces/accel_sim/step_store.h"
#include "traces/accel_sim/traceg.h"
#include "traces/trace_format.h"

namespace shflsim::traces {
namespace {

constexpr uint64_t kMostRegisters = 255;
constexpr uint64_t kMostSharedBytes = 1u << 20;

/// Imports a trace while it is read.
class Import final : public TracegSink {
 public:
  Import(const std::string& path, UnknownLanes unknown)
      : reader_(path),
        unknown_(std::move(unknown)),
        steps_(std::make_shared<StepStore>(
            path, static_cast<uint32_t>(reader_.header().block().count()))) {
    reader_.read(this);
    if (lines_.empty()) throw InputError({path}, "no instruction in it; expected thread blocks");
  }

  Trace trace();
  LaunchShape shape() const;

  void begin_warp(uint32_t block, uint32_t warp) override;
  void end_block() override { ++blocks_; }
  void add_instruction(const TracegInstruction& instruction) override;
  void step(const TracegStep& step) override;

 private:
  /// An instruction with its counts, and for a SHFL its lanes.
  struct Line {
    TracegInstruction instruction;
    uint64_t executions = 0;  ///< warp instructions
    bool shuffles = false;
    TracedShuffle shuffle;
    isa::LaneMap map;      ///< the last map
    uint64_t guesses = 0;  ///< executions with assumed lanes
    Finding first_guess;   ///< the first of these, with the lanes of all
  };
  const isa::LaneMap& map_of(Line* line, isa::LaneMask mask);
  std::vector<uint32_t> in_order() const;
  isa::Code code(const std::vector<uint32_t>& order);
  std::vector<Finding> findings(const std::vector<uint32_t>& order) const;
  void warn_of_missing_blocks(isa::Code* code) const;

  TracegReader reader_;
  UnknownLanes unknown_;
  std::shared_ptr<StepStore> steps_;
  std::vector<Line> lines_;  ///< by number, in the order of first occurrence
  std::vector<WarpTrace> warps_;
  uint64_t blocks_ = 0;
  uint64_t guesses_of_warp_ = 0;
};

void Import::begin_warp(uint32_t block, uint32_t warp) {
  warps_.emplace_back();
  warps_.back().block = block;
  warps_.back().warp = warp;
  guesses_of_warp_ = 0;
  steps_->begin_warp(warp);
}

void Import::add_instruction(const TracegInstruction& instruction) {
  Line& line = lines_.emplace_back();
  line.instruction = instruction;
  line.shuffles = is_shuffle(instruction);
  if (line.shuffles) line.shuffle = traced_shuffle(instruction);
  steps_->add_instruction(line.shuffles);
}

void Import::step(const TracegStep& step) {
  Line& line = lines_[step.instruction];
  ++line.executions;
  const isa::LaneMap* const map =
      line.shuffles && step.mask != 0 ? &map_of(&line, step.mask) : nullptr;
  steps_->add(step.instruction, step.mask, map,
              step.accesses && !line.shuffles ? &step.addresses : nullptr);
}

const isa::LaneMap& Import::map_of(Line* line, isa::LaneMask mask) {
  const bool is_known = line->shuffle.operands.has_value();
  const bool repeats = line->map.executing == mask && (is_known || unknown_.repeats());
  if (is_known && !repeats) {
    isa::LaneValues index;
    isa::LaneValues clamp;
    index.fill(line->shuffle.operands->index);
    clamp.fill(line->shuffle.operands->clamp);
    line->map = isa::lane_map(line->shuffle.mode, index, clamp, mask);
  }
  if (is_known) return line->map;
  if (line->guesses++ == 0) line->first_guess = {0, warps_.back().block, warps_.back().warp, 0, ""};
  line->first_guess.lanes |= mask;
  const uint64_t count = guesses_of_warp_++;
  if (!repeats) line->map = unknown_.map(mask, count);
  return line->map;
}

/// The numbers of the instructions in the order of their PCs.
std::vector<uint32_t> Import::in_order() const {
  std::vector<uint32_t> order(lines_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
    return lines_[a].instruction < lines_[b].instruction;
  });
  return order;
}

isa::Code Import::code(const std::vector<uint32_t>& order) {
  const TracegHeader& header = reader_.header();
  isa::Code code;
  code.name = header.kernel_name();
  code.arch = header.is_before_volta() ? isa::Arch::kSm50 : isa::Arch::kSm70;
  code.has_control = false;
  code.warnings = header.warnings();
  code.registers = static_cast<unsigned>(
      header.limit("nregs", kMostRegisters, "registers a thread", &code.warnings));
  RoughlyTimed rough;
  for (const uint32_t number : order) {
    const Line& line = lines_[number];
    code.lines.push_back(traced_line(code.family(), line.instruction));
    rough.add(line.instruction, code.lines.back(), line.executions);
    code.lines.back().footprint.for_each_read(
        [&code](unsigned index) { code.registers = std::max(code.registers, index + 1); });
  }
  const std::vector<std::string> warnings = rough.warnings();
  code.warnings.insert(code.warnings.end(), warnings.begin(), warnings.end());
  warn_of_missing_blocks(&code);
  return code;
}

void Import::warn_of_missing_blocks(isa::Code* code) const {
  const uint64_t blocks = reader_.header().grid().count();
  if (blocks_ == blocks) return;
  code->warnings.push_back("warning: " + std::to_string(blocks_) + " of the grid's " +
                           std::to_string(blocks) + " blocks are there; only these are timed");
}

/// Findings for SHFLs with assumed lanes, one for each text: how many, and the first place.
std::vector<Finding> Import::findings(const std::vector<uint32_t>& order) const {
  struct Group {
    Finding finding;
    uint64_t shuffles = 0;
    uint64_t guesses = 0;
  };
  std::vector<Group> groups;
  for (uint32_t index = 0; index < order.size(); ++index) {
    const Line& line = lines_[order[index]];
    if (line.guesses == 0) continue;
    const isa::LaneMask lanes = line.first_guess.lanes;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [lanes](const Group& each) { return each.finding.lanes == lanes; });
    if (group == groups.end()) {
      group = groups.insert(group, {line.first_guess, 0, 0});
      group->finding.index = index;
    }
    ++group->shuffles;
    group->guesses += line.guesses;
  }
  std::vector<Finding> found;
  for (const Group& group : groups) {
    found.push_back(group.finding);
    const std::string others =
        group.shuffles == 1 ? "" : " (like " + std::to_string(group.shuffles - 1) + " more SHFL)";
    found.back().what = kGuessedLanes + others + "; " + unknown_.text() + " was taken for " +
                        std::to_string(group.guesses) + " warp instructions";
  }
  return found;
}

Trace Import::trace() {
  const std::vector<uint32_t> order = in_order();
  Trace trace;
  trace.code = code(order);
  trace.blocks = static_cast<uint32_t>(reader_.header().grid().count());
  trace.threads_per_block = static_cast<uint32_t>(reader_.header().block().count());
  trace.shared_bytes = static_cast<uint32_t>(reader_.header().limit(
      "shmem", kMostSharedBytes, "bytes of shared memory", &trace.code.warnings));
  trace.warps = std::move(warps_);
  trace.findings = findings(order);
  std::vector<uint32_t> indices(order.size());
  for (uint32_t index = 0; index < order.size(); ++index) indices[order[index]] = index;
  steps_->finish(std::move(indices));
  trace.source = steps_;
  return trace;
}

LaunchShape Import::shape() const {
  const std::string prefix = kTracegNote;
  LaunchShape shape;
  shape.grid = reader_.header().grid();
  shape.block = reader_.header().block();
  for (const auto& [key, value] : reader_.header().values()) shape.notes[prefix + key] = value;
  if (reader_.lists_addresses()) shape.notes[prefix + "address lists"] = "1";
  unsigned immediates = 0;
  for (const Line& line : lines_) {
    const TracegInstruction& instruction = line.instruction;
    immediates = std::max(immediates, instruction.immediates);
    if (instruction.has_commit) shape.notes[prefix + "commit groups"] = "1";
    if (instruction.has_values) shape.notes[prefix + "values"] = "1";
    if (is_bulk_copy(instruction)) shape.notes[prefix + "bulk copies"] = instruction.opcode;
  }
  if (immediates != 0) shape.notes[prefix + "immediates"] = std::to_string(immediates);
  std::string lines;
  std::string widths;
  for (const uint32_t number : in_order()) {
    lines += std::to_string(lines_[number].instruction.line) + " ";
    widths += std::to_string(lines_[number].instruction.width) + " ";
  }
  shape.notes[prefix + "source lines"] = lines;
  shape.notes[prefix + "widths"] = widths;
  return shape;
}

}  // namespace

Trace open_traceg(const std::string& path, UnknownLanes unknown, LaunchShape* shape) {
  Import import(path, std::move(unknown));
  *shape = import.shape();
  return import.trace();
}

namespace {

std::string name_in(const std::string& path) {
  TextLines lines(path);
  return TracegHeader(&lines).kernel_name();
}

Trace open_traceg_launch(const std::string& path, const TraceChoice& choice, LaunchShape* shape) {
  Trace trace = open_traceg(path, UnknownLanes(choice.unknown_lanes), shape);
  if (!choice.kernel.empty() && choice.kernel != trace.code.name)
    throw InputError({path},
                     "no kernel '" + choice.kernel + "'; expected '" + trace.code.name + "'");
  return trace;
}

const bool import_registered = TraceFormats::add(
    {"traceg", "Accel-Sim's kernel trace of tracer version 1 to 6, plain, .xz, .gz or .tracez",
     [](const std::string& path) { return looks_like_traceg(first_line(path)); },
     [](const std::string& path) -> std::vector<std::string> { return {name_in(path)}; },
     open_traceg_launch, true});

}  // namespace
}  // namespace shflsim::traces
