// SPDX-License-Identifier: Apache-2.0
#include "report/run/result_file.h"

#include <algorithm>

#include "isa/base/input_error.h"
#include "isa/base/readable.h"
#include "report/run/json_fields.h"

namespace shflsim::report {
namespace {

constexpr const char* kExpected = "the JSON of shflsim run, compare or results";

Position position_at(const std::string& path, const std::string& text, size_t byte) {
  Position at{path, 1, 1};
  for (size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    ++at.column;
    if (text[i] == '\n') at = {path, at.line + 1, 1};
  }
  return at;
}

constexpr int kMostDepth = 32;  // greatest nesting of lists and objects; results have 4 levels

Json json_in(const std::string& path) {
  const std::string text = isa::read_bytes(path, kExpected);
  const auto take = [&path](int depth, Json::parse_event_t /*event*/, const Json& /*value*/) {
    if (depth <= kMostDepth) return true;
    throw InputError({path}, std::string("is nested too deeply; expected ") + kExpected);
  };
  try {
    return Json::parse(text, take);
  } catch (const Json::parse_error& error) {
    throw InputError(position_at(path, text, error.byte),
                     std::string("no JSON from here on; expected ") + kExpected);
  } catch (const Json::exception&) {  // a number too large for a double
    throw InputError({path}, std::string("no JSON; expected ") + kExpected);
  }
}

/// The value as text, if it is a text or a number; otherwise "".
std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() ? value.dump() : "";
}

std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? "" : text_of(*found);
}

bool is_figure(const Json& value) { return value.is_number() || value.is_null(); }

void add_figures(const Json& object, const std::string& prefix, ResultPart* part) {
  for (const auto& [key, value] : object.items()) {
    if (is_figure(value)) part->figures.emplace_back(prefix + key, value_of(value));
  }
}

/// The name of a point: its design's, or for results the texts and the axes, whose keys have a dot.
std::string name_of_point(const Json& row) {
  std::string name;
  for (const char* key : {"workload", "design"})
    if (row.contains(key)) name += (name.empty() ? "" : " ") + text_in(row, key);
  if (!name.empty()) return name;
  for (const auto& [key, value] : row.items()) {
    const bool is_axis = key.find('.') != std::string::npos;
    if ((!is_axis && !value.is_string()) || key == "state") continue;
    if (!name.empty()) name += ' ';
    name += is_axis ? key + "=" + text_in(row, key.c_str()) : value.get<std::string>();
  }
  return name;
}

ResultPart point_of(const Json& row) {
  ResultPart point{"point", name_of_point(row), "", {}};
  for (const auto& [key, value] : row.items()) {
    const bool is_axis = key.find('.') != std::string::npos;
    if (!is_axis && is_figure(value)) point.figures.emplace_back(key, value_of(value));
  }
  return point;
}

ResultPart whole_run(const Json& json) {
  ResultPart run{"run", "", "", {}};
  add_figures(json.at("totals"), "", &run);
  for (const Json& state : json.at("states")) {
    if (is_figure(state.at("cycles")))
      run.figures.emplace_back("stall_" + text_in(state, "state"), value_of(state.at("cycles")));
  }
  return run;
}

std::string title_of_run(const Json& json) {
  const Json& machine = json.at("machine");
  std::string title = text_in(json, "kernel") + " on " + text_in(machine, "name") + ", network " +
                      text_in(machine, "network");
  for (const Json& each : machine.at("overrides")) title += ", " + text_of(each);
  return title + (json.at("complete") == false ? " (partial)" : "");
}

void read_run(const Json& json, ResultFile* file) {
  file->kernel = text_in(json, "kernel");
  file->title = title_of_run(json);
  file->parts.push_back(whole_run(json));
  for (const Json& unit : json.at("units")) {
    file->parts.push_back({"unit", text_in(unit, "unit"), "", {}});
    add_figures(unit, "unit_", &file->parts.back());
  }
  for (const Json& line : json.at("instructions")) {
    file->instructions.push_back({"instruction", text_in(line, "text"), text_in(line, "pc"), {}});
    add_figures(line, "", &file->instructions.back());
  }
  for (const Json& value : json.at("config"))
    file->config.emplace_back(text_in(value, "key"), text_in(value, "value"));
}

void read_points(const Json& rows, const std::string& what, ResultFile* file) {
  file->title = std::to_string(rows.size()) + what;
  for (const Json& row : rows) file->parts.push_back(point_of(row));
}

void read_any(const Json& json, ResultFile* file) {
  if (file->schema == "shflsim-run/2") return read_run(json, file);
  if (file->schema == "shflsim-compare/1")
    return read_points(json.at("points"), " points of compare", file);
  if (file->schema == "shflsim-results/1")
    return read_points(json.at("rows"), " rows of results", file);
  throw InputError({file->path},
                   (file->schema.empty() ? "names no schema" : "is of " + file->schema) +
                       "; expected shflsim-run/2, shflsim-compare/1 or shflsim-results/1");
}

}  // namespace

ResultFile read_result_file(const std::string& path) {
  const Json json = json_in(path);
  ResultFile file;
  file.path = path;
  if (json.is_object()) file.schema = text_in(json, "schema");
  try {
    read_any(json, &file);
  } catch (const Json::exception&) {
    throw InputError({path}, "is not as " + file.schema + " says; expected " + kExpected);
  }
  return file;
}

ResultFile result_of_run(const std::string& text) {
  const Json json = Json::parse(text);
  ResultFile file;
  file.schema = text_in(json, "schema");
  read_run(json, &file);
  return file;
}

}  // namespace shflsim::report
