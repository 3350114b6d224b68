// SPDX-License-Identifier: Apache-2.0
// The counted lane moves of a run: a profile (traces/lane_profile.h) of one family, named by the
// kernel without its template arguments. The operations before and after a SHFL are found in the
// order of addresses: the last instruction before it that writes the moved register, and the first
// one after it that reads its result.
#include <algorithm>
#include <map>
#include <tuple>

#include "isa/base/demangled.h"
#include "report/run/view.h"
#include "traces/lane_profile.h"

namespace shflsim::report {
namespace {

using isa::CodeLine;

bool writes_register(const CodeLine& line, unsigned index) {
  const isa::Footprint& its = line.footprint;
  return index >= its.first_write && index < unsigned{its.first_write} + its.write_count;
}

bool reads_register(const CodeLine& line, unsigned index) {
  bool reads = false;
  line.footprint.for_each_read([&](unsigned each) { reads = reads || each == index; });
  return reads;
}

/// The last operation before the SHFL that writes its moved register; "" if there is none.
std::string operation_before(const isa::Code& code, size_t shuffle) {
  const isa::Footprint& its = code.lines[shuffle].footprint;
  if (its.read_count == 0) return "";
  for (size_t line = shuffle; line-- > 0;) {
    if (writes_register(code.lines[line], its.reads[0].index)) return code.lines[line].name;
  }
  return "";
}

/// The first operation after the SHFL that reads its result; "" if there is none before another
/// instruction overwrites it.
std::string operation_after(const isa::Code& code, size_t shuffle) {
  const isa::Footprint& its = code.lines[shuffle].footprint;
  if (its.write_count == 0) return "";
  for (size_t line = shuffle + 1; line < code.lines.size(); ++line) {
    if (reads_register(code.lines[line], its.first_write)) return code.lines[line].name;
    if (writes_register(code.lines[line], its.first_write)) return "";
  }
  return "";
}

class LaneMoves final : public View, public model::Observer {
 public:
  model::Observer* observer() override { return this; }

  std::shared_ptr<void> elaborate(const traces::Trace& trace,
                                  const model::RunResult& /*result*/) override {
    code_ = &trace.code;
    return nullptr;
  }
  void issued(const model::ResidentWarp& /*warp*/, const model::Issue& issue) override {
    if (code_->lines[issue.index].is_shuffle()) ++counts_[{issue.index, issue.payload}];
  }

  std::string content(const Run& run) override {
    traces::LaneProfile profile;
    profile.source = run.origin.input.empty() ? run.trace.code.name : run.origin.input;
    for (const std::string& argument : run.origin.arguments) profile.source += " " + argument;
    profile.arch = run.trace.code.arch;
    const std::string name = isa::function_name(isa::demangled(run.trace.code.name));
    profile.families.push_back({name, 1, moves_of(run.trace)});
    return traces::text_of(profile);
  }

 private:
  std::vector<traces::CountedMove> moves_of(const traces::Trace& trace) const {
    std::map<std::tuple<std::string, std::string, std::string>, uint64_t> sums;
    for (const auto& [key, count] : counts_) {
      const auto& [index, map] = key;
      const isa::LaneMap its = map == traces::Step::kNone ? isa::LaneMap() : trace.maps()[map];
      sums[{traces::move_text(trace.code.lines[index].shuffle.mode, its),
            operation_before(trace.code, index), operation_after(trace.code, index)}] += count;
    }
    std::vector<traces::CountedMove> moves;
    for (const auto& [key, count] : sums)
      moves.push_back({count, std::get<0>(key), {}, std::get<1>(key), std::get<2>(key)});
    std::stable_sort(moves.begin(), moves.end(),
                     [](const auto& one, const auto& other) { return one.count > other.count; });
    return moves;
  }

  const isa::Code* code_ = nullptr;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> counts_;  ///< by line of code and lane map
};

const bool lanes_registered =
    Views::add<LaneMoves>("lanes", "lane moves with counts, for compare (docs/traffic.md)");

}  // namespace
}  // namespace shflsim::report
