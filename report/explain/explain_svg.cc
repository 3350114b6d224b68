// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/codec/codec.h"
#include "report/explain/explain.h"
#include "report/explain/svg.h"

#include "isa/lanes/lane_bits.h"

namespace shflsim::report {
namespace {

using isa::kLanes;

// Lengths in pixels.
constexpr int kPitch = 30;
constexpr int kMargin = 90;
constexpr int kRadius = 11;
constexpr int kTitle = 28;
constexpr int kSources = 70;        // y of the row of sources
constexpr int kDestinations = 250;  // y of the row of destinations
constexpr int kPredicates = 282;
constexpr int kHeight = 330;
constexpr int kWidth = kMargin + kPitch * static_cast<int>(kLanes);

constexpr const char* kLabel = "class=\"sf-text\" font-size=\"12\"";
constexpr const char* kReads = "#1f6fb2";
constexpr const char* kKeeps = "#8a8a8a";
constexpr const char* kUndefined = "#c62828";

int x_of(unsigned lane) { return kMargin + kPitch * static_cast<int>(lane); }

/// Bands behind the lanes; each band is a segment of lanes with equal bits of the segment mask.
std::string segments(const ExplainedShuffle& shuffle) {
  std::string svg;
  unsigned first = 0;
  for (unsigned lane = 1; lane <= kLanes; ++lane) {
    const unsigned mask = shuffle.sc[first] >> 8 & 0x1F;
    if (lane < kLanes && (lane & mask) == (first & mask)) continue;
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\" class=\"sf-band\" "
        "fill=\"#eef3f8\"/>\n",
        x_of(first) - kPitch / 2 + 2, kSources - 20, static_cast<int>(lane - first) * kPitch - 4,
        kPredicates - kSources + 30);
    first = lane;
  }
  return svg;
}

std::string lane_circle(unsigned lane, int y, bool executes) {
  return fmt::format(
             "<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"{}\"/>\n",
             executes ? "sf-lane" : "sf-idle", x_of(lane), y, kRadius,
             executes ? "#ffffff" : "#e2e2e2", executes ? "#333333" : "#b5b5b5") +
         svg_text(x_of(lane), y + 4,
                  fmt::format("class=\"{}\" text-anchor=\"middle\" font-size=\"11\" fill=\"{}\"",
                              executes ? "sf-text" : "sf-quiet", executes ? "#111111" : "#999999"),
                  fmt::format("{}", lane));
}

std::string svg_arrow(const isa::LaneMap& map, unsigned lane) {
  const bool keeps = !isa::bit_of(map.in_range, lane);
  const char* colour = isa::bit_of(map.undefined, lane) ? kUndefined : keeps ? kKeeps : kReads;
  const char* name = isa::bit_of(map.undefined, lane) ? "undefined" : keeps ? "keeps" : "reads";
  return fmt::format(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"1.6\"{} "
      "marker-end=\"url(#{})\"/>\n",
      x_of(map.source[lane]), kSources + kRadius, x_of(lane), kDestinations - kRadius - 2, colour,
      keeps ? " stroke-dasharray=\"4 3\"" : "", name);
}

std::string predicate(const isa::LaneMap& map, unsigned lane) {
  const std::string text = !isa::bit_of(map.executing, lane) ? ""
                           : isa::bit_of(map.in_range, lane) ? "1"
                                                             : "0";
  return svg_text(x_of(lane), kPredicates,
                  "class=\"sf-text\" text-anchor=\"middle\" font-size=\"11\"", text);
}

std::string marker(const char* name, const char* colour) {
  return fmt::format(
      "<marker id=\"{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" "
      "markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"{}\"/></marker>\n",
      name, colour);
}

std::string legend() {
  std::string svg;
  int x = kMargin - kPitch / 2;
  const auto entry = [&](const char* colour, const char* dash, const char* text, int width) {
    svg += fmt::format(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", x,
        kHeight - 16, x + 24, kHeight - 16, colour, dash);
    svg += svg_text(x + 30, kHeight - 12, kLabel, text);
    x += width;
  };
  entry(kReads, "", "reads in range", 130);
  entry(kKeeps, " stroke-dasharray=\"4 3\"", "out of range: keeps its own value", 245);
  entry(kUndefined, "", "undefined: the source does not execute", 290);
  svg += svg_text(x, kHeight - 12, "class=\"sf-quiet\" font-size=\"12\" fill=\"#777777\"",
                  "grey: does not execute; bands: segments");
  return svg;
}

}  // namespace

Picture lane_picture(const ExplainedShuffle& shuffle) {
  const isa::LaneMap& map = shuffle.map;
  std::string svg = "<defs>\n" + marker("reads", kReads) + marker("keeps", kKeeps) +
                    marker("undefined", kUndefined) + "</defs>\n";
  svg += svg_text(12, kTitle, "class=\"sf-text\" font-size=\"16\" font-family=\"monospace\"",
                  isa::text_of(shuffle.shfl));
  svg += segments(shuffle);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (isa::bit_of(map.executing, lane)) svg += svg_arrow(map, lane);
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    svg += lane_circle(lane, kSources, isa::bit_of(map.executing, lane));
    svg +=
        lane_circle(lane, kDestinations, isa::bit_of(map.executing, lane)) + predicate(map, lane);
  }
  svg += svg_text(12, kSources + 4, kLabel, "from") +
         svg_text(12, kDestinations + 4, kLabel, "to") +
         svg_text(12, kPredicates, kLabel, "predicate");
  return {kWidth, kHeight, svg + legend()};
}

}  // namespace shflsim::report
