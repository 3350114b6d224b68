// SPDX-License-Identifier: Apache-2.0
#include "traces/region.h"

#include <algorithm>
#include <cstdlib>

#include "isa/base/input_error.h"

namespace shflsim::traces {
namespace {

using Lines = std::vector<isa::CodeLine>;
constexpr uint32_t kSubPartitions = 4;
constexpr uint32_t kWordBytes = 4;

/// A loop; the members are indices into the kernel's code.
struct Loop {
  size_t start = 0;  ///< target of the back edge
  size_t first = 0;  ///< first clock read
  size_t back = 0;   ///< the back edge; the second clock read if there is no loop
  size_t end = 0;    ///< index after the last replayed instruction
  uint32_t iterations = 1;
};

size_t index_at(const Lines& code, int64_t address) {
  const auto found = std::find_if(code.begin(), code.end(), [address](const auto& instruction) {
    return instruction.address == address;
  });
  return static_cast<size_t>(found - code.begin());
}

Loop find_loop(const isa::Code& kernel, uint32_t iterations, bool epilogue) {
  const Lines& code = kernel.lines;
  const auto reads_clock = [](const isa::CodeLine& i) { return i.is_clock_read; };
  const auto first = std::find_if(code.begin(), code.end(), reads_clock);
  const auto second =
      first == code.end() ? first : std::find_if(first + 1, code.end(), reads_clock);
  if (second == code.end())
    throw InputError("kernel '" + kernel.name +
                     "' has no region; expected two reads of SR_CLOCKLO");
  Loop loop;
  loop.start = loop.first = static_cast<size_t>(first - code.begin());
  loop.back = static_cast<size_t>(second - code.begin());
  loop.end = loop.back + 1;
  const auto back = std::find_if(second, code.end(), [&first](const isa::CodeLine& i) {
    return i.target >= 0 && i.target < first->address;
  });
  if (back == code.end()) return loop;
  loop.start = index_at(code, back->target);
  loop.back = static_cast<size_t>(back - code.begin());
  loop.iterations = iterations;
  const auto exit = std::find_if(back, code.end(), [](const auto& i) { return i.is_exit(); });
  loop.end = epilogue ? static_cast<size_t>(exit - code.begin()) : loop.back + 1;
  return loop;
}

class RegionTracer {
 public:
  RegionTracer(const isa::Code& kernel, const RegionOptions& options)
      : code_(kernel.lines),
        options_(options),
        loop_(find_loop(kernel, options.iterations, options.epilogue)) {
    payloads_.assign(code_.size(), Step::kNone);
    trace_.code = kernel;
    for (size_t i = 0; i < code_.size(); ++i) add(i);
  }

  Trace trace() {
    const std::vector<Step> active = active_steps();
    const std::vector<Step> idle = idle_steps();
    const uint32_t rows = options_.one_sub_partition ? kSubPartitions : 1;
    const uint32_t warps = options_.warps * rows;
    for (uint32_t w = 0; w < warps; ++w) {
      WarpTrace warp;
      warp.warp = w;
      warp.start = uint64_t{options_.skew} * (w / kSubPartitions) +
                   uint64_t{options_.row_skew} * (w % kSubPartitions) / (kSubPartitions - 1);
      const bool is_idle = options_.one_sub_partition && w % kSubPartitions != 0;
      warp.steps = is_idle ? idle : active;
      warp.addresses = addresses_;
      trace_.warps.push_back(warp);
    }
    trace_.threads_per_block = warps * isa::kLanes;
    return std::move(trace_);
  }

 private:
  void add(size_t index) {
    const isa::CodeLine& listed = code_[index];
    if (listed.is_shuffle()) payloads_[index] = lane_map_of(listed);
    if (listed.accesses_shared) payloads_[index] = addresses_of(listed);
    if (listed.matches_any) payloads_[index] = values_of(listed);
  }

  uint32_t lane_map_of(const isa::CodeLine& listed) {
    const isa::ShuffleOperands& shuffle = listed.shuffle;
    isa::LaneValues index = options_.lanes;
    if (!shuffle.index_is_register) index.fill(shuffle.index);
    isa::LaneValues clamp;
    clamp.fill(shuffle.clamp);
    if (shuffle.clamp_is_register)
      clamp.fill(shuffle.mode == isa::ShuffleMode::kUp ? 0 : isa::kWidestClamp);
    const isa::LaneMap map = isa::lane_map(shuffle.mode, index, clamp, isa::kAllLanes);
    const auto known = std::find(trace_.lane_maps.begin(), trace_.lane_maps.end(), map);
    const auto at = static_cast<uint32_t>(known - trace_.lane_maps.begin());
    if (known == trace_.lane_maps.end()) trace_.lane_maps.push_back(map);
    return at;
  }

