// SPDX-License-Identifier: Apache-2.0
#include "report/explain/network_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/shuffle/settings.h"

namespace shflsim::report {
namespace {

using model::Node;
using model::Wire;

// Lengths in pixels.
constexpr int kLanePitch = 30;
constexpr int kSide = 90;
constexpr int kTop = 52;         // y of the input lanes
constexpr int kNetHeight = 240;  // height from the inputs to the results, for few levels
constexpr int kLeastLevel = 30;  // least height between two rows of multiplexers
constexpr int kBeside = 7;       // distance of multiplexers of one level and place
constexpr const char* kWaits = "#d32f2f";

/// The colour of a lane: adjacent lanes differ much in hue, none is red, both schemes can show it.
std::string colour_of(unsigned lane) {
  const double hue = 30.0 + lane * 7 % 32 * 10.0;
  const auto part = [hue](double n) {
    const double k = std::fmod(n + hue / 30.0, 12.0);
    const double value = 0.5 - 0.33 * std::max(-1.0, std::min({k - 3.0, 9.0 - k, 1.0}));
    return static_cast<int>(std::lround(255.0 * value));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(0), part(8), part(4));
}

struct Point {
  int x = 0;
  int y = 0;
};

/// The positions of a network's nodes in a picture.
class Layout {
 public:
  explicit Layout(const model::Wiring& wiring);
  Point at(Wire wire) const { return points_[wire]; }
  Point result(unsigned lane) const { return {x_of(lane), bottom_}; }
  int width() const { return width_; }
  int height() const { return bottom_ + 44; }
  static int x_of(unsigned place) { return kSide + kLanePitch * static_cast<int>(place); }

 private:
  std::vector<Point> points_;
  int bottom_ = 0;
  int width_ = 0;
};

/// The number of multiplexers between the inputs, or a register, and each wire.
std::vector<unsigned> levels_of(const std::vector<Node>& nodes) {
  std::vector<unsigned> levels(nodes.size());
  for (size_t wire = 0; wire < nodes.size(); ++wire) {
    if (nodes[wire].clocked) continue;
    for (const Wire input : nodes[wire].inputs)
      levels[wire] = std::max(levels[wire], levels[input] + 1);
  }
  return levels;
}

Layout::Layout(const model::Wiring& wiring) : points_(wiring.nodes().size()) {
  const std::vector<unsigned> levels = levels_of(wiring.nodes());
  const int rows = static_cast<int>(*std::max_element(levels.begin(), levels.end())) + 1;
  const int gap = std::max(kNetHeight / rows, kLeastLevel);
  std::map<std::pair<unsigned, unsigned>, int> taken;  // by level and place
  unsigned most = 0;
  for (size_t wire = 0; wire < points_.size(); ++wire) {
    const Node& node = wiring.nodes()[wire];
    const int beside = taken[{levels[wire], node.place}]++;
    points_[wire] = {x_of(node.place) + kBeside * beside,
                     kTop + gap * static_cast<int>(levels[wire])};
    most = std::max(most, node.place);
  }
  bottom_ = kTop + gap * rows;
  width_ = x_of(most + 1);
}

/// Draws one pass of a schedule on its network.
class PassPicture {
 public:
  PassPicture(const model::ShuffleNetwork& network, const model::Wiring& wiring,
              const Layout& layout, const model::Schedule& schedule, size_t pass,
              const model::Settings& settings);
  Picture draw() const;

 private:
  void follow(Wire wire, unsigned source, const model::Settings& settings);
  void note_waiting();
  std::string title() const;
  std::string idle_wires() const;
  std::string carrying_wires() const;
  std::string nodes() const;
  std::string results() const;

