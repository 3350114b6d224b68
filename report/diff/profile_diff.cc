// SPDX-License-Identifier: Apache-2.0
#include "report/diff/profile_diff.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>

#include "isa/base/input_error.h"
#include "report/diff/nsight_profile.h"
#include "report/run/json_fields.h"
#include "report/run/report.h"

namespace shflsim::report {
namespace {

/// Figures of a run and the metrics of Nsight Compute that count the same.
struct Counted {
  const char* figure;
  const char* metric;
  double factor;  ///< from the metric to the figure's unit
};
constexpr Counted kCounted[] = {
    {"cycles", "sm__cycles_active.max", 1},
    {"cycles", "sm__cycles_elapsed.max", 1},
    {"warp_instructions", "sm__inst_executed.sum", 1},
    {"warp_instructions", "smsp__inst_executed.sum", 1},
    {"ipc", "sm__inst_executed.avg.per_cycle_active", 1},
    {"issue_active", "smsp__issue_active.avg.pct_of_peak_sustained_active", 0.01},
    {"cycles_per_issue", "smsp__average_warp_latency_per_inst_issued.ratio", 1},
    {"shared_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 1},
    {"shared_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 1},
    {"l2_bytes", "lts__t_bytes.sum", 1},
    {"dram_bytes", "dram__bytes.sum", 1},
};

using PlaceAndState = std::pair<uint64_t, std::string>;
using Shares = std::map<PlaceAndState, double>;

/// The name without namespace and arguments: "ns::scan<int>(int*)", mangled or not, is "scan".
std::string simple_name(const std::string& kernel) {
  std::string name = kernel;
  if (kernel.rfind("_Z", 0) == 0) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(
        abi::__cxa_demangle(kernel.c_str(), nullptr, nullptr, &status), std::free);
    if (status == 0) name = plain.get();
  }
  const std::string nameless = "(anonymous namespace)::";
  for (size_t at = name.find(nameless); at != std::string::npos; at = name.find(nameless))
    name.erase(at, nameless.size());
  name = name.substr(0, name.find_first_of("(<"));
  const size_t blank = name.find_last_of(" :");
  return blank == std::string::npos ? name : name.substr(blank + 1);
}

/// The opcode of an instruction: "SHFL" of "@!P0 SHFL.UP P1, R0, R1, 0x1, 0x0".
std::string opcode_of(const std::string& text) {
  size_t at = text.find_first_not_of(" \t{");
  if (at != std::string::npos && text[at] == '@')
    at = text.find_first_not_of(" \t", text.find(' ', at));
  if (at == std::string::npos) return "";
  return text.substr(at, text.find_first_of(" .,;\t}", at) - at);
}

uint64_t address_of(const ResultPart& line) { return std::strtoull(line.pc.c_str(), nullptr, 16); }

double figure_of(const ResultPart& part, const std::string& key) {
  for (const auto& [name, value] : part.figures) {
    if (name == key) return number_of(value);
  }
  return NAN;
}

/// The first launch of this kernel in the file, and the number of its launches.
std::pair<NsightProfile, size_t> launch_of(const std::string& path, const ResultFile& run) {
  const std::vector<NsightProfile> all = read_nsight(path);
  const NsightProfile* first = nullptr;
  size_t launches = 0;
  std::set<std::string> names;
  for (const NsightProfile& profile : all) {
    names.insert(profile.kernel);
    if (!profile.kernel.empty() && simple_name(profile.kernel) != simple_name(run.kernel)) continue;
    if (first == nullptr) first = &profile;
    ++launches;
  }
  if (first == nullptr)
    throw InputError(
        {path}, fmt::format("is a profile of {}; expected one of {}, as {}", fmt::join(names, ", "),
                            simple_name(run.kernel), run.path.empty() ? "the run" : run.path));
  return {*first, launches};
}

/// True for instructions that fill the code after a kernel's end.
bool is_filler(const std::string& opcode) { return opcode == "NOP" || opcode == "BRA"; }

/// Instructions of both results, by address relative to the first instruction.
class AlignedCode {
 public:
  AlignedCode(const ResultFile& run, const NsightProfile& profile, const std::string& path)
      : run_(run), path_(path) {
    uint64_t first = ~uint64_t{0};
    for (const NsightProfile::Line& line : profile.lines) first = std::min(first, line.address);
    for (const ResultPart& line : run.instructions)
      modelled_[address_of(line) - address_of(run.instructions.front())] = &line;
    for (const NsightProfile::Line& line : profile.lines) add(line.address - first, line);
    for (const auto& [address, line] : modelled_) {
      if (pairs_.count(address) == 0 && !is_filler(opcode_of(line->name)))
        throw InputError({path_}, fmt::format("has no instruction at {}; expected {}, as {}{}",
                                              line->pc, line->name, of_run(), hint()));
    }
  }

  using Pair = std::pair<const ResultPart*, const NsightProfile::Line*>;
  const std::map<uint64_t, Pair>& pairs() const { return pairs_; }

 private:
  void add(uint64_t address, const NsightProfile::Line& line) {
    const auto found = modelled_.find(address);
    const std::string opcode = opcode_of(line.text);
    if (found == modelled_.end()) {
      if (is_filler(opcode)) return;
      throw InputError({path_, line.row, 1},
                       fmt::format("{} is behind the end of the code; expected {} instructions, as "
                                   "{}{}",
                                   line.text, modelled_.size(), of_run(), hint()));
    }
    if (opcode != opcode_of(found->second->name))
      throw InputError({path_, line.row, 1},
                       fmt::format("{} at {}; expected {}, as {}{}", line.text, found->second->pc,
                                   found->second->name, of_run(), hint()));
    pairs_[address] = {found->second, &line};
  }
  std::string of_run() const { return run_.path.empty() ? "the run" : run_.path; }
  std::string hint() const { return ": the profile is of other code of " + run_.kernel; }

  const ResultFile& run_;
  const std::string& path_;
  std::map<uint64_t, const ResultPart*> modelled_;
  std::map<uint64_t, Pair> pairs_;
};

Shares in_shares(const Shares& counts) {
  double sum = 0;
  for (const auto& [key, count] : counts) sum += count;
  Shares shares;
  for (const auto& [key, count] : counts) shares[key] = sum == 0 ? 0 : count / sum;
  return shares;
}

Shares states_of(const Shares& shares) {
  Shares states;
  for (const auto& [key, share] : shares) states[{0, key.second}] += share;
  return states;
}

/// The shares that either result has, the greatest differences first.
std::vector<ProfileShare> differences(const Shares& model, const Shares& profile) {
  std::map<PlaceAndState, ProfileShare> all;
  for (const auto& [key, share] : model) all[key].model = share;
  for (const auto& [key, share] : profile) all[key].profile = share;
  std::vector<std::pair<PlaceAndState, ProfileShare>> sorted;
  for (auto& [key, share] : all) {
    share.state = key.second;
    if (share.model != 0 || share.profile != 0) sorted.emplace_back(key, share);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second.difference()) > std::abs(b.second.difference());
  });
  std::vector<ProfileShare> shares;
  for (auto& [key, share] : sorted) {
    share.pc = std::to_string(key.first);
    shares.push_back(std::move(share));
  }
  return shares;
}

double distance_of(const std::vector<ProfileShare>& shares) {
  double sum = 0;
  for (const ProfileShare& share : shares) sum += std::abs(share.difference());
  return sum / 2;
}

void take_states(std::vector<ProfileShare> states, ProfileDiff* diff) {
  for (ProfileShare& state : states) state.pc.clear();
  diff->by_state = distance_of(states);
  diff->states = std::move(states);
}

void compare_source(const ResultFile& run, const NsightProfile& profile, ProfileDiff* diff) {
  const AlignedCode code(run, profile, diff->path);
  diff->aligned = code.pairs().size();
  const double once = code.pairs().begin()->second.second->issued;
  Shares model;
  Shares sampled;
  for (const auto& [address, pair] : code.pairs()) {
    if (diff->is_of_repeated && !(pair.second->issued > once)) continue;
    for (const auto& [key, value] : pair.first->figures) {
      if (key.rfind("stall_", 0) == 0 && !is_empty(value))
        model[{address, key.substr(6)}] = number_of(value);
    }
    for (const auto& [state, count] : pair.second->samples) {
      sampled[{address, state}] += count;
      diff->samples += static_cast<uint64_t>(count);
    }
  }
  const Shares model_shares = in_shares(model);
  const Shares sampled_shares = in_shares(sampled);
  diff->instructions = differences(model_shares, sampled_shares);
  for (ProfileShare& share : diff->instructions) {
    const ResultPart& line = *code.pairs().at(std::stoull(share.pc)).first;
    share.pc = line.pc;
    share.text = line.name;
  }
  diff->by_instruction = distance_of(diff->instructions);
  take_states(differences(states_of(model_shares), states_of(sampled_shares)), diff);
}

void compare_raw(const ResultFile& run, const NsightProfile& profile, ProfileDiff* diff) {
  const ResultPart& whole = run.parts.front();
  Shares model;
  Shares sampled;
  for (const auto& [key, value] : whole.figures) {
    if (key.rfind("stall_", 0) == 0 && !is_empty(value))
      model[{0, key.substr(6)}] = number_of(value);
  }
  const bool has_samples =
      std::any_of(profile.counters.begin(), profile.counters.end(), [](const auto& counter) {
        return counter.metric.rfind("smsp__pcsamp_", 0) == 0 &&
               !nsight_state(counter.metric).empty();
      });
  for (const NsightProfile::Counter& counter : profile.counters) {
    const std::string state = nsight_state(counter.metric);
    const bool is_sample = counter.metric.rfind("smsp__pcsamp_", 0) == 0;
    if (state.empty() || is_sample != has_samples) continue;
    sampled[{0, state}] += counter.value;
    if (is_sample) diff->samples += static_cast<uint64_t>(counter.value);
  }
  if (!sampled.empty()) take_states(differences(in_shares(model), in_shares(sampled)), diff);
  for (const Counted& counted : kCounted) {
    const double figure = figure_of(whole, counted.figure);
    for (const NsightProfile::Counter& counter : profile.counters) {
      if (counter.metric == counted.metric && !std::isnan(figure))
        diff->counters.push_back(
            {counted.figure, counter.metric, figure, counter.value * counted.factor});
    }
  }
}

}  // namespace

