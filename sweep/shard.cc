// SPDX-License-Identifier: Apache-2.0
#include "sweep/shard.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"

namespace shflsim::sweep {
namespace {

/// What a scheduler tells the tasks of an array, according to its manual.
struct ArrayVariables {
  const char* engine;
  const char* index;
  uint64_t first;       ///< index of the first task
  const char* from;     ///< variable of the first index of this array; "" if there is none
  const char* last;     ///< variable of the last index of this array
  const char* step;     ///< variable of the step between two indices
  const char* count;    ///< variable of the number of tasks
  const char* example;  ///< options for an array of eight tasks
};

// Slurm: sbatch(1), JOB ARRAYS; an array may begin anywhere, and here does at 0.
// Kubernetes: Jobs, completion mode Indexed.
// PBS: OpenPBS and PBS Professional, qsub -J; TORQUE, qsub -t.
// LSF: bsub -J "name[1-8]"; index 0 outside an array.
// SGE: qsub -t 1-8; "undefined" outside an array.
constexpr ArrayVariables kArrays[] = {
    {"Slurm", "SLURM_ARRAY_TASK_ID", 0, "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
     "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT", "sbatch --array=0-7"},
    {"Kubernetes", "JOB_COMPLETION_INDEX", 0, "", "", "", "", "completionMode: Indexed"},
    {"PBS", "PBS_ARRAY_INDEX", 0, "", "", "", "", "qsub -J 0-7"},
    {"TORQUE", "PBS_ARRAYID", 0, "", "", "", "", "qsub -t 0-7"},
    {"LSF", "LSB_JOBINDEX", 1, "", "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP", "",
     "bsub -J 'sweep[1-8]'"},
    {"SGE", "SGE_TASK_ID", 1, "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE", "",
     "qsub -t 1-8"},
};

std::optional<std::string> value_of(const Environment& environment, const char* name) {
  const char* const value = *name == '\0' ? nullptr : environment(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

/// Schedulers also set their variable for jobs that are not arrays.
bool is_task(const ArrayVariables& array, const Environment& environment) {
  const std::optional<std::string> index = value_of(environment, array.index);
  return index && *index != "undefined" && !(array.first == 1 && *index == "0");
}

const ArrayVariables& array_of(const Environment& environment) {
  std::string names;
  for (const ArrayVariables& array : kArrays) {
    if (is_task(array, environment)) return array;
    names += (names.empty() ? "" : ", ") + std::string(array.index);
  }
  throw InputError("--shard auto: this is no task of an array; expected one of " + names);
}

uint64_t number_in(const char* name, const Environment& environment) {
  return bounded_number(value_of(environment, name).value_or(""), kMostShards, name, {});
}

/// Throws InputError if the variable has another value than for an array without gaps.
void expect(const ArrayVariables& array, const char* name, uint64_t wanted,
            const Environment& environment) {
  if (!value_of(environment, name) || number_in(name, environment) == wanted) return;
  throw InputError(std::string("--shard auto: ") + name + " is " + *value_of(environment, name) +
                   ", of a part of an array; expected " + array.example + ", or --shards N");
}

/// The number of tasks in the whole array, according to the scheduler.
size_t told_count(const ArrayVariables& array, const Environment& environment) {
  if (!value_of(environment, array.last))
    throw InputError(std::string("--shard auto: ") + array.engine +
                     " does not say how many tasks there are; expected --shards N");
  const uint64_t last = number_in(array.last, environment);
  const uint64_t count = last + 1 - std::min(last, array.first);
  expect(array, array.from, array.first, environment);
  expect(array, array.step, 1, environment);
  expect(array, array.count, count, environment);
  return count;
}

/// Throws InputError that begins with `what` if there is no such shard.
Shard checked(const std::string& what, uint64_t index, uint64_t count) {
  if (index < count) return {index, count};
  throw InputError(what + ": shard " + std::to_string(index) + " of " + std::to_string(count) +
                   "; expected 0 to " + std::to_string(count - 1));
}

Shard told_shard(size_t count, const Environment& environment) {
  const ArrayVariables& array = array_of(environment);
  const uint64_t index = number_in(array.index, environment);
  const size_t all = count == 0 ? told_count(array, environment) : count;
  return checked(std::string("--shard auto: ") + array.index, index - array.first, all);
}

}  // namespace

Shard shard_of(const std::string& text, size_t count, const Environment& environment) {
  if (text == "auto") return told_shard(count, environment);
  const std::string what = "--shard '" + text + "'";
  if (count != 0) throw InputError(what + " with --shards; expected --shard auto");
  const size_t slash = text.find('/');
  const std::optional<uint64_t> index = whole_number(text.substr(0, slash));
  const std::optional<uint64_t> all =
      slash == std::string::npos ? std::nullopt : whole_number(text.substr(slash + 1));
  if (!index || !all || *all == 0 || *all > kMostShards)
    throw InputError(what + "; expected I/N such as 0/8, or auto");
  return checked(what, *index, *all);
}

std::string shard_path(const std::string& database, const Shard& shard) {
  std::filesystem::path path(database);
  const std::string extension = path.extension().string();
  path.replace_extension();
  return path.string() + "." + std::to_string(shard.index) + "-of-" + std::to_string(shard.count) +
         extension;
}

}  // namespace shflsim::sweep
