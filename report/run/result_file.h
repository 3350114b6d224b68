// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/run/field.h"

namespace shflsim::report {

/// What a result says of one thing: a whole run, a unit, a point, an instruction.
struct ResultPart {
  std::string kind;  ///< "run", "unit", "point", "instruction"
  std::string name;  ///< unique among parts of its kind; for an instruction its text
  std::string pc;    ///< address of an instruction
  std::vector<std::pair<std::string, Value>> figures;  ///< metric, and a number or nothing
};

/// A result as `run --json`, `compare --json` or `results --json` wrote it.
struct ResultFile {
  std::string path;
  std::string schema;  ///< "shflsim-run/2"
  std::string kernel;  ///< of a run
  std::string title;   ///< "fft_32 on gm107, network crossbar"
  std::vector<ResultPart> parts;
  std::vector<ResultPart> instructions;  ///< instructions of a run in the code's order
  std::vector<std::pair<std::string, std::string>> config;  ///< config of a run: key and value
};

/// Throws InputError, with line and column, where it is no JSON or no such result.
ResultFile read_result_file(const std::string& path);
/// Reads the result of a run from its JSON text.
ResultFile result_of_run(const std::string& json);

}  // namespace shflsim::report
