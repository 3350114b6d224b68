// SPDX-License-Identifier: Apache-2.0
#include "sweep/results_file.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "sweep/results_tables.h"

namespace shflsim::sweep {
namespace {

using Json = nlohmann::json;
using report::Value;

constexpr const char* kSchemaName = "shflsim-results/1";
constexpr size_t kOtherColumns = 4;  ///< columns input, kernel, config and state of a point
constexpr int kPatience = 5000;      ///< milliseconds to wait for another program's lock
constexpr std::chrono::milliseconds kSync{100};

constexpr const char* kResultOf = "(SELECT result FROM results WHERE fingerprint = ?)";

std::string quoted(const std::string& text, char quote) {
  std::string all(1, quote);
  for (const char c : text) all += c == quote ? std::string(2, quote) : std::string(1, c);
  return all + quote;
}

std::string host_name() {
  std::string name(256, '\0');
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.c_str();
}

/// The time in UTC, to the second.
std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::string text(32, '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
  return text;
}

void bind_value(SQLite::Statement& statement, int place, const Value& value) {
  if (const auto* count = std::get_if<uint64_t>(&value))
    return statement.bind(place, static_cast<int64_t>(*count));
  if (const auto* whole = std::get_if<int64_t>(&value)) return statement.bind(place, *whole);
  if (const auto* real = std::get_if<double>(&value)) return statement.bind(place, *real);
  if (const auto* text = std::get_if<std::string>(&value)) return statement.bind(place, *text);
  statement.bind(place);
}

/// Binds the value of an axis as a number or as a word.
void bind_word(SQLite::Statement& statement, int place, const std::string& word) {
  const std::optional<uint64_t> number = whole_number(word);
  if (number && word.find('x') == std::string::npos)
    return statement.bind(place, static_cast<int64_t>(*number));
  statement.bind(place, word);
}

Value value_of(const SQLite::Column& column) {
  if (column.isNull()) return {};
  if (column.isInteger()) {
    const int64_t whole = column.getInt64();
    if (whole < 0) return whole;
    return static_cast<uint64_t>(whole);
  }
  if (column.isFloat()) return column.getDouble();
  return column.getString();
}

std::string cell_of(const std::string& table, const std::string& name, const char* owner,
                    const std::string& key) {
  return "(SELECT value FROM " + table + " WHERE " + name + " = " + owner + " AND " +
         (table == "parameters" ? "key" : "metric") + " = " + quoted(key, '\'') + ") AS " +
         quoted(key, '"');
}

/// Executes the statement with these values for its first parameters.
template <class... Values>
void run(SQLite::Statement& statement, const Values&... values) {
  SQLite::bind(statement, values...);
  statement.exec();
  statement.reset();
}

}  // namespace

struct ResultsFile::Statements {
  explicit Statements(SQLite::Database& database)
      : result(database,
               "INSERT INTO results (fingerprint, state, reason, program, host, finished, seconds) "
               "VALUES (?, ?, ?, (SELECT value FROM sweep WHERE key = 'program'), ?, ?, ?)"),
        metric(database, "INSERT INTO metrics VALUES (?, ?, ?)"),
        row(database, "INSERT INTO rows VALUES (?, ?, ?)"),
        old_metrics(database, std::string("DELETE FROM metrics WHERE result = ") + kResultOf),
        old_rows(database, std::string("DELETE FROM rows WHERE result = ") + kResultOf),
        old_result(database, "DELETE FROM results WHERE fingerprint = ?") {}

  void forget(const std::string& fingerprint) {
    for (SQLite::Statement* each : {&old_metrics, &old_rows, &old_result}) run(*each, fingerprint);
  }

