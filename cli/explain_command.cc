// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <sstream>
#include <utility>

#include "cli/arch_option.h"
#include "cli/command.h"
#include "cli/explain_topic.h"
#include "cli/result_format.h"
#include "isa/files/readable.h"
#include "isa/input_error.h"
#include "report/compare_design.h"
#include "report/explain.h"
#include "report/shuffle_request.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;
po::options_description explain_options() {
  po::options_description options("options");
  options.add_options()("text", po::value<std::string>()->value_name("SHFL"),
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
      "many", po::value<std::string>()->value_name("FILE"),
      "instead of a SHFL: explain those of FILE, on each line an object such as {\"text\": "
      "\"SHFL.IDX P0, R1, R0, R2, 0x1f\", \"sb\": \"lane^1\", \"lanes\": \"0xff\", \"arch\": "
      "\"sm_90\", \"networks\": [\"ring\"]}; prints a JSON document a line")(
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

std::optional<std::string> given(const po::variables_map& values, const char* name) {
  if (values.count(name) == 0) return std::nullopt;
  return text_of(values, name);
}

report::ShuffleRequest request_of(const po::variables_map& values) {
  report::ShuffleRequest request{text_of(values, "text"), arch_of(values), text_of(values, "lanes"),
                                 given(values, "sb"), given(values, "sc")};
  std::istringstream items(text_of(values, "network"));
  for (std::string name; std::getline(items, name, ',');) request.networks.push_back(name);
  return request;
}

void explain_shuffle(const po::variables_map& values) {
  const report::ShuffleRequest request = request_of(values);
  const report::ExplainedShuffle shuffle = report::explained(request);
  const auto choice = report::network_choice(config_layers(values));
  if (auto svg = file_of(values, "svg")) svg->finish(report::explanation_svg(shuffle));
  const auto routes = report::routes_of(shuffle.map, *choice, report::networks_of(request));
  if (!print_formatted(values, report::explanation(shuffle, routes)))
    report::write_explanation(std::cout, shuffle, routes);
}

void refuse_beside_many(const po::variables_map& values) {
  for (const char* name : {"text", "network", "lanes", "sb", "sc", "svg", "arch", "format"}) {
    if (values.count(name) != 0 && !values[name].defaulted())
      throw InputError(fmt::format("--many with {}{}; expected it on the lines of the file",
                                   name == std::string("text") ? "" : "--", name));
  }
}

/// Explains the shuffles of a file, an object a line, and prints a document a line.
void explain_many(const po::variables_map& values) {
  const std::string path = text_of(values, "many");
  const auto choice = report::network_choice(config_layers(values));
  std::istringstream lines(
      isa::read_bytes(path, "shuffles, an object a line (shflsim help explain)"));
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      const auto document = report::explanation(report::shuffle_request(line), *choice);
      std::cout << document.json.dump() << '\n';
    } catch (const InputError& error) {
      throw InputError({path, number}, error.what());
    }
  }
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
  if (values.count("many") != 0) {
    refuse_beside_many(values);
    explain_many(values);
    return kFine;
  }
  if (values.count("text") == 0)
    throw InputError(std::string("no text given; expected ") + usage.call);
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
