// SPDX-License-Identifier: Apache-2.0
#include "rtl/verilog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "isa/base/input_error.h"
#include "model/shuffle/pipeline_stages.h"
#include "model/shuffle/routing.h"

namespace shflsim::rtl {
namespace {

using model::Node;
using model::Wire;

bool is_mux(const Node& node) { return !node.clocked && !node.inputs.empty(); }

/// A port's name as an identifier: "stage 2 link 17" becomes "stage_2_link_17".
std::string identifier(const std::string& text) {
  std::string name;
  for (const char letter : text) {
    const auto character = static_cast<unsigned char>(letter);
    name += std::isalnum(character) != 0 ? static_cast<char>(std::tolower(character)) : '_';
  }
  return name;
}

/// Writes one module: first names, stages and delays of its wires, then its text.
class Writer {
 public:
  explicit Writer(const Module& shuffle)
      : shuffle_(shuffle),
        nodes_(shuffle.wiring.nodes()),
        fields_(control_fields(shuffle.wiring)),
        stages_(shuffle.wiring, shuffle.stages) {
    name_wires();
  }

  std::string text() {
    head();
    for (size_t wire = 0; wire < nodes_.size(); ++wire) node(wire);
    registers();
    results();
    text_ += "endmodule\n";
    return text_;
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> form, Values&&... values) {
    text_ += fmt::format(form, std::forward<Values>(values)...) + "\n";
  }
  std::string word() const { return fmt::format("[{}:0]", shuffle_.bits - 1); }
  std::string lane_slice(size_t lane) const {
    return fmt::format("[{}:{}]", (lane + 1) * shuffle_.bits - 1, lane * shuffle_.bits);
  }

  void name_wires() {
    std::set<std::string> taken;
    for (size_t wire = 0; wire < nodes_.size(); ++wire) {
      const Node& node = nodes_[wire];
      std::string name = node.clocked          ? fmt::format("held_at_{}", node.place)
                         : node.inputs.empty() ? fmt::format("lane_{}", node.place)
                         : node.port != model::kNoPort
                             ? identifier(shuffle_.port_names[node.port])
                             : fmt::format("choice_{}_at_{}", stages_.depth(wire), node.place);
      while (!taken.insert(name).second) name += "_b";
      names_.push_back(name);
    }
  }

  static std::string delayed(const std::string& name, unsigned stages) {
    return stages == 0 ? name : fmt::format("{}_q{}", name, stages);
  }
  /// The name of the value that a wire carries `stage` stages after the input.
  std::string in_stage(Wire wire, unsigned stage) const {
    return delayed(names_[wire], stage - stages_.stage_of(wire));
  }

  void head() {
    const size_t lanes = shuffle_.wiring.outputs().size();
    line("// {}: {} lanes of {} bits, {} stage{}. Generated from the network's wiring.",
         shuffle_.name, lanes, shuffle_.bits, shuffle_.stages, shuffle_.stages == 1 ? "" : "s");
    if (shuffle_.narrow != nullptr) line("// delivers {} lanes a cycle", shuffle_.narrow->width());
    line("// wiring {}", shuffle_.wiring.fingerprint());
    line("module {} (", shuffle_.name);
    line("  input  wire clk,");
    line("  input  wire [{}:0] in,", lanes * shuffle_.bits - 1);
    line("  input  wire [{}:0] ctl,", control_bits(shuffle_.wiring) - 1);
    line("  input  wire [{}:0] we,", lanes - 1);
    line("  output reg  [{}:0] out", lanes * shuffle_.bits - 1);
    line(");");
    for (unsigned group = 0; group < fields_.size(); ++group) {
      delay_chain(fmt::format("group_{}", group), select_in_stage(group, 0), fields_[group].bits,
                  stages_.select_delay(group));
    }
    delay_chain("we", "we", lanes, shuffle_.stages - 1);
  }

  /// Declares the delayed copies of `from` for the next `stages` stages, as `name`.
  void delay_chain(const std::string& name, const std::string& from, size_t bits, unsigned stages) {
    for (unsigned stage = 1; stage <= stages; ++stage) {
      line("  reg {}{};", bits == 1 ? "" : fmt::format("[{}:0] ", bits - 1), delayed(name, stage));
      line("  always @(posedge clk) {} <= {};", delayed(name, stage),
           stage == 1 ? from : delayed(name, stage - 1));
    }
  }

  void node(size_t wire) {
    const Node& node = nodes_[wire];
    if (node.clocked) {
      line("  reg {} {};", word(), names_[wire]);
    } else if (node.inputs.empty()) {
      line("  wire {} {} = in{};", word(), names_[wire], lane_slice(wire));
    } else {
      multiplexer(wire);
    }
    delay_chain(names_[wire], names_[wire], shuffle_.bits, stages_.delay(wire));
  }

