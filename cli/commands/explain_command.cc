// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <sstream>
#include <utility>

#include "cli/commands/explain_topic.h"
#include "cli/options/arch_option.h"
#include "cli/options/command.h"
#include "cli/options/result_files.h"
#include "cli/options/result_format.h"
#include "isa/base/input_error.h"
#include "isa/base/readable.h"
#include "report/explain/explain.h"
#include "report/explain/lane_report.h"
#include "report/explain/network_svg.h"
#include "report/explain/shuffle_request.h"
#include "report/run/compare_design.h"
#include "report/run/json_fields.h"

namespace shflsim::cli {
namespace {

constexpr const char* kExplainUsage =
    "shflsim explain 'SHFL...' [options] | stall|metric|parameter NAME";

struct ExplainOptions : OptionGroup {
  std::optional<std::string> text;
  std::optional<std::string> name;
  std::string networks;
  std::optional<std::string> lanes;
  std::optional<std::string> sb;
  std::optional<std::string> sc;
  std::optional<std::string> family;
  std::optional<std::string> as;
  std::optional<std::string> values;
  std::optional<unsigned> lane_count;
  std::optional<std::string> many;
  std::optional<std::string> svg;
  ArchOption arch;
  MachineChoice machine;
  FormatOption format;

  void list(OptionList& list);

 private:
  void list_lanes(OptionList& list);
  void list_many(OptionList& list);
};

void ExplainOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("text", &text, "SHFL",
                "one SHFL or lane instruction of any machine, quoted; or stall, metric or "
                "parameter, followed by a NAME");
  list.argument("name", &name, "NAME", "name of a warp state, a reported figure or a parameter");
  list.text("network", &networks, "NAMES", "networks shown, with commas (default: all)").common();
  list.text("lanes", &lanes, "MASK", "mask of the lanes that execute").common();
  list.text("sb", &sb, "LANES",
            "lane index or offset in a register: 32 numbers or a pattern, lane*2%32")
      .common();
  list.text("sc", &sc, "LANES", "clamp and segment mask in a register: as for --sb").common();
  list.text("svg", &svg, "FILE",
            "write the arrows, and the passes of a single --network, as a picture to this file")
      .common();
  list_lanes(list);
  list_many(list);
  arch.list(list);
  machine.list(list, "; its network parameters count (default gm107)");
  format.list(list);
}

/// The options for lane instructions of any machine.
void ExplainOptions::list_lanes(OptionList& list) {
  list.text("family", &family, "NAME",
            "machine or language of the lane instruction (`shflsim list families`; default: the "
            "first family that has it)");
  list.text("as", &as, "NAME", "also print the cheapest sequence of this family that does the same")
      .common();
  list.number("lane-count", &lane_count, 4, 64, "N",
              "lanes of the machine (default: the family's)");
  list.text("values", &values, "NAME=LANES",
            "values of registers with lane numbers, separated by semicolons: 'v2=lane*4; s3=5'");
}

/// `--many`, and the options that it excludes.
void ExplainOptions::list_many(OptionList& list) {
  list.text("many", &many, "FILE",
            "instead of a SHFL: explain those of FILE, on each line an object such as {\"text\": "
            "\"SHFL.IDX P0, R1, R0, R2, 0x1f\", \"sb\": \"lane^1\", \"lanes\": \"0xff\", \"arch\": "
            "\"sm_90\", \"networks\": [\"ring\"]}; prints a JSON document a line");
  list.excludes(&many,
                {&text, &networks, &lanes, &sb, &sc, &svg, &family, &as, &values, &lane_count,
                 &arch.arch, &format.format},
                "; expected it on the lines of the file");
}

report::ShuffleRequest request_of(const ExplainOptions& options) {
  report::ShuffleRequest request{*options.text, options.arch.arch,
                                 options.lanes.value_or("0xffffffff"), options.sb, options.sc};
  std::istringstream items(options.networks);
  for (std::string name; std::getline(items, name, ',');) request.networks.push_back(name);
  return request;
}

void explain_lanes(const ExplainOptions& options) {
  if (options.name) throw InputError("more than an instruction; expected it in quotes");
  refuse(options.arch, "a lane instruction of another family; expected it with a SHFL");
  if (options.sb || options.sc || options.svg)
    throw InputError("--sb, --sc or --svg with a lane instruction; expected them with a SHFL");
  report::LaneQuestion question{*options.text, options.family, options.lane_count.value_or(0),
                                options.lanes, options.values, options.as};
  report::ShuffleRequest networks;
  std::istringstream items(options.networks);
  for (std::string name; std::getline(items, name, ',');) networks.networks.push_back(name);
  const auto choice = report::network_choice(options.machine.layers());
  const auto lanes = report::explained_lanes(question, *choice, report::networks_of(networks));
  if (!print_formatted(options.format.format, report::lanes_explanation(lanes)))
    report::write_lanes_explanation(std::cout, lanes);
}

/// The picture of the lanes and, if one network is named, of its passes.
std::string picture_of(const report::ExplainedShuffle& shuffle, const Strings& networks,
                       const model::NetworkChoice& choice) {
  std::vector<report::Picture> pictures = {report::lane_picture(shuffle)};
  if (networks.size() == 1) {
    const auto network = choice.make(networks.front(), isa::kLanes);
    const model::Schedule schedule = network->route(shuffle.map);
    for (size_t pass = 0; pass < schedule.passes.size(); ++pass)
      pictures.push_back(report::pass_picture(*network, schedule, pass));
  }
  return report::svg_of(pictures);
}

void explain_shuffle(const ExplainOptions& options) {
  if (options.values || options.lane_count)
    throw InputError("--values or --lane-count with a SHFL; expected them with a lane instruction");
  if (options.name)
    throw InputError("more than a SHFL; expected it in quotes, or stall, metric or parameter");
  const report::ShuffleRequest request = request_of(options);
  const report::ExplainedShuffle shuffle = report::explained(request);
  const auto choice = report::network_choice(options.machine.layers());
  if (auto svg = begun(options.svg)) svg->finish(picture_of(shuffle, request.networks, *choice));
  const auto routes = report::routes_of(shuffle.map, *choice, report::networks_of(request));
  if (!print_formatted(options.format.format, report::explanation(shuffle, routes)))
    report::write_explanation(std::cout, shuffle, routes);
}

/// Explains the shuffles of a file, one object per line, and prints one document per line.
void explain_many(const std::string& path, const MachineChoice& machine) {
  const auto choice = report::network_choice(machine.layers());
  std::istringstream lines(
      isa::read_bytes(path, "shuffles, an object a line (shflsim help explain)"));
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      const auto document = report::explanation(report::shuffle_request(line), *choice);
      std::cout << document.json().dump() << '\n';
    } catch (const InputError& error) {
      throw InputError({path, number}, error.what());
    }
  }
}

