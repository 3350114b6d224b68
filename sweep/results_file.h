// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "report/compare/point_table.h"
#include "report/run/field.h"

namespace SQLite {
class Database;
}

namespace shflsim::sweep {

/// The plan of a results file. Equal plans have equal points.
struct Plan {
  std::string program;               ///< version of the program that runs the plan
  std::string spec;                  ///< text of the sweep file; "" if there is none
  std::vector<std::string> axes;     ///< keys of the axes
  std::vector<std::string> metrics;  ///< names of the stored metrics
  size_t points = 0;                 ///< points of the whole grid
  std::string digest;                ///< digest of all points' fingerprints
};
struct PlannedInput {
  std::string input;
  std::string kernel;
  std::string digest;     ///< digest of its files
  std::string arguments;  ///< options of its launch
};
struct PlannedConfig {
  std::string name;
  std::string text;  ///< effective values, one per line
};
struct PlannedPoint {
  size_t number = 0;        ///< number in the grid
  std::string fingerprint;  ///< fingerprint of all that the result depends on
  std::string input;
  std::string kernel;
  std::string config;
  std::string command;              ///< command that runs this point alone
  std::vector<std::string> values;  ///< by Plan::axes
};

/// The result of a point.
struct PointResult {
  std::string fingerprint;
  std::string state;                   ///< "done", or why it has no metrics (sweep/engine.h)
  std::string reason;                  ///< reason in words; "" if it is done
  double seconds = 0;                  ///< host time of its simulation
  std::vector<report::Value> metrics;  ///< by Plan::metrics
  std::vector<std::string> rows;       ///< figures of its instructions, one JSON object each
};

/// The results of a sweep in a SQLite database (docs/sweeps.md describes its tables). After add()
/// returns, a point stays in the file even if the process dies; a crash of the machine loses at
/// most the last tenth of a second. Throws InputError, with the path, if the file or the disk
/// prevents an operation.
class ResultsFile {
 public:
  enum class Access : char {
    kRead,
    kWrite,
    kWriteAlone,  ///< no other process reads it; for shared file systems
  };
  ResultsFile(const std::string& path, Access access);
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;
  ~ResultsFile();

  const std::string& path() const { return path_; }
  Plan plan() const;
  /// Makes the file one of this plan. Existing results stay, and belong to the points with their
  /// fingerprints.
  void set_plan(const Plan& plan, const std::vector<PlannedInput>& inputs,
                const std::vector<PlannedConfig>& configs, size_t points,
                const std::function<PlannedPoint(size_t)>& point);
  /// The fingerprints that have a result; if `state` is not "", only results in this state.
  std::set<std::string> known(const std::string& state = "") const;
  void add(const PointResult& result);
  /// Copies this file to `path`.
  void copy_to(const std::string& path) const;
  /// Adds the results of another file of the same plan.
  void merge(const std::string& path);
  /// Throws InputError if `other` is of another sweep.
  void check_same_sweep(const ResultsFile& other) const;

  /// The points in grid order.
  report::PointTable table() const;
  struct Failure {
    std::string state;
    std::string reason;
    std::string command;
  };
  std::vector<Failure> failures() const;

 private:
  struct Statements;
  void open(Access access);
  void check_schema() const;
  void add_facts(const Plan& plan);
  void add_points(const Plan& plan, size_t points,
                  const std::function<PlannedPoint(size_t)>& point);
  void make_view(const Plan& plan);
  void rest_if_due();
  [[noreturn]] void fail_damaged() const;
  template <class Call>
  auto guarded(Call call) const -> decltype(call());

  std::string path_;
  bool writes_ = false;
  std::unique_ptr<SQLite::Database> database_;
  std::unique_ptr<Statements> statements_;
  std::vector<std::string> metrics_;
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace shflsim::sweep
