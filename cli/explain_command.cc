// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <utility>

#include "cli/arch_option.h"
#include "cli/command.h"
#include "cli/explain_topic.h"
#include "cli/lane_pattern.h"
#include "cli/result_format.h"
#include "isa/codec.h"
#include "isa/input_error.h"
#include "report/compare_design.h"
#include "report/explain.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;
using isa::Role;

isa::Instruction shuffle_of(const std::string& text, isa::Arch arch) {
  try {
    isa::Instruction shfl;
    const isa::Word word = isa::encode(arch, text, 0).word;
    const std::string problem = isa::family_of(arch) == isa::Family::kMaxwell
                                    ? isa::decode(word.low, 0, isa::Control{}, &shfl)
                                    : isa::decode(arch, word, 0, &shfl);
    if (!problem.empty()) throw InputError(problem);
    if (shfl.op != isa::Op::kSHFL && shfl.op != isa::Op::kVolta_SHFL) {
      throw InputError("'" + text +
                       "' is no SHFL; expected one such as SHFL.IDX PT, R1, R0, 5, 0x1f");
    }
    return shfl;
  } catch (const isa::SyntaxError& error) {
    throw InputError({"'" + text + "'", 1, error.column}, error.what);
  }
}

/// What an operand holds in each lane: its immediate, zero for RZ, or what `--sb`, `--sc` say.
isa::LaneValues operand_values(const isa::Operand& operand, const po::variables_map& values,
                               const std::string& name) {
  const bool is_given = values.count(name) != 0;
  isa::LaneValues lanes{};
  if (operand.is_live_register()) {
    if (!is_given) {
      throw InputError(fmt::format(
          "R{0} is not known; expected its lanes' values as --{1}, such as --{1} lane^1",
          operand.index, name));
    }
    return lane_pattern(values[name].as<std::string>(), "--" + name);
  }
  if (is_given) {
    throw InputError(
        "--" + name +
        " given, but the operand is no register; expected a register in the SHFL's text");
  }
  lanes.fill(operand.is(isa::Operand::Kind::kImmediate) ? static_cast<uint32_t>(operand.value) : 0);
  return lanes;
}

po::options_description explain_options() {
  po::options_description options("options");
  options.add_options()("text", po::value<std::string>()->value_name("SHFL")->required(),
                        "one SHFL, quoted; or stall, metric or parameter, with a NAME behind it")(
      "name", po::value<std::string>()->value_name("NAME"),
      "of a warp state, a reported figure or a parameter")(
      "network", po::value<std::string>()->value_name("NAMES"),
      "networks shown, with commas (default: all)")(
      "lanes", po::value<std::string>()->value_name("MASK")->default_value("0xffffffff"),
      "mask of the lanes that execute")(
      "sb", po::value<std::string>()->value_name("LANES"),
      "lane index or offset where it is a register: 32 numbers or a pattern, lane*2%32")(
      "sc", po::value<std::string>()->value_name("LANES"),
      "clamp and segment mask where they are a register: as for --sb")(
      "svg", po::value<std::string>()->value_name("FILE"),
      "write the arrows as a picture to this file")(
      "config", po::value<std::vector<std::string>>()->value_name("NAME"),
      "machine whose network parameters count (default gm107)")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE"),
      "KEY=VALUE: set one parameter");
  add_arch_option(options);
  add_format_option(options);
  return options;
}

/// Those of `--network`; all where it is not given.
std::vector<std::string> networks_of(const po::variables_map& values) {
  std::istringstream items(text_of(values, "network"));
  const std::vector<std::string> known = model::ShuffleNetworks::names();
  std::vector<std::string> names;
  for (std::string name; std::getline(items, name, ',');) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("--network: no network '" + name + "'" + suggestion(name, known));
    names.push_back(name);
  }
  return names.empty() ? known : names;
}

std::vector<report::ExplainedRoute> routes_on(const std::vector<std::string>& networks,
                                              const isa::LaneMap& map,
                                              const model::NetworkChoice& choice) {
  std::vector<report::ExplainedRoute> routes;
  for (report::ExplainedRoute& route : report::routes_of(map, choice)) {
    if (std::find(networks.begin(), networks.end(), route.network) != networks.end())
      routes.push_back(std::move(route));
  }
  return routes;
}

void explain_shuffle(const po::variables_map& values) {
  report::ExplainedShuffle shuffle;
  shuffle.shfl = shuffle_of(values["text"].as<std::string>(), arch_of(values));
  shuffle.sb = operand_values(shuffle.shfl[Role::kB], values, "sb");
  shuffle.sc = operand_values(shuffle.shfl[Role::kC], values, "sc");
  shuffle.map = isa::lane_map(isa::shuffle_mode(shuffle.shfl), shuffle.sb, shuffle.sc,
                              lane_mask(values["lanes"].as<std::string>(), "--lanes"));
  const auto choice = report::network_choice(config_layers(values));

  if (auto svg = file_of(values, "svg")) svg->finish(report::explanation_svg(shuffle));
  const auto routes = routes_on(networks_of(values), shuffle.map, *choice);
  if (!print_formatted(values, report::explanation(shuffle, routes)))
    report::write_explanation(std::cout, shuffle, routes);
}

int run(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("text", 1).add("name", 1);
  po::variables_map values;
  const Usage usage{"shflsim explain 'SHFL...' [options] | stall|metric|parameter NAME",
                    "  shflsim explain 'SHFL.BFLY PT, R1, R0, 0x1, 0x1c03' --lanes 0x0000ffff \\\n"
                    "      --svg arrows.svg\n"
                    "  shflsim explain 'SHFL.IDX P0, R1, R0, R2, 0x1f' --sb 'lane*5%32'\n"
                    "  shflsim explain --arch sm_90 'SHFL.DOWN PT, R1, R0, 0x4, 0x1f'\n"
                    "  shflsim explain stall mio_throttle\n"
                    "  shflsim explain parameter shuffle.latency --config gh100\n"};
  if (!parse(arguments, usage, explain_options(), positions, &values)) return kFine;
  const std::string topic = text_of(values, "text");
  if (is_explained_topic(topic)) {
    if (values.count("arch") != 0)
      throw InputError("explain " + topic + " with --arch; expected it with a SHFL");
    if (values.count("name") == 0)
      throw InputError("explain " + topic + " of what? expected a name behind it");
    explain_topic(std::cout, topic, text_of(values, "name"), values);
    return kFine;
  }
  if (values.count("name") != 0)
    throw InputError("more than a SHFL; expected it in quotes, or stall, metric or parameter");
  explain_shuffle(values);
  return kFine;
}

}  // namespace

const Command kExplain = {"explain", "show what one SHFL moves, and its passes on every network",
                          run};

}  // namespace shflsim::cli
