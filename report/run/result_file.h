// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/run/field.h"

namespace shflsim::report {

/// The figures of one part of a result: a whole run, a unit, a point, an instruction.
struct ResultPart {
  std::string kind;  ///< "run", "unit", "point", "instruction"
  std::string name;  ///< unique among parts of its kind; the text of an instruction
  std::string pc;    ///< address, if it is an instruction
  std::vector<std::pair<std::string, Value>> figures;  ///< metric, and a number or nothing
};

/// A result that `run --json`, `compare --json` or `results --json` wrote.
struct ResultFile {
  std::string path;
  std::string schema;  ///< "shflsim-run/2"
  std::string kernel;  ///< kernel, if it is of a run
  std::string title;   ///< "fft_32 on gm107, network crossbar"
  std::vector<ResultPart> parts;
  std::vector<ResultPart> instructions;  ///< instructions of a run in the code's order
  std::vector<std::pair<std::string, std::string>> config;  ///< config of a run: key and value
};

/// Throws InputError, with line and column, if the file is not JSON or not such a result.
ResultFile read_result_file(const std::string& path);
/// Reads the result of a run from its JSON text.
ResultFile result_of_run(const std::string& json);

}  // namespace shflsim::report
