// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/codec/codec.h"
#include "report/explain/explain.h"

#include "isa/lanes/lane_bits.h"

namespace shflsim::report {
namespace {

using isa::kLanes;

// Lengths in pixels.
constexpr int kPitch = 30;
constexpr int kMargin = 90;
constexpr int kRadius = 11;
constexpr int kTitle = 28;
constexpr int kSources = 70;        // centres of the row of sources
constexpr int kDestinations = 250;  // centres of the row of destinations
constexpr int kPredicates = 282;
constexpr int kHeight = 330;
constexpr int kWidth = kMargin + kPitch * static_cast<int>(kLanes);

constexpr const char* kReads = "#1f6fb2";
constexpr const char* kKeeps = "#8a8a8a";
constexpr const char* kUndefined = "#c62828";

int x_of(unsigned lane) { return kMargin + kPitch * static_cast<int>(lane); }

std::string text_at(int x, int y, const std::string& style, const std::string& text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" {}>{}</text>\n", x, y, style, text);
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  }
  return safe;
}

/// Bands behind the lanes: lanes that share the bits of the segment mask.
std::string segments(const ExplainedShuffle& shuffle) {
  std::string svg;
  unsigned first = 0;
  for (unsigned lane = 1; lane <= kLanes; ++lane) {
    const unsigned mask = shuffle.sc[first] >> 8 & 0x1F;
    if (lane < kLanes && (lane & mask) == (first & mask)) continue;
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#eef3f8\"/>\n",
        x_of(first) - kPitch / 2 + 2, kSources - 20, static_cast<int>(lane - first) * kPitch - 4,
        kPredicates - kSources + 30);
    first = lane;
  }
  return svg;
}

std::string lane_circle(unsigned lane, int y, bool executes) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"{}\"/>\n",
                     x_of(lane), y, kRadius, executes ? "#ffffff" : "#e2e2e2",
                     executes ? "#333333" : "#b5b5b5") +
         text_at(x_of(lane), y + 4,
                 fmt::format("text-anchor=\"middle\" font-size=\"11\" fill=\"{}\"",
                             executes ? "#111111" : "#999999"),
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
  return text_at(x_of(lane), kPredicates, "text-anchor=\"middle\" font-size=\"11\"", text);
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
    svg += text_at(x + 30, kHeight - 12, "font-size=\"12\"", text);
    x += width;
  };
  entry(kReads, "", "reads in range", 130);
  entry(kKeeps, " stroke-dasharray=\"4 3\"", "out of range: keeps its own value", 245);
  entry(kUndefined, "", "undefined: the source does not execute", 290);
  svg += text_at(x, kHeight - 12, "font-size=\"12\" fill=\"#777777\"",
                 "grey: does not execute; bands: segments");
  return svg;
}

}  // namespace

std::string explanation_svg(const ExplainedShuffle& shuffle) {
  const isa::LaneMap& map = shuffle.map;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\">\n<defs>\n",
      kWidth, kHeight);
  svg += marker("reads", kReads) + marker("keeps", kKeeps) + marker("undefined", kUndefined);
  svg += fmt::format("</defs>\n<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", kWidth,
                     kHeight);
  svg += text_at(12, kTitle, "font-size=\"16\" font-family=\"monospace\"",
                 escaped(isa::text_of(shuffle.shfl)));
  svg += segments(shuffle);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (isa::bit_of(map.executing, lane)) svg += svg_arrow(map, lane);
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    svg += lane_circle(lane, kSources, isa::bit_of(map.executing, lane));
    svg +=
        lane_circle(lane, kDestinations, isa::bit_of(map.executing, lane)) + predicate(map, lane);
  }
  svg += text_at(12, kSources + 4, "font-size=\"12\"", "from") +
         text_at(12, kDestinations + 4, "font-size=\"12\"", "to") +
         text_at(12, kPredicates, "font-size=\"12\"", "predicate");
  return svg + legend() + "</svg>\n";
}

}  // namespace shflsim::report