void explain_named(const ExplainTopic& topic, const ExplainOptions& options) {
  const std::string words = std::string("explain ") + topic.name;
  refuse(options.arch, words + "; expected it with a SHFL");
  if (!options.name) throw InputError(words + " of what? expected a name behind it");
  topic.explain(std::cout, *options.name, options.machine);
}

int explain(const ExplainOptions& options) {
  if (options.many) {
    explain_many(*options.many, options.machine);
    return kFine;
  }
  if (!options.text) throw InputError(std::string("no text given; expected ") + kExplainUsage);
  if (const ExplainTopic* topic = explain_topic(*options.text)) {
    explain_named(*topic, options);
  } else if (options.family || options.as || report::is_lane_instruction(*options.text)) {
    explain_lanes(options);
  } else {
    explain_shuffle(options);
  }
  return kFine;
}

}  // namespace

const Command kExplain =
    command("explain", "show what one SHFL moves, and its passes on every network", kExplainUsage,
            "  shflsim explain 'SHFL.BFLY PT, R1, R0, 0x1, 0x1c03' --lanes 0x0000ffff \\\n"
            "      --svg arrows.svg\n"
            "  shflsim explain 'SHFL.IDX P0, R1, R0, R2, 0x1f' --sb 'lane*5%32'\n"
            "  shflsim explain --arch sm_90 'SHFL.DOWN PT, R1, R0, 0x4, 0x1f'\n"
            "  shflsim explain 'v_mov_b32_dpp v0, v1 row_shr:1' --as spirv\n"
            "  shflsim explain stall mio_throttle\n"
            "  shflsim explain parameter shuffle.latency --config gh100\n",
            explain);

}  // namespace shflsim::cli
