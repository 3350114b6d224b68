// SPDX-License-Identifier: Apache-2.0
#include "report/run/profile.h"

#include <fmt/format.h>

#include <cmath>

#include "report/run/json_fields.h"
#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

Json distance_json(const std::optional<double>& distance) {
  return distance ? Json(*distance) : Json();
}

Json share_json(const ProfileShare& share) {
  Json json = {{"state", share.state},
               {"model", share.model},
               {"profile", share.profile},
               {"difference", share.difference()}};
  if (share.pc.empty()) return json;
  json["pc"] = share.pc;
  json["text"] = share.text;
  return json;
}

std::string percent_text(double share) { return fmt::format("{:.1f}%", 100 * share); }

/// Writes rows of shares, with their instructions if they have any.
void write_shares(std::ostream& out, const std::vector<ProfileShare>& shares, size_t top) {
  TextColumn places{"address", true};
  TextColumn texts{"instruction", true, true};
  TextColumn states{"state", true};
  TextColumn model{"model"};
  TextColumn profile{"profile"};
  TextColumn difference{"model - profile"};
  for (const ProfileShare& share : shares) {
    if (states.cells.size() == top) break;
    places.cells.push_back(share.pc);
    texts.cells.push_back(share.text);
    states.cells.push_back(share.state);
    model.cells.push_back(percent_text(share.model));
    profile.cells.push_back(percent_text(share.profile));
    difference.cells.push_back(fmt::format("{:+.1f}", 100 * share.difference()));
  }
  const bool has_places = !shares.empty() && !shares.front().pc.empty();
  if (has_places) write_columns(out, {places, texts, states, model, profile, difference});
  if (!has_places) write_columns(out, {states, model, profile, difference});
}

void write_counters(std::ostream& out, const ProfileDiff& diff) {
  if (diff.counters.empty()) return;
  TextColumn figures{"figure", true};
  TextColumn model{"model"};
  TextColumn profile{"profile"};
  TextColumn percent{"of profile"};
  TextColumn metrics{"metric of the profile", true, true};
  for (const ProfileCounter& counter : diff.counters) {
    figures.cells.push_back(counter.figure);
    model.cells.push_back(fmt::format("{:.6g}", counter.model));
    profile.cells.push_back(fmt::format("{:.6g}", counter.profile));
    percent.cells.push_back(
        counter.profile == 0
            ? ""
            : fmt::format("{:+.1f}%", 100 * (counter.model / counter.profile - 1)));
    metrics.cells.push_back(counter.metric);
  }
  out << "\nCounters\n";
  write_columns(out, {figures, model, profile, percent, metrics});
}

std::string distances_text(const ProfileDiff& diff) {
  std::string text =
      fmt::format("distance of the shares of warp-cycles: by state {:.3f}", *diff.by_state);
  if (diff.by_instruction) text += fmt::format(", by instruction {:.3f}", *diff.by_instruction);
  return text + " (0: equal, 1: nothing in common)";
}

}  // namespace

Json profile_json(const ProfileDiff& diff) {
  Json json = {{"file", diff.path},
               {"kernel", diff.kernel},
               {"launches", diff.launches},
               {"aligned", diff.aligned},
               {"samples", diff.samples},
               {"repeated", diff.is_of_repeated},
               {"by_state", distance_json(diff.by_state)},
               {"by_instruction", distance_json(diff.by_instruction)}};
  json["states"] = Json::array();
  for (const ProfileShare& share : diff.states) json["states"].push_back(share_json(share));
  json["instructions"] = Json::array();
  for (const ProfileShare& share : diff.instructions)
    json["instructions"].push_back(share_json(share));
  json["counters"] = Json::array();
  for (const ProfileCounter& counter : diff.counters) {
    json["counters"].push_back({{"figure", counter.figure},
                                {"metric", counter.metric},
                                {"model", counter.model},
                                {"profile", counter.profile}});
  }
  return json;
}

void write_profile(std::ostream& out, const ProfileDiff& diff, size_t top) {
  std::string what = fmt::format("profile: {}", diff.path);
  if (!diff.kernel.empty()) what += ": " + diff.kernel;
  if (diff.launches > 1) what += fmt::format(", the first of {} launches", diff.launches);
  if (diff.aligned != 0) what += fmt::format(", {} instructions by address", diff.aligned);
  if (diff.samples != 0) what += fmt::format(", {} samples", diff.samples);
  write_wrapped(out, what);
  if (diff.is_of_repeated)
    write_wrapped(out, "compared: instructions that a warp issues more than once");
  if (diff.by_state) {
    write_wrapped(out, distances_text(diff));
    out << "\nWarp states, what differs most first\n";
    write_shares(out, diff.states, diff.states.size());
  }
  if (!diff.instructions.empty()) {
    out << "\nInstructions and states, what differs most first\n";
    write_shares(out, diff.instructions, top);
    if (diff.instructions.size() > top)
      out << fmt::format("  {} more\n", diff.instructions.size() - top);
  }
  write_counters(out, diff);
}

}  // namespace shflsim::report
