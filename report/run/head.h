// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "model/config/config.h"
#include "model/core/config_value.h"
#include "report/run/field.h"
#include "traces/trace.h"

namespace shflsim::report {

/// The input of a run, as named on the command line. Empty for runs of tests.
struct Origin {
  std::string input;                        ///< FILE or FILE:KERNEL
  std::vector<std::string> arguments = {};  ///< launch options: "--block 256", "--reg Rsum=1.0"
  std::string machine = {};                 ///< ConfigLayers::name(): "gm107+mine.cfg"
  std::vector<std::string> overrides = {};  ///< "shuffle.lanes=16"
};
/// The origin with the machine of `layers`.
Origin on_machine(Origin of_input, const model::ConfigLayers& layers);

/// A machine as all outputs describe it.
struct Machine {
  std::string name;
  std::vector<std::string> overrides;
  std::vector<model::ConfigValue> values;  ///< the effective configuration
};
Machine machine_of(const model::ConfigLayers& layers);
/// The overrides other than the network, for texts that name the network anyway.
std::vector<std::string> overrides_beside_network(const Machine& machine);

/// The head of every output: input and machine.
const Fields<Origin>& input_columns();
const Fields<Machine>& machine_columns();
/// The kind of a config value's source: "measured", "vendor", "published", "assumed".
std::string source_kind(const model::ConfigValue& value);
/// True if a value can affect the cycles of this machine. Values of networks, policies and issue
/// codes that are not chosen cannot, nor can values that price hardware or end a run.
bool can_act(const model::ConfigValue& value, const std::vector<model::ConfigValue>& config);
/// The number of values whose source is of this kind.
size_t count_of_kind(const std::vector<model::ConfigValue>& values, const std::string& kind);

/// What a reader must know about a result, one sentence each: guessed lanes, code lowered by this
/// program, a machine of another family, a machine that was measured.
std::vector<std::string> remarks_on(const traces::Trace& trace);
std::vector<std::string> remarks_on(const Machine& machine);
std::vector<std::string> remarks_on(const traces::Trace& trace, const Machine& machine);

/// Appends the remarks of `more` that `remarks` does not have.
void add_new(const std::vector<std::string>& more, std::vector<std::string>* remarks);

/// The head as text, a line for each item. Writes nothing if there are no items.
void write_input(std::ostream& out, const Origin& origin);
void write_machine(std::ostream& out, const Machine& machine);
void write_remarks(std::ostream& out, const std::vector<std::string>& remarks);

/// "a; b", joined by `between`.
std::string joined(const std::vector<std::string>& words, const char* between);

}  // namespace shflsim::report
