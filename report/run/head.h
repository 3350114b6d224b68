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

/// What the user ran, as named on the command line. Empty in tests' runs.
struct Origin {
  std::string input;                        ///< FILE or FILE:KERNEL
  std::vector<std::string> arguments = {};  ///< launch options: "--block 256", "--reg Rsum=1.0"
  std::string machine = {};                 ///< ConfigLayers::name(): "gm107+mine.cfg"
  std::vector<std::string> overrides = {};  ///< "shuffle.lanes=16"
};
/// The origin of an input's run on a machine.
Origin on_machine(Origin of_input, const model::ConfigLayers& layers);

/// A machine as every output speaks of it.
struct Machine {
  std::string name;
  std::vector<std::string> overrides;
  std::vector<model::ConfigValue> values;  ///< the effective configuration
};
Machine machine_of(const model::ConfigLayers& layers);
/// Its overrides but for that of the network, for texts that name the network anyway.
std::vector<std::string> overrides_beside_network(const Machine& machine);

/// The head of every output: its input and its machine.
const Fields<Origin>& input_columns();
const Fields<Machine>& machine_columns();
/// Of a config value's source, its kind: "measured", "vendor", "published", "assumed".
std::string source_kind(const model::ConfigValue& value);
/// Whether a value can act on the cycles of this machine: those of networks, policies and issue
/// codes that are not chosen cannot, nor can those that price hardware or end a run.
bool can_act(const model::ConfigValue& value, const std::vector<model::ConfigValue>& config);
/// Values whose source is of a kind.
size_t count_of_kind(const std::vector<model::ConfigValue>& values, const std::string& kind);

/// What a reader has to know of a result beyond its figures, a sentence each: lanes that were
/// guessed, code that was lowered here, a machine of another family, a machine that was measured.
std::vector<std::string> remarks_on(const traces::Trace& trace);
std::vector<std::string> remarks_on(const Machine& machine);
std::vector<std::string> remarks_on(const traces::Trace& trace, const Machine& machine);

/// Those of `more` that are not there yet.
void add_new(const std::vector<std::string>& more, std::vector<std::string>* remarks);

/// The head as text, a line for each item. Writes nothing if there are no items.
void write_input(std::ostream& out, const Origin& origin);
void write_machine(std::ostream& out, const Machine& machine);
void write_remarks(std::ostream& out, const std::vector<std::string>& remarks);

/// "a; b"
std::string joined(const std::vector<std::string>& words, const char* between);

}  // namespace shflsim::report
