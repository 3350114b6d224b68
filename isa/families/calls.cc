// SPDX-License-Identifier: Apache-2.0
#include "isa/families/calls.h"

#include <fmt/format.h>

namespace shflsim::isa {
namespace {

using Kind = CallMeaning::Kind;

/// The lane that `lane` reads with operand `by` in a part of `cluster` lanes; -1 if out of range.
int lane_read(const CallMeaning& meaning, unsigned lane, uint32_t by, unsigned lanes,
              unsigned cluster) {
  const unsigned base = lane / cluster * cluster;
  const auto own = static_cast<int64_t>(lane);
  int64_t from = own;
  switch (meaning.kind) {
    case Kind::kShuffle:
    case Kind::kBroadcast: from = by; break;
    case Kind::kXor: from = lane ^ by; break;
    case Kind::kUp: from = own - by; break;
    case Kind::kDown: from = own + by; break;
    case Kind::kRotate: from = base + (lane - base + by) % cluster; break;
    case Kind::kRotateBack: from = base + (lane - base + cluster - by % cluster) % cluster; break;
    case Kind::kQuadBroadcast: from = (lane & ~3u) + (by & 3); break;
    default: from = lane ^ meaning.by; break;
  }
  if (meaning.wraps) from = from & (lanes - 1);
  return from < 0 || from >= lanes ? -1 : static_cast<int>(from);
}

LaneSource read_or_undefined(int from, const LaneContext& context, unsigned operand = 0) {
  if (from < 0 || !has_bit(context.active, static_cast<unsigned>(from)))
    return LaneSource::undefined();
  return LaneSource::of(static_cast<unsigned>(from), operand);
}

unsigned first_active(const LaneContext& context) {
  return context.active == 0 ? 0 : static_cast<unsigned>(__builtin_ctzll(context.active));
}

/// The steps of a reduction, or of a scan, in parts of `cluster` lanes.
std::vector<LaneMove> tree(const CallMeaning& meaning, const LaneContext& context,
                           unsigned cluster) {
  std::vector<LaneMove> steps;
  for (unsigned distance = 1; distance < cluster; distance *= 2) {
    LaneMove step(context.lanes);
    for (unsigned lane = 0; lane < context.lanes; ++lane) {
      const bool scans = meaning.kind == Kind::kScan;
      if (scans && lane % cluster < distance) continue;
      const unsigned from = scans ? lane - distance : lane ^ distance;
      if (has_bit(context.active, lane) && has_bit(context.active, from))
        step.source[0][lane] = LaneSource::of(from);
    }
    steps.push_back(step);
  }
  return steps;
}

/// Shifts that fill up from a second value: Intel's up(previous, current), down(current, next);
/// Metal's up(current, previous), whose `by` is 1.
LaneMove filled(const CallMeaning& meaning, const std::vector<uint32_t>& by,
                const LaneContext& context) {
  LaneMove move(context.lanes);
  move.operands = 2;
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    if (!has_bit(context.active, lane)) continue;
    const int64_t delta = by[lane];
    // A place in the concatenation of both values: first the first value's lanes.
    const int64_t place =
        meaning.kind == Kind::kUpFill ? int64_t{move.lanes} + lane - delta : int64_t{lane} + delta;
    const bool inside = delta <= move.lanes && place >= 0 && place < 2 * int64_t{move.lanes};
    const auto from = static_cast<unsigned>(inside ? place : 0);
    const unsigned operand = from / move.lanes ^ meaning.by;
    move.source[0][lane] =
        inside ? read_or_undefined(static_cast<int>(from % move.lanes), context, operand)
               : LaneSource::undefined();
  }
  return move;
}

unsigned cluster_of(const LaneText& text, size_t index, const LaneContext& context) {
  if (index >= text.operands()) return context.lanes;
  const unsigned cluster = text.number(text.operand(index), 1, context.lanes);
  if ((cluster & (cluster - 1)) != 0)
    text.reject(text.operand(index), "a cluster of no power of two lanes; expected one");
  return cluster;
}

std::string call_text(const LaneText& text) {
  std::string parts;
  for (size_t index = 0; index < text.operands(); ++index)
    parts += (index == 0 ? "" : ", ") + text.operand(index).text;
  return text.operation() + "(" + parts + ")";
}

}  // namespace

std::vector<std::string> call_names(const CallMeanings& meanings) {
  std::vector<std::string> names;
  for (const auto& [name, meaning] : meanings) names.push_back(name);
  return names;
}

LaneInstruction read_call(const CallMeanings& meanings, const LaneText& text,
                          const LaneContext& context, const LaneCost& cost) {
  const CallMeaning& meaning = meanings.at(text.operation());
  const std::string shown = call_text(text);
  if (meaning.kind == Kind::kReduce || meaning.kind == Kind::kScan) {
    text.expect(1, 2);
    return {shown, {}, tree(meaning, context, cluster_of(text, 1, context)), cost};
  }
  if (meaning.kind == Kind::kUpFill || meaning.kind == Kind::kDownFill) {
    text.expect(3, 3);
    return {shown, {}, {filled(meaning, text.values(text.operand(2), context), context)}, cost};
  }
  const bool alone = meaning.kind == Kind::kFirst || meaning.kind == Kind::kQuadXor;
  const bool clusters = meaning.kind == Kind::kRotate || meaning.kind == Kind::kRotateBack;
  text.expect(alone ? 1 : 2, alone ? 1 : clusters ? 3 : 2);
  std::vector<uint32_t> by(context.lanes, first_active(context));
  if (!alone) by = text.values(text.operand(1), context);
  if (meaning.kind == Kind::kBroadcast) text.uniform(text.operand(1), context);
  const unsigned cluster = cluster_of(text, 2, context);
  LaneMove move(context.lanes);
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    if (!has_bit(context.active, lane)) continue;
    const int from = meaning.kind == Kind::kFirst
                         ? static_cast<int>(by[0])
                         : lane_read(meaning, lane, by[lane], move.lanes, cluster);
    move.source[0][lane] = read_or_undefined(from, context);
  }
  return {shown, {}, {move}, cost};
}

}  // namespace shflsim::isa
