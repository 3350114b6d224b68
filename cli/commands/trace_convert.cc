// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/trace_command.h"
#include "cli/launch/input.h"
#include "cli/launch/shown_work.h"
#include "cli/options/command.h"
#include "isa/base/input_error.h"
#include "report/terminal/messages.h"
#include "traces/accel_sim/export.h"
#include "traces/shft/writer.h"

namespace shflsim::cli {
namespace {

struct ConvertOptions : OptionGroup {
  std::string file;
  std::string output;
  InputOptions input;  ///< only its kernel and trace options are listed

  void list(OptionList& list);
};

void ConvertOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("input", &file, "TRACE", "a trace, or a list of them (kernelslist.g)");
  list.text("output", &output, "FILE",
            "the trace to write; its ending says the format: .shft, .traceg or .traceg.xz. - is "
            "standard output: .traceg of a .shft, .shft of others")
      .short_form('o')
      .required()
      .common();
  input.list_trace(list);
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

int convert_trace(const ConvertOptions& options) {
  const std::string& output = options.output;
  const bool compress = ends_with(output, ".traceg.xz");
  bool exports = compress || ends_with(output, ".traceg");
  if (!exports && !ends_with(output, ".shft") && output != "-")
    throw InputError({output}, "no format has this ending; expected .shft, .traceg or .traceg.xz");
  const Input input(options.file, options.input);
  if (output == "-") exports = input.format() == "shft";
  const traces::Trace& trace = input.trace();
  const ShownWork shown;
  const bool has_values =
      input.shape().notes.count(std::string(traces::kTracegNote) + "values") != 0;
  if (exports && has_values)
    report::remark(options.file + ": values of registers are not kept; NoVal is written for them");
  if (exports) traces::export_traceg(trace, input.shape(), output, compress);
  if (!exports) traces::write_shft(output, trace, input.shape());
  return kFine;
}

}  // namespace

const Command kTraceConvert = command(
    "convert", "write a trace in another format", "shflsim trace convert TRACE -o TRACE [options]",
    "  shflsim trace record traces/scan_inclusive.sass -o scan.shft\n"
    "  shflsim trace convert scan.shft -o scan.traceg.xz\n"
    "  shflsim trace convert scan.traceg.xz -o again.shft\n",
    convert_trace);

}  // namespace shflsim::cli