  const model::ShuffleNetwork& network_;
  const std::vector<Node>& all_;
  const std::vector<Wire>& outputs_;
  const Layout& layout_;
  const model::Schedule& schedule_;
  size_t index_;
  std::map<Wire, unsigned> carries_;                ///< source lane of the value on a wire
  std::map<std::pair<Wire, Wire>, unsigned> ways_;  ///< source lane, by the wires at both ends
  std::map<unsigned, unsigned> received_;           ///< source lane, by receiving lane
  std::map<unsigned, std::set<unsigned>> waiting_;  ///< lanes served later, by port
};

PassPicture::PassPicture(const model::ShuffleNetwork& network, const model::Wiring& wiring,
                         const Layout& layout, const model::Schedule& schedule, size_t pass,
                         const model::Settings& settings)
    : network_(network),
      all_(wiring.nodes()),
      outputs_(wiring.outputs()),
      layout_(layout),
      schedule_(schedule),
      index_(pass) {
  for (const model::Delivery& delivery : schedule.passes[pass].deliveries) {
    received_[delivery.lane] = delivery.source;
    follow(outputs_[delivery.lane], delivery.source, settings);
  }
  for (const model::PortUse& use : schedule.passes[pass].uses) {
    for (size_t wire = 0; wire < all_.size(); ++wire) {
      if (all_[wire].port == use.port) follow(static_cast<Wire>(wire), use.source, settings);
    }
  }
  note_waiting();
}

/// Marks the path of a value back to its input lane, or to the register that holds it.
void PassPicture::follow(Wire wire, unsigned source, const model::Settings& settings) {
  carries_[wire] = source;
  while (!all_[wire].inputs.empty() && !all_[wire].clocked) {
    const Wire from = all_[wire].inputs[settings.selects[all_[wire].group]];
    ways_[{from, wire}] = source;
    carries_[from] = source;
    wire = from;
  }
}

void PassPicture::note_waiting() {
  for (size_t later = index_ + 1; later < schedule_.passes.size(); ++later) {
    for (const model::Delivery& delivery : schedule_.passes[later].deliveries)
      waiting_[delivery.port].insert(delivery.lane);
  }
}

std::string PassPicture::title() const {
  std::string text = fmt::format("pass {} of {}", index_ + 1, schedule_.pass_count());
  std::string svg = svg_text(12, 22, "class=\"sf-text\" font-size=\"13\"", text);
  size_t lanes = 0;
  for (const auto& [port, waiting] : waiting_) lanes += waiting.size();
  if (lanes == 0) return svg;
  text = fmt::format("{} lane{} wait{} for a port: red", lanes, lanes == 1 ? "" : "s",
                     lanes == 1 ? "s" : "");
  return svg + svg_text(170, 22, fmt::format("font-size=\"13\" fill=\"{}\"", kWaits), text);
}

/// All wires of the network as one SVG path.
std::string PassPicture::idle_wires() const {
  std::string path;
  for (size_t wire = 0; wire < all_.size(); ++wire) {
    const Point to = layout_.at(static_cast<Wire>(wire));
    for (const Wire input : std::set<Wire>(all_[wire].inputs.begin(), all_[wire].inputs.end())) {
      const Point from = layout_.at(input);
      path += fmt::format("M{} {}L{} {}", from.x, from.y, to.x, to.y);
    }
  }
  for (unsigned lane = 0; lane < outputs_.size(); ++lane) {
    const Point from = layout_.at(outputs_[lane]);
    const Point to = layout_.result(lane);
    path += fmt::format("M{} {}L{} {}", from.x, from.y, to.x, to.y);
  }
  return fmt::format(
      "<path class=\"sf-wire\" d=\"{}\" fill=\"none\" stroke=\"#dde1e6\" stroke-width=\"0.6\"/>\n",
      path);
}

std::string PassPicture::carrying_wires() const {
  std::string svg;
  const auto line = [&svg](Point from, Point to, unsigned source) {
    svg += fmt::format(
        "<path class=\"sf-way\" d=\"M{} {}L{} {}\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", from.x,
        from.y, to.x, to.y, colour_of(source));
  };
  for (const auto& [ends, source] : ways_)
    line(layout_.at(ends.first), layout_.at(ends.second), source);
  for (const auto& [lane, source] : received_)
    line(layout_.at(outputs_[lane]), layout_.result(lane), source);
  return svg;
}

std::string PassPicture::nodes() const {
  std::string svg;
  for (size_t number = 0; number < all_.size(); ++number) {
    const Wire wire = static_cast<Wire>(number);
    const Node& node = all_[number];
    const Point at = layout_.at(wire);
    const auto carried = carries_.find(wire);
    const bool is_idle = carried == carries_.end();
    const auto waiting = waiting_.find(node.port);
    const bool is_wanted = node.port != model::kNoPort && waiting != waiting_.end();
    std::string told = node.port == model::kNoPort ? "" : network_.port_name(node.port);
    if (is_wanted) told += fmt::format(": lanes {} wait for it", fmt::join(waiting->second, " "));
    if (node.inputs.empty()) {
      svg += svg_text(at.x, at.y - 8, "class=\"sf-text\" text-anchor=\"middle\" font-size=\"10\"",
                      fmt::format("{}", number));
    }
    svg += fmt::format(
        "<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\" "
        "fill=\"{}\"{}><title>{}</title></circle>\n",
        is_wanted ? "sf-wanted"
        : is_idle ? "sf-quiet"
                  : "sf-busy",
        at.x, at.y, is_wanted ? 5 : 3, is_idle ? "#aab2bb" : colour_of(carried->second),
        is_wanted ? fmt::format(" stroke=\"{}\" stroke-width=\"2.4\"", kWaits) : "",
        svg_escaped(told));
  }
  return svg;
}

std::string PassPicture::results() const {
  std::set<unsigned> waiting;
  for (const auto& [port, lanes] : waiting_) waiting.insert(lanes.begin(), lanes.end());
  std::string svg;
  for (unsigned lane = 0; lane < outputs_.size(); ++lane) {
    const auto received = received_.find(lane);
    const Point at = layout_.result(lane);
    const bool waits = waiting.count(lane) != 0;
    const std::string colour = received != received_.end() ? colour_of(received->second)
                               : waits                     ? kWaits
                                                           : "#aab2bb";
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"9\" height=\"9\" fill=\"{}\" stroke=\"{}\"/>\n", at.x - 4,
        at.y, received == received_.end() ? "none" : colour, colour);
    svg +=
        svg_text(at.x, at.y + 24,
                 waits ? fmt::format("text-anchor=\"middle\" font-size=\"10\" fill=\"{}\"", kWaits)
                       : "class=\"sf-text\" text-anchor=\"middle\" font-size=\"10\"",
                 fmt::format("{}", lane));
  }
  return svg;
}

Picture PassPicture::draw() const {
  const int bottom = layout_.result(0).y;
  const char* const quiet = "class=\"sf-quiet\" font-size=\"11\" fill=\"#596370\"";
  return {layout_.width(), layout_.height(),
          title() + svg_text(8, kTop - 8, quiet, "from") + svg_text(8, bottom + 24, quiet, "to") +
              idle_wires() + carrying_wires() + nodes() + results()};
}

}  // namespace

Picture pass_picture(const model::ShuffleNetwork& network, const model::Schedule& schedule,
                     size_t pass) {
  const model::Wiring wiring = network.wiring();
  if (wiring.outputs().empty() || schedule.passes.at(pass).through_memory) return {};
  const model::Settings settings = model::SettingsSolver(wiring).solve(schedule)[pass];
  return PassPicture(network, wiring, Layout(wiring), schedule, pass, settings).draw();
}

}  // namespace shflsim::report
