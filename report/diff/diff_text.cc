// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/diff/diff.h"
#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

std::string number_text(const Value& number) {
  if (is_empty(number)) return "-";
  const auto* const whole = std::get_if<uint64_t>(&number);
  const auto* const with_sign = std::get_if<int64_t>(&number);
  if (whole != nullptr) return std::to_string(*whole);
  if (with_sign != nullptr) return std::to_string(*with_sign);
  return fmt::format("{:.6g}", std::get<double>(number));
}

std::string signed_text(const Value& number, const char* format, const char* suffix) {
  return is_empty(number) ? "" : fmt::format(fmt::runtime(format), number_of(number)) + suffix;
}

/// The columns that all differences have.
class FigureColumns {
 public:
  void add(const Difference& one) {
    metric_.cells.push_back(one.metric);
    a_.cells.push_back(number_text(one.a));
    b_.cells.push_back(number_text(one.b));
    difference_.cells.push_back(signed_text(one.difference(), "{:+.6g}", ""));
    percent_.cells.push_back(signed_text(one.percent(), "{:+.2f}", " %"));
    within_.cells.emplace_back(one.is_within ? "within" : "");
    hot_.push_back(!one.is_within);
  }
  /// Writes the columns: `front`, which identify the rows, then these, then `rest`.
  void write(std::ostream& out, std::vector<TextColumn> front,
             const std::vector<TextColumn>& rest) const {
    front.insert(front.end(), {metric_, a_, b_, difference_, percent_, within_});
    front.insert(front.end(), rest.begin(), rest.end());
    const bool tells_apart = std::find(hot_.begin(), hot_.end(), false) != hot_.end();
    write_columns(out, std::move(front), tells_apart ? hot_ : std::vector<bool>());
  }

 private:
  TextColumn metric_{"metric", true};
  TextColumn a_{"A"};
  TextColumn b_{"B"};
  TextColumn difference_{"B - A"};
  TextColumn percent_{"of A"};
  TextColumn within_{"tolerance", true};
  std::vector<bool> hot_;
};

using Group = std::vector<const Difference*>;  ///< differences of one instruction or one point

double size_of(const Difference& one) {
  return one.is_of_both() ? std::abs(number_of(one.difference())) : 0;
}

/// The difference that a group shows first: warp_cycles, because its other figures are parts of it,
/// else the greatest difference.
const Difference& first_of(const Group& group) {
  for (const Difference* each : group) {
    if (each->metric == "warp_cycles") return *each;
  }
  return **std::max_element(group.begin(), group.end(), [](const auto* one, const auto* other) {
    return size_of(*one) < size_of(*other);
  });
}

std::vector<Group> groups_of(const Diff& diff, const std::string& kind) {
  std::vector<Group> groups;
  for (const Difference& each : diff.differences) {
    if (each.kind != kind) continue;
    const bool goes_on = !groups.empty() && groups.back().front()->pc_a == each.pc_a &&
                         groups.back().front()->pc_b == each.pc_b &&
                         groups.back().front()->name == each.name;
    if (!goes_on) groups.emplace_back();
    groups.back().push_back(&each);
  }
  return groups;
}

/// The `top` groups whose first differences are the greatest.
std::vector<Group> greatest(std::vector<Group> groups, size_t top) {
  std::stable_sort(groups.begin(), groups.end(), [](const Group& one, const Group& other) {
    return size_of(first_of(one)) > size_of(first_of(other));
  });
  if (groups.size() > top) groups.resize(top);
  return groups;
}

std::string address_text(const Difference& one) {
  if (!one.pc_b) return *one.pc_a + " in A";
  if (!one.pc_a) return *one.pc_b + " in B";
  return *one.pc_a == *one.pc_b ? *one.pc_a : *one.pc_a + " " + *one.pc_b;
}

void write_groups(std::ostream& out, const Diff& diff, const std::string& kind,
                  const std::string& title, size_t top) {
  const std::vector<Group> all = groups_of(diff, kind);
  if (all.empty()) return;
  const bool has_addresses = kind == "instruction";
  TextColumn addresses{"address", true};
  TextColumn names{kind, true, true};
  TextColumn others{"more", false};
  others.rank = 1;
  FigureColumns figures;
  for (const Group& group : greatest(all, top)) {
    const Difference& first = first_of(group);
    if (has_addresses) addresses.cells.push_back(address_text(first));
    names.cells.push_back(first.name);
    figures.add(first);
    others.cells.push_back(group.size() == 1 ? "" : fmt::format("{} more", group.size() - 1));
  }
  out << "\n" << title << "\n";
  std::vector<TextColumn> front;
  if (has_addresses) front.push_back(addresses);
  front.push_back(names);
  figures.write(out, front, {others});
  if (all.size() > top) out << fmt::format("  {} more\n", all.size() - top);
}

void write_whole(std::ostream& out, const Diff& diff) {
  FigureColumns figures;
  TextColumn names{"unit", true};
  bool is_any = false;
  for (const Difference& each : diff.differences) {
    if (each.kind != "run" && each.kind != "unit") continue;
    names.cells.push_back(each.kind == "run" ? "" : each.name);
    figures.add(each);
    is_any = true;
  }
  if (!is_any) return;
  out << "\nRun and units\n";
  figures.write(out, {}, {names});
}

void write_config(std::ostream& out, const Diff& diff) {
  const auto said = [](const std::string& value) { return value.empty() ? "none" : value; };
  for (const Diff::Setting& each : diff.config)
    write_line(out, fmt::format("  {}: {} in A, {} in B", each.key, said(each.a), said(each.b)), 4);
}

std::string instructions_title(const Diff& diff) {
  if (!diff.is_by_text) return fmt::format("Instructions, {} by address", diff.aligned);
  return fmt::format("Instructions, {} by their text; {} in A alone, {} in B alone", diff.aligned,
                     diff.a.instructions.size() - diff.aligned,
                     diff.b.instructions.size() - diff.aligned);
}

}  // namespace

void write_diff(std::ostream& out, const Diff& diff, size_t top) {
  write_line(out, fmt::format("A: {}: {}", diff.a.path, diff.a.title));
  write_line(out, fmt::format("B: {}: {}", diff.b.path, diff.b.title));
  write_config(out, diff);
  write_whole(out, diff);
  write_groups(out, diff, "point", "Points", top);
  write_groups(out, diff, "instruction", instructions_title(diff), top);
  if (!diff.differences.empty()) out << "\n";
  write_line(out, fmt::format("{} of {} figures differ, {} beyond the tolerance",
                              diff.differences.size(), diff.compared, diff.beyond));
}

}  // namespace shflsim::report