  uint32_t addresses_of(const isa::CodeLine& listed) {
    const auto base = options_.bases.find(listed.address_register);
    const SharedPattern pattern = base == options_.bases.end() ? options_.shared : base->second;
    const uint32_t width = listed.access_bytes;
    LaneAddresses lanes{};
    for (uint32_t lane = 0; lane < isa::kLanes; ++lane)
      lanes[lane] =
          pattern.stride == 0 ? 0 : uint64_t{lane} * std::max(kWordBytes * pattern.stride, width);
    return place_of(lanes);
  }

  /// The values that the lanes compare.
  uint32_t values_of(const isa::CodeLine& listed) {
    const auto base = options_.bases.find(listed.footprint.reads[0].index);
    const uint32_t values = base == options_.bases.end() ? 1 : base->second.values;
    LaneAddresses lanes{};
    for (uint32_t lane = 0; lane < isa::kLanes; ++lane) lanes[lane] = lane % values;
    return place_of(lanes);
  }

  uint32_t place_of(const LaneAddresses& lanes) {
    const auto known = std::find(addresses_.begin(), addresses_.end(), lanes);
    const auto at = static_cast<uint32_t>(known - addresses_.begin());
    if (known == addresses_.end()) addresses_.push_back(lanes);
    return at;
  }

  void append(size_t begin, size_t end, std::vector<Step>* steps) const {
    for (size_t i = begin; i < end; i = following(i))
      steps->push_back({static_cast<uint32_t>(i), isa::kAllLanes, payloads_[i]});
  }

  /// The next instruction; an unguarded forward jump is taken.
  size_t following(size_t index) const {
    const isa::CodeLine& listed = code_[index];
    const bool jumps = !listed.is_guarded && listed.target > listed.address;
    return jumps ? index_at(code_, listed.target) : index + 1;
  }

  std::vector<Step> active_steps() const {
    std::vector<Step> steps;
    for (uint32_t i = 0; i < loop_.iterations; ++i) append(loop_.start, loop_.back + 1, &steps);
    append(loop_.back + 1, loop_.end, &steps);
    return steps;
  }

  /// A guarded branch before the region leads idle warps past it; without such a branch they exit.
  std::vector<Step> idle_steps() const {
    size_t skip = loop_.start;
    while (skip < loop_.first && !(code_[skip].is_guarded && code_[skip].target >= 0)) ++skip;
    std::vector<Step> steps;
    const size_t target = skip < loop_.first ? index_at(code_, code_[skip].target) : code_.size();
    if (target > loop_.back) append(loop_.back, loop_.back + 1, &steps);
    for (uint32_t i = 0; i < loop_.iterations && target <= loop_.back; ++i) {
      append(loop_.start, skip + 1, &steps);
      append(target, loop_.back + 1, &steps);
    }
    append(loop_.back + 1, loop_.end, &steps);
    return steps;
  }

  const Lines& code_;
  const RegionOptions& options_;
  const Loop loop_;
  std::vector<uint32_t> payloads_;  ///< by index into the code
  std::vector<LaneAddresses> addresses_;
  Trace trace_;
};

}  // namespace

namespace {

/// The number behind `word`, and perhaps a colon; 0 if the text is something else.
unsigned long number_behind(const std::string& word, const std::string& text) {
  if (text.rfind(word, 0) != 0) return 0;
  const size_t digits = text.rfind(word + ":", 0) == 0 ? word.size() + 1 : word.size();
  const bool is_number =
      text.size() > digits && text.find_first_not_of("0123456789", digits) == std::string::npos;
  return is_number ? std::strtoul(text.c_str() + digits, nullptr, 10) : 0;
}

}  // namespace

SharedPattern shared_pattern(const std::string& text, const std::string& where) {
  for (const char* own_word : {"", "row", "chase", "block"}) {
    if (text == own_word) return {};
  }
  SharedPattern pattern;
  if (text == "same") {
    pattern.stride = 0;
    return pattern;
  }
  const unsigned long stride = number_behind("stride", text);
  const unsigned long values = number_behind("values", text);
  const bool has_stride = stride != 0 && stride <= 4096;
  if (!has_stride && (values == 0 || values > isa::kLanes))
    throw InputError(
        where + " '" + text +
        "' is no pattern; expected row, same, chase, block, stride:N with N 1 to 4096, or "
        "values:N with N 1 to 32");
  (has_stride ? pattern.stride : pattern.values) =
      static_cast<uint32_t>(has_stride ? stride : values);
  return pattern;
}

Trace region_trace(const isa::Code& kernel, const RegionOptions& options) {
  return RegionTracer(kernel, options).trace();
}

}  // namespace shflsim::traces