  /// Up to four inputs are a chain of conditions. More inputs use a decoded select that passes one
  /// of them, which is smaller in libraries without wide multiplexers.
  void multiplexer(size_t wire) {
    const Node& node = nodes_[wire];
    const unsigned stage = stages_.stage_of(wire);
    const std::vector<std::string> inputs = inputs_of(node, stage);
    const std::string value =
        inputs.size() > 4 ? decoded(node, stage, inputs) : chain(node, stage, inputs);
    line("  wire {} {} ={};  // group {}", word(), names_[wire], value, node.group);
  }
  std::vector<std::string> inputs_of(const Node& node, unsigned stage) const {
    std::vector<std::string> inputs;
    for (const Wire input : node.inputs) inputs.push_back(in_stage(input, stage));
    return inputs;
  }
  /// The select of a group: "ctl[9:5]", or after the first stage "group_3_q1".
  std::string select_in_stage(unsigned group, unsigned stage) const {
    const ControlField field = fields_[group];
    if (stage > 0) return delayed(fmt::format("group_{}", group), stage);
    return field.bits == 1 ? fmt::format("ctl[{}]", field.first)
                           : fmt::format("ctl[{}:{}]", field.first + field.bits - 1, field.first);
  }
  /// The condition of an input: "ctl[4]" (input 1) for one bit, otherwise "(ctl[9:5] == 5'd3)".
  std::string selected(const Node& node, unsigned stage, size_t input) const {
    const unsigned bits = fields_[node.group].bits;
    const std::string select = select_in_stage(node.group, stage);
    return bits == 1 ? select : fmt::format("({} == {}'d{})", select, bits, input);
  }
  std::string chain(const Node& node, unsigned stage,
                    const std::vector<std::string>& inputs) const {
    std::string value;
    for (size_t input = inputs.size() - 1; input > 0; --input) {
      value += fmt::format(" {} ? {} :", selected(node, stage, input), inputs[input]);
    }
    return value + " " + inputs[0];
  }
  std::string decoded(const Node& node, unsigned stage,
                      const std::vector<std::string>& inputs) const {
    std::string value;
    for (size_t input = 0; input < inputs.size(); ++input) {
      value += fmt::format("{}\n    ({{{}{{{}}}}} & {})", input == 0 ? "" : " |", shuffle_.bits,
                           selected(node, stage, input), inputs[input]);
    }
    return value;
  }

  void registers() {
    for (size_t wire = 0; wire < nodes_.size(); ++wire) {
      const Node& node = nodes_[wire];
      if (!node.clocked) continue;
      line("  always @(posedge clk) {} <= {};", names_[wire], names_[node.inputs.front()]);
    }
  }

  void results() {
    const std::vector<Wire>& outputs = shuffle_.wiring.outputs();
    const unsigned last = shuffle_.stages - 1;
    line("  always @(posedge clk) begin");
    for (size_t lane = 0; lane < outputs.size(); ++lane) {
      line("    if ({}[{}]) out{} <= {};", delayed("we", last), lane, lane_slice(lane),
           in_stage(outputs[lane], last));
    }
    line("  end");
  }

  const Module& shuffle_;
  const std::vector<Node>& nodes_;
  std::vector<ControlField> fields_;
  const model::PipelineStages stages_;
  std::vector<std::string> names_;
  std::string text_;
};

}  // namespace

std::vector<ControlField> control_fields(const model::Wiring& wiring) {
  std::vector<unsigned> ways(wiring.groups(), 1);
  for (const Node& node : wiring.nodes()) {
    if (!is_mux(node)) continue;
    ways[node.group] = std::max(ways[node.group], static_cast<unsigned>(node.inputs.size()));
  }
  std::vector<ControlField> fields;
  unsigned first = 0;
  for (const unsigned way : ways) {
    fields.push_back({first, model::log2_of(way)});
    first += fields.back().bits;
  }
  return fields;
}

unsigned control_bits(const model::Wiring& wiring) {
  unsigned bits = 0;
  for (const ControlField& field : control_fields(wiring)) bits += field.bits;
  return bits;
}

std::vector<model::Settings> ModuleSettings::solve(const model::Schedule& schedule) const {
  std::vector<model::Settings> passes = solver_.solve(schedule);
  if (!narrow_) return passes;
  std::vector<model::Settings> slices;
  for (const model::Settings& pass : passes) {
    for (model::Settings& slice : narrow_->settings(pass)) slices.push_back(std::move(slice));
  }
  return slices;
}

Module module_of(const std::string& name, const model::ShuffleNetwork& network, unsigned bits,
                 unsigned stages, unsigned width) {
  const model::Wiring whole = network.wiring();
  Module shuffle{"shuffle_" + name, whole, {}, bits, stages, nullptr};
  if (width < whole.outputs().size()) {
    shuffle.narrow = std::make_shared<const model::NarrowUnit>(whole, width);
    shuffle.wiring = shuffle.narrow->wiring();
  }
  for (unsigned port = 0; port < network.ports(); ++port) {
    shuffle.port_names.push_back(network.port_name(port));
  }
  if (control_bits(shuffle.wiring) == 0) {
    throw InputError("network '" + name + "' has no multiplexers of its own to be written as RTL");
  }
  const std::vector<Node>& nodes = shuffle.wiring.nodes();
  const bool holds =
      std::any_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.clocked; });
  if (holds && stages > 1) {
    throw InputError("network '" + name +
                     "' holds values from pass to pass; expected --stages 1, not " +
                     std::to_string(stages));
  }
  return shuffle;
}

std::string verilog(const Module& shuffle) { return Writer(shuffle).text(); }

}  // namespace shflsim::rtl
