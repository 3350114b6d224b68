// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shflsim::sweep {

/// The tables of a results file (docs/sweeps.md).
constexpr const char* kResultTables = R"(
  CREATE TABLE sweep (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE inputs (input TEXT, kernel TEXT, digest TEXT, arguments TEXT,
                       PRIMARY KEY (input, kernel)) WITHOUT ROWID;
  CREATE TABLE configs (config TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;
  CREATE TABLE points (point INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, input TEXT NOT NULL,
                       kernel TEXT NOT NULL, config TEXT NOT NULL, command TEXT NOT NULL);
  CREATE INDEX points_by_fingerprint ON points (fingerprint);
  CREATE TABLE parameters (point INTEGER, key TEXT, value, PRIMARY KEY (point, key)) WITHOUT ROWID;
  CREATE TABLE results (result INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE,
                        state TEXT NOT NULL, reason TEXT NOT NULL, program TEXT NOT NULL,
                        host TEXT NOT NULL, finished TEXT NOT NULL, seconds REAL NOT NULL);
  CREATE TABLE metrics (result INTEGER, metric TEXT, value,
                        PRIMARY KEY (result, metric)) WITHOUT ROWID;
  CREATE TABLE rows (result INTEGER, number INTEGER, row TEXT NOT NULL,
                     PRIMARY KEY (result, number)) WITHOUT ROWID;
)";

/// Merges from the database `other`, of the same plan. A result that is done replaces one that is
/// not.
constexpr const char* kMergeResults = R"(
  INSERT OR IGNORE INTO main.inputs SELECT * FROM other.inputs;
  INSERT OR IGNORE INTO main.configs SELECT * FROM other.configs;
  INSERT OR IGNORE INTO main.points SELECT * FROM other.points;
  INSERT OR IGNORE INTO main.parameters SELECT * FROM other.parameters;
  DELETE FROM main.results WHERE state != 'done' AND fingerprint IN
    (SELECT fingerprint FROM other.results WHERE state = 'done');
  CREATE TEMP TABLE taken AS SELECT result, fingerprint FROM other.results WHERE fingerprint NOT IN
    (SELECT fingerprint FROM main.results);
  INSERT INTO main.results (fingerprint, state, reason, program, host, finished, seconds)
    SELECT fingerprint, state, reason, program, host, finished, seconds FROM other.results
    WHERE result IN (SELECT result FROM taken);
  INSERT INTO main.metrics SELECT mine.result, metric, value FROM other.metrics AS its
    JOIN taken ON taken.result = its.result
    JOIN main.results AS mine ON mine.fingerprint = taken.fingerprint;
  INSERT INTO main.rows SELECT mine.result, number, row FROM other.rows AS its
    JOIN taken ON taken.result = its.result
    JOIN main.results AS mine ON mine.fingerprint = taken.fingerprint;
  DROP TABLE taken;
)";

}  // namespace shflsim::sweep
