// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/core/run_result.h"
#include "traces/trace.h"

namespace shflsim::report {

/// A reported figure; differences have a sign. Empty where it does not apply (the passes of an
/// FADD), which is not 0.
using Value =
    std::variant<std::monostate, uint64_t, int64_t, double, std::string, std::vector<uint64_t>>;
inline bool is_empty(const Value& value) { return value.index() == 0; }

/// One reported key. Table, JSON, CSV and `shflsim list stats` walk the lists below, so a key that
/// is declared there is reported and documented everywhere.
template <class Row>
struct Field {
  Field(std::string its_key, std::string its_unit, std::string its_help,
        std::function<Value(const Row&)> its_get, std::string its_heading = "",
        bool is_summed = false)
      : key(std::move(its_key)),
        unit(std::move(its_unit)),
        help(std::move(its_help)),
        get(std::move(its_get)),
        heading(std::move(its_heading)),
        summed(is_summed) {}

  std::string key;
  std::string unit;  ///< "" for names and texts; shares are fractions of 1
  std::string help;  ///< one sentence
  std::function<Value(const Row&)> get;
  std::string heading;  ///< instructions, compare: the table's, in one or two lines; "" = not in it
  bool summed;          ///< instructions: their sum is among the totals
};
template <class Row>
using Fields = std::vector<Field<Row>>;

/// One kernel launch and what the model says of it.
struct Run {
  const traces::Trace& trace;
  const model::RunResult& result;
};
struct InstructionRow {
  const Run& run;
  size_t index;  ///< into Code::lines
};
struct StateRow {
  const Run& run;
  model::WarpState state;
};
struct UnitRow {
  const Run& run;
  const model::UnitStats& unit;
};
struct FindingRow {
  const Run& run;
  const traces::Finding& finding;
};

const Fields<Run>& header();  ///< which run it is
const Fields<Run>& launch();
const Fields<Run>& totals();
const Fields<StateRow>& state_columns();
const Fields<UnitRow>& unit_columns();
const Fields<InstructionRow>& instruction_columns();
const Fields<model::WarpStats>& warp_columns();
const Fields<FindingRow>& finding_columns();
const Fields<model::ConfigValue>& config_columns();

/// Every warp state, in the order of precedence.
std::vector<model::WarpState> all_states();
/// The state other than `selected` that takes most of these cycles; kSelected where none takes any.
model::WarpState top_stall(const model::StateCycles& states);
uint64_t sum_of(const model::StateCycles& states);
/// Numbers of the lanes in a mask, ascending.
std::vector<uint64_t> lanes_of(isa::LaneMask mask);

/// A key of a report, as `shflsim list stats` shows it.
struct DescribedColumn {
  std::string list;  ///< "states: table, JSON; one row for each warp state"
  std::string key;
  std::string unit;
  std::string help;
};
/// Every one of them, list by list.
std::vector<DescribedColumn> described_columns();

}  // namespace shflsim::report
