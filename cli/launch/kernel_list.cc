// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/kernel_list.h"

#include <fmt/format.h>

#include "cli/launch/input.h"
#include "cli/options/spec.h"
#include "isa/base/demangled.h"
#include "isa/base/input_error.h"
#include "report/run/json_fields.h"
#include "report/terminal/text_table.h"
#include "traces/trace_format.h"

namespace shflsim::cli {
namespace {

using report::Json;

template <class Value>
void put(Json* row, const char* key, const std::optional<Value>& value) {
  if (value) (*row)[key] = *value;
}

Json row_of(const isa::KernelSummary& kernel) {
  Json row = {{"kernel", kernel.kernel}};
  if (kernel.use.empty()) return row;  // a kernel of a trace
  const std::string name = isa::demangled(kernel.kernel);
  if (name != kernel.kernel) row["demangled"] = name;
  if (!kernel.architecture.empty()) row["architecture"] = kernel.architecture;
  row["form"] = kernel.form;
  if (!kernel.compression.empty()) row["compression"] = kernel.compression;
  put(&row, "instructions", kernel.instructions);
  put(&row, "registers", kernel.registers);
  put(&row, "shared_bytes", kernel.shared_bytes);
  put(&row, "local_bytes", kernel.local_bytes);
  put(&row, "barriers", kernel.barriers);
  put(&row, "parameter_base", kernel.parameter_base);
  put(&row, "arguments", kernel.parameters);
  row["use"] = kernel.use;
  if (!kernel.faults.empty()) row["error"] = kernel.faults.front().line();
  return row;
}

/// The text of a cell; "" if the row has no such key.
std::string cell_of(const Json& row, const std::string& key) {
  if (!row.contains(key)) return "";
  const Json& value = row.at(key);
  if (key == "kernel" && row.contains("demangled"))
    return value.get<std::string>() + " = " + row.at("demangled").get<std::string>();
  if (key == "parameter_base") return fmt::format("{:#x}", value.get<uint64_t>());
  if (value.is_array())
    return fmt::format("{}", fmt::join(value.get<std::vector<uint64_t>>(), ","));
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<isa::KernelSummary> summaries_of(const std::string& file, bool is_trace,
                                             const KernelListOptions& options) {
  InputOptions choice;
  choice.code.arch = options.architecture;
  if (is_trace || options.with_code) return Input(file, choice).summaries();
  return isa::listed_kernels(file, choice.code.choice());
}

struct Column {
  const char* key;
  const char* heading;
  bool left;
  size_t rank;  ///< the highest rank is left out first on a narrow screen; 0 is never left out
};

constexpr Column kColumns[] = {{"architecture", "code", true, 0},
                               {"form", "", true, 2},
                               {"compression", "", true, 2},
                               {"instructions", "instructions", false, 1},
                               {"registers", "registers", false, 1},
                               {"shared_bytes", "shared", false, 1},
                               {"local_bytes", "local", false, 2},
                               {"barriers", "barriers", false, 2},
                               {"parameter_base", "args at", false, 2},
                               {"arguments", "args", true, 2},
                               {"use", "", true, 1},
                               {"kernel", "kernel", true, 0}};

}  // namespace

void KernelListOptions::list(OptionList& list) {
  list.group("kernels", this);
  list.value("arch", &architecture, "NAME",
             "with kernels: only the code for this architecture, sm_NN or compute_NN",
             read_architecture)
      .common();
  list.flag("counts", &with_code,
            "with kernels: decode all code and lower PTX, to count the instructions and registers "
            "of PTX and to find the kernels that cannot be used")
      .common();
}

report::Document kernel_list(const std::optional<std::string>& file,
                             const KernelListOptions& options) {
  if (!file) throw InputError("no file given; expected shflsim list kernels FILE");
  report::Document list(Json{{"schema", "shflsim-list-kernels/1"}, {"kernels", Json::array()}},
                        "kernels", {"kernel"});
  const bool is_trace = traces::TraceFormats::of_file(*file) != nullptr;
  if (!is_trace) {
    list.keys.clear();
    for (const Column& column : kColumns) list.keys.emplace_back(column.key);
    list.keys.emplace_back("demangled");
    list.keys.emplace_back("error");
  }
  const std::vector<isa::KernelSummary> kernels = summaries_of(*file, is_trace, options);
  if (kernels.empty()) throw InputError({*file}, "holds no kernel; expected one at least");
  for (const isa::KernelSummary& each : kernels) list.add_row(row_of(each));
  return list;
}

void write_kernels(std::ostream& out, const report::Document& list) {
  if (list.keys.size() == 1) {
    for (const Json& row : list.rows()) report::write_line(out, cell_of(row, "kernel"));
    return;
  }
  std::vector<report::TextColumn> columns;
  for (const Column& column : kColumns) {
    columns.push_back({column.heading, column.left, column.rank == 0});
    columns.back().rank = column.rank;
    for (const Json& row : list.rows()) columns.back().cells.push_back(cell_of(row, column.key));
  }
  report::write_columns(out, columns);
  for (const Json& row : list.rows()) {
    if (row.contains("error"))
      report::write_line(out,
                         fmt::format("{} cannot be used: {}", row.at("kernel").get<std::string>(),
                                     cell_of(row, "error")));
  }
}

}  // namespace shflsim::cli
