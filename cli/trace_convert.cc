// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/input.h"
#include "cli/shown_work.h"
#include "cli/trace_command.h"
#include "isa/input_error.h"
#include "traces/accel_sim/export.h"
#include "traces/shft/writer.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

po::options_description convert_options() {
  po::options_description options("options");
  options.add_options()("input", po::value<std::string>()->value_name("TRACE")->required(),
                        "a trace, or a list of them (kernelslist.g)")(
      "output,o", po::value<std::string>()->value_name("FILE")->required(),
      "the trace to write; its ending says the format: .shft, .traceg or .traceg.xz. - is standard "
      "output: .traceg of a .shft, .shft of others")(
      "kernel", po::value<std::string>()->value_name("NAME"),
      "kernel of a list; needed where it holds several");
  add_trace_options(options);
  return options;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

int convert_trace(const std::vector<std::string>& arguments) {
  po::positional_options_description positions;
  positions.add("input", 1);
  po::variables_map values;
  const Usage usage{"shflsim trace convert TRACE -o TRACE [options]",
                    "  shflsim trace record traces/scan_inclusive.sass -o scan.shft\n"
                    "  shflsim trace convert scan.shft -o scan.traceg.xz\n"
                    "  shflsim trace convert scan.traceg.xz -o again.shft\n"};
  if (!parse(arguments, usage, convert_options(), positions, &values)) return kFine;
  const std::string output = values["output"].as<std::string>();
  const bool compress = ends_with(output, ".traceg.xz");
  bool exports = compress || ends_with(output, ".traceg");
  if (!exports && !ends_with(output, ".shft") && output != "-")
    throw InputError({output}, "no format has this ending; expected .shft, .traceg or .traceg.xz");
  const Input input(values["input"].as<std::string>(), values);
  if (output == "-") exports = input.format() == "shft";
  const traces::Trace& trace = input.trace();
  const ShownWork shown;
  if (exports) traces::export_traceg(trace, input.shape(), output, compress);
  if (!exports) traces::write_shft(output, trace, input.shape());
  return kFine;
}

}  // namespace shflsim::cli
