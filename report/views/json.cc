// SPDX-License-Identifier: Apache-2.0
#include "report/run/columns.h"
#include "report/run/energy_columns.h"
#include "report/run/json_fields.h"
#include "report/run/occupancy.h"
#include "report/run/report.h"
#include "report/run/view.h"
#include "report/time/critical_path.h"

namespace shflsim::report {
namespace {

/// One object for each item, made from its row.
template <class Row, class Items, class MakeRow>
Json array_of(const Fields<Row>& fields, const Items& items, const MakeRow& row_of) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(object_of(fields, row_of(item)));
  return array;
}

Json instructions_of(const Run& run) {
  Json array = Json::array();
  for (size_t i = 0; i < run.result.instructions.size(); ++i) {
    array.push_back(object_of(instruction_columns(), {run, i}));
  }
  return array;
}

Json path_of(const Run& run, const CriticalPath& path) {
  if (!path.is_known()) return nullptr;
  return array_of(path_columns(), path.links(run.result), [&run](const PathLink& link) {
    return PathRow{run, link};
  });
}

Json verdict_json(const Verdict& verdict) {
  const auto itself = [](const auto& item) -> const auto& { return item; };
  return {{"lines", verdict_lines(verdict)},
          {"shuffles", verdict.shuffles},
          {"cut", verdict.cut ? Json(*verdict.cut) : Json()},
          {"bounds", array_of(bound_columns(), verdict.bounds, itself)},
          {"busiest", array_of(busiest_columns(), verdict.units, itself)},
          {"what_ifs", array_of(what_if_columns(), verdict.what_ifs, [&](const WhatIf& what_if) {
             return WhatIfRow{verdict, what_if};
           })}};
}

std::string text_of(const Run& run, const CriticalPath& path) {
  const traces::Trace& trace = run.trace;
  const model::RunResult& result = run.result;
  const Machine machine = machine_of(run);
  const auto itself = [](const auto& item) -> const auto& { return item; };
  Json json = object_of(header(), run);
  if (run.verdict != nullptr) json["verdict"] = verdict_json(*run.verdict);
  json.update(object_of(input_columns(), run.origin));
  json["machine"] = object_of(machine_columns(), machine);
  json["remarks"] = remarks_json(trace, machine);
  json["complete"] = result.stopped_by.empty();
  if (!result.stopped_by.empty()) json["stopped_by"] = result.stopped_by;
  json["launch"] = object_of(launch(), run);
  if (result.sms > 1) json["launch"]["sms"] = result.sms;
  json["occupancy"] = object_of(occupancy(), run);
  json["totals"] = object_of(totals(), run);
  json["states"] = array_of(state_columns(), all_states(), [&run](model::WarpState state) {
    return StateRow{run, state};
  });
  json["units"] = array_of(unit_columns(), result.units, [&run](const model::UnitStats& unit) {
    return UnitRow{run, unit};
  });
  json["energy"] =
      array_of(energy_columns(), result.energy, [&run](const model::EnergyStats& energy) {
        return EnergyRow{run, energy};
      });
  json["instructions"] = instructions_of(run);
  json["warps"] = array_of(warp_columns(), result.warps, itself);
  for (size_t i = 0; i < result.warps.size() && result.sms > 1; ++i)
    json["warps"][i]["sm"] = result.warps[i].sm;
  json["findings"] =
      array_of(finding_columns(), trace.findings, [&run](const traces::Finding& finding) {
        return FindingRow{run, finding};
      });
  json["critical_path"] = path_of(run, path);
  json["config"] = array_of(config_columns(), result.config, itself);
  if (run.sensitivity != nullptr)
    json["sensitivity"] = array_of(varied_columns(), run.sensitivity->values, itself);
  if (run.profile != nullptr) json["profile"] = profile_json(*run.profile);
  // Names come from the user's file: invalid UTF-8 is replaced.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

class JsonView final : public View {
 public:
  model::Observer* observer() override { return &path_; }
  std::string content(const Run& run) override { return text_of(run, path_); }

 private:
  static constexpr uint64_t kMostInstructions = 2'000'000;  // 128 MB
  CriticalPath path_{kMostInstructions};
};

const bool json_registered = Views::add<JsonView>("json", "everything, as one JSON object");

}  // namespace

std::string json_text(const traces::Trace& trace, const model::RunResult& result,
                      const Origin& origin) {
  return text_of({trace, result, origin}, CriticalPath());
}

}  // namespace shflsim::report