  SQLite::Statement result;
  SQLite::Statement metric;
  SQLite::Statement row;
  SQLite::Statement old_metrics;
  SQLite::Statement old_rows;
  SQLite::Statement old_result;
};

template <class Call>
auto ResultsFile::guarded(Call call) const -> decltype(call()) {
  try {
    return call();
  } catch (const SQLite::Exception& error) {
    const int code = error.getErrorCode();
    std::string expected =
        writes_ ? "a file of results, or a new name" : "a file of results that shflsim sweep wrote";
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
      expected = "that no other program writes to it";
    if (code == SQLITE_FULL || code == SQLITE_IOERR) expected = "room on the disk";
    if (code == SQLITE_READONLY || code == SQLITE_CANTOPEN)
      expected = "a file in a writable folder";
    throw InputError({path_}, std::string(error.what()) + "; expected " + expected);
  } catch (const Json::exception&) {
    fail_damaged();
  }
}

void ResultsFile::fail_damaged() const {
  throw InputError({path_}, "is damaged; expected it as `shflsim sweep` left it");
}

ResultsFile::ResultsFile(const std::string& path, Access access) : path_(path) {
  guarded([&] { open(access); });
}

/// Leaves a single file, unless another process reads it.
ResultsFile::~ResultsFile() {
  statements_.reset();
  if (writes_) database_->tryExec("PRAGMA journal_mode = DELETE");
}

void ResultsFile::open(Access access) {
  writes_ = access != Access::kRead;
  const bool is_there = std::filesystem::exists(path_);
  if (!writes_ && !is_there) throw InputError({path_}, "no such file; expected a file of results");
  database_ = std::make_unique<SQLite::Database>(
      path_, writes_ ? SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE : SQLite::OPEN_READONLY,
      kPatience);
  if (access == Access::kWriteAlone) database_->exec("PRAGMA main.locking_mode = EXCLUSIVE");
  const bool is_new = writes_ && !database_->tableExists("sweep") &&
                      database_->execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
  if (!is_new) check_schema();
  if (!writes_) return;
  database_->exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (!is_new) return;
  SQLite::Transaction all(*database_);
  database_->exec(kResultTables);
  SQLite::Statement schema(*database_, "INSERT INTO sweep VALUES ('schema', ?)");
  schema.bind(1, kSchemaName);
  schema.exec();
  all.commit();
}

void ResultsFile::check_schema() const {
  if (database_->tableExists("sweep")) {
    SQLite::Statement schema(*database_, "SELECT value FROM sweep WHERE key = 'schema'");
    if (schema.executeStep() && schema.getColumn(0).getString() == kSchemaName) return;
  }
  throw InputError({path_}, std::string("is no file of results of this version (") + kSchemaName +
                                "); expected one" + (writes_ ? ", or a new name" : ""));
}

Plan ResultsFile::plan() const {
  return guarded([&] {
    Plan plan;
    SQLite::Statement all(*database_, "SELECT key, value FROM sweep");
    while (all.executeStep()) {
      const std::string key = all.getColumn(0).getString();
      const std::string value = all.getColumn(1).getString();
      if (key == "program") plan.program = value;
      if (key == "spec") plan.spec = value;
      if (key == "axes") plan.axes = Json::parse(value).get<std::vector<std::string>>();
      if (key == "metrics") plan.metrics = Json::parse(value).get<std::vector<std::string>>();
      if (key == "points") plan.points = whole_number(value).value_or(0);
      if (key == "digest") plan.digest = value;
    }
    return plan;
  });
}

void ResultsFile::set_plan(const Plan& plan, const std::vector<PlannedInput>& inputs,
                           const std::vector<PlannedConfig>& configs, size_t points,
                           const std::function<PlannedPoint(size_t)>& point) {
  metrics_ = plan.metrics;
  guarded([&] {
    SQLite::Transaction all(*database_);
    database_->exec(
        "DELETE FROM inputs; DELETE FROM configs; DELETE FROM points; DELETE FROM parameters; "
        "DELETE FROM sweep WHERE key != 'schema'");
    add_facts(plan);
    SQLite::Statement input(*database_, "INSERT OR REPLACE INTO inputs VALUES (?, ?, ?, ?)");
    for (const PlannedInput& each : inputs)
      run(input, each.input, each.kernel, each.digest, each.arguments);
    SQLite::Statement config(*database_, "INSERT OR REPLACE INTO configs VALUES (?, ?)");
    for (const PlannedConfig& each : configs) run(config, each.name, each.text);
    add_points(plan, points, point);
    make_view(plan);
    all.commit();
  });
}

void ResultsFile::add_facts(const Plan& plan) {
  SQLite::Statement fact(*database_, "INSERT INTO sweep VALUES (?, ?)");
  run(fact, "program", plan.program);
  run(fact, "spec", plan.spec);
  run(fact, "axes", Json(plan.axes).dump());
  run(fact, "metrics", Json(plan.metrics).dump());
  run(fact, "points", std::to_string(plan.points));
  run(fact, "digest", plan.digest);
}

void ResultsFile::add_points(const Plan& plan, size_t points,
                             const std::function<PlannedPoint(size_t)>& point) {
  SQLite::Statement row(*database_, "INSERT INTO points VALUES (?, ?, ?, ?, ?, ?)");
  SQLite::Statement value(*database_, "INSERT INTO parameters VALUES (?, ?, ?)");
  for (size_t i = 0; i < points; ++i) {
    const PlannedPoint each = point(i);
    const auto number = static_cast<int64_t>(each.number);
    run(row, number, each.fingerprint, each.input, each.kernel, each.config, each.command);
    for (size_t axis = 0; axis < plan.axes.size(); ++axis) {
      bind_word(value, 3, each.values[axis]);
      run(value, number, plan.axes[axis]);
    }
  }
}

/// Creates the views. `grid`: a row for each point, with a column for each axis and metric.
/// `failures`: the points that are not done, with the reason and the command that runs each alone.
void ResultsFile::make_view(const Plan& plan) {
  std::string columns = "point, input, kernel, config";
  for (const std::string& key : plan.axes)
    columns += ", " + cell_of("parameters", "point", "points.point", key);
  for (const std::string& key : plan.metrics)
    columns += ", " + cell_of("metrics", "result", "results.result", key);
  database_->exec("DROP VIEW IF EXISTS grid; CREATE VIEW grid AS SELECT " + columns +
                  ", coalesce(state, 'missing') AS state FROM points LEFT JOIN results USING "
                  "(fingerprint)");
  database_->exec(
      "DROP VIEW IF EXISTS failures; CREATE VIEW failures AS SELECT point, state, reason, command "
      "FROM points JOIN results USING (fingerprint) WHERE state != 'done'");
}

std::set<std::string> ResultsFile::known(const std::string& state) const {
  return guarded([&] {
    std::set<std::string> all;
    SQLite::Statement results(*database_,
                              "SELECT fingerprint FROM results WHERE ?1 = '' OR state = ?1");
    results.bind(1, state);
    while (results.executeStep()) all.insert(results.getColumn(0).getString());
    return all;
  });
}

/// Waits for the disk from time to time.
void ResultsFile::rest_if_due() {
  const auto time = std::chrono::steady_clock::now();
  const bool is_due = time - synced_ >= kSync;
  database_->exec(is_due ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  if (is_due) synced_ = time;
}

void ResultsFile::add(const PointResult& result) {
  static const std::string host = host_name();
  guarded([&] {
    if (statements_ == nullptr) statements_ = std::make_unique<Statements>(*database_);
    rest_if_due();
    SQLite::Transaction all(*database_);
    statements_->forget(result.fingerprint);
    run(statements_->result, result.fingerprint, result.state, result.reason, host, now(),
        result.seconds);
    const int64_t id = database_->getLastInsertRowid();
    for (size_t i = 0; i < result.metrics.size(); ++i) {
      if (report::is_empty(result.metrics[i])) continue;
      bind_value(statements_->metric, 3, result.metrics[i]);
      run(statements_->metric, id, metrics_[i]);
    }
    for (size_t i = 0; i < result.rows.size(); ++i)
      run(statements_->row, id, static_cast<int64_t>(i), result.rows[i]);
    all.commit();
  });
}

void ResultsFile::copy_to(const std::string& path) const {
  guarded([&] {
    SQLite::Statement copy(*database_, "VACUUM INTO ?");
    run(copy, path);
  });
}

void ResultsFile::check_same_sweep(const ResultsFile& other) const {
  if (other.plan().digest != plan().digest)
    throw InputError({other.path_}, "is of another sweep than " + path_ +
                                        "; expected results of the same inputs, configs and axes");
}

void ResultsFile::merge(const std::string& path) {
  check_same_sweep(ResultsFile(path, Access::kRead));
  guarded([&] {
    SQLite::Statement attach(*database_, "ATTACH ? AS other");
    run(attach, path);
    SQLite::Transaction all(*database_);
    database_->exec(kMergeResults);
    all.commit();
    database_->exec("DETACH other");
  });
}

report::PointTable ResultsFile::table() const {
  const Plan its = plan();
  report::PointTable table;
  table.axes = its.axes;
  table.metrics = its.metrics;
  guarded([&] {
    SQLite::Statement rows(*database_, "SELECT * FROM grid ORDER BY point");
    for (int i = 1; i < rows.getColumnCount(); ++i) table.keys.emplace_back(rows.getColumnName(i));
    if (table.keys.size() != table.axes.size() + table.metrics.size() + kOtherColumns)
      fail_damaged();
    while (rows.executeStep()) {
      std::vector<Value> row;
      for (int i = 1; i < rows.getColumnCount(); ++i) row.push_back(value_of(rows.getColumn(i)));
      if (!std::holds_alternative<std::string>(row.back())) fail_damaged();
      table.rows.push_back(std::move(row));
    }
    SQLite::Statement inputs(*database_, "SELECT DISTINCT trim(arguments) FROM inputs");
    while (inputs.executeStep()) {
      const std::string words = inputs.getColumn(0).getString();
      if (!words.empty()) table.arguments.push_back(words);
    }
  });
  return table;
}

std::vector<ResultsFile::Failure> ResultsFile::failures() const {
  return guarded([&] {
    std::vector<Failure> all;
    SQLite::Statement points(*database_,
                             "SELECT state, reason, command FROM failures ORDER BY point");
    while (points.executeStep()) {
      all.push_back({points.getColumn(0).getString(), points.getColumn(1).getString(),
                     points.getColumn(2).getString()});
    }
    return all;
  });
}

}  // namespace shflsim::sweep
