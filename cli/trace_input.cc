// SPDX-License-Identifier: Apache-2.0
#include "cli/trace_input.h"

#include <unistd.h>

#include <filesystem>
#include <map>

#include "cli/command.h"
#include "cli/launch_options.h"
#include "isa/input_error.h"
#include "traces/accel_sim/import.h"
#include "traces/shft/reader.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

enum class Format { kNone, kShft, kTraceg, kKernelList };

/// The first line that is not blank, decompressed.
std::string first_line(const std::string& path) {
  traces::TextLines lines(path);
  std::string line;
  while (line.empty() && lines.next(&line)) {
  }
  return line;
}

Format format_of(const std::string& path) {
  if (!fs::exists(path) || fs::is_directory(path)) return Format::kNone;
  if (traces::looks_like_shft(traces::beginning_of(path))) return Format::kShft;
  const std::string line = first_line(path);
  if (traces::looks_like_traceg(line)) return Format::kTraceg;
  return traces::looks_like_kernel_list(line) ? Format::kKernelList : Format::kNone;
}

std::string text_of(const po::variables_map& values, const char* name) {
  return values.count(name) == 0 ? "" : values[name].as<std::string>();
}

traces::Trace open_text(const std::string& path, const po::variables_map& values,
                        traces::LaunchShape* shape) {
  const std::string policy = text_of(values, "unknown-lanes");
  const traces::UnknownLanes unknown(policy.empty() ? "identity" : policy);
  const fs::path file = fs::temp_directory_path() / ("shflsim." + std::to_string(getpid()));
  traces::import_traceg(path, file.string(), unknown);
  try {
    traces::Trace trace = traces::open_shft(file.string(), shape);
    fs::remove(file);  // it stays readable while it is open
    return trace;
  } catch (...) {
    fs::remove(file);
    throw;
  }
}

}  // namespace

bool is_trace_file(const std::string& path) { return format_of(path) != Format::kNone; }

void add_trace_options(po::options_description& options) {
  options.add_options()("unknown-lanes", po::value<std::string>(),
                        "Accel-Sim traces: lanes that a SHFL reads where the trace does not say: "
                        "identity (default), xor, random:SEED or worst");
}

traces::Trace open_trace(const std::string& path, const po::variables_map& values,
                         traces::LaunchShape* shape) {
  switch (format_of(path)) {
    case Format::kTraceg: return open_text(path, values, shape);
    case Format::kKernelList:
      return open_text(traces::find_listed_kernel(path, text_of(values, "kernel")), values, shape);
    default: return traces::open_shft(path, shape);
  }
}

void refuse_launch_options(const std::string& path, const po::variables_map& values) {
  po::options_description launch;
  LaunchOptions::add_to(launch);
  for (const auto& option : launch.options()) {
    const std::string& name = option->long_name();
    if (name == "kernel" || values.count(name) == 0) continue;
    throw InputError("--" + name + " with the trace " + path +
                     ", which holds a launch that was executed; expected it where the trace is "
                     "recorded");
  }
}

model::ConfigLayers trace_config(const traces::Trace& trace, const traces::LaunchShape& shape,
                                 const po::variables_map& values) {
  // The chips of Accel-Sim's binary versions, and of later ones.
  static const std::map<std::string, std::string> machines = {
      {"60", "gp104"}, {"61", "gp104"}, {"70", "gv100"}, {"75", "tu102"},
      {"80", "ga100"}, {"86", "ga102"}, {"89", "ad102"}, {"90", "gh100"}};
  if (values.count("config") != 0) return config_layers(values);
  const auto version = shape.notes.find(std::string(traces::kTracegNote) + "binary version");
  const auto machine =
      version == shape.notes.end() ? machines.end() : machines.find(version->second);
  const bool is_maxwell = trace.code.family == isa::Family::kMaxwell;
  model::ConfigLayers layers;
  layers.add_file(machine != machines.end() ? machine->second : is_maxwell ? "gm107" : "gh100");
  if (values.count("set") != 0) {
    for (const std::string& setting : values["set"].as<std::vector<std::string>>())
      layers.add_setting(setting);
  }
  return layers;
}

}  // namespace shflsim::cli