ProfileDiff profile_diff(const ResultFile& run, const std::string& path, bool repeated) {
  if (run.schema != "shflsim-run/2")
    throw InputError({run.path},
                     "is of " + run.schema + "; expected shflsim-run/2 beside a profile");
  const auto [profile, launches] = launch_of(path, run);
  ProfileDiff diff;
  diff.path = path;
  diff.kernel = profile.kernel;
  diff.launches = launches;
  diff.is_of_repeated = repeated;
  if (profile.lines.empty()) {
    if (repeated)
      throw InputError({path},
                       "--repeated: a raw page has no instructions; expected a source page");
    compare_raw(run, profile, &diff);
  } else {
    compare_source(run, profile, &diff);
  }
  return diff;
}

Document profile_document(const ResultFile& run, const ProfileDiff& diff) {
  Json json = {{"schema", "shflsim-profile/1"},
               {"version", tool_version()},
               {"run", {{"file", run.path}, {"title", run.title}}}};
  Json rows = Json::array();
  const auto add = [&](const char* part, const ProfileShare& share) {
    rows.push_back({{"part", part},
                    {"pc", share.pc},
                    {"text", share.text},
                    {"figure", share.state},
                    {"metric", ""},
                    {"model", share.model},
                    {"profile", share.profile},
                    {"difference", share.difference()}});
  };
  for (const ProfileShare& share : diff.states) add("state", share);
  for (const ProfileShare& share : diff.instructions) add("instruction", share);
  for (const ProfileCounter& counter : diff.counters) {
    rows.push_back({{"part", "counter"},
                    {"pc", ""},
                    {"text", ""},
                    {"figure", counter.figure},
                    {"metric", counter.metric},
                    {"model", counter.model},
                    {"profile", counter.profile},
                    {"difference", counter.model - counter.profile}});
  }
  const Json whole = profile_json(diff);
  for (const char* key : {"file", "kernel", "launches", "aligned", "samples", "repeated",
                          "by_state", "by_instruction"})
    json["profile"][key] = whole.at(key);
  json["differences"] = rows;
  return {json,
          "differences",
          {"part", "pc", "text", "figure", "metric", "model", "profile", "difference"}};
}

}  // namespace shflsim::report
