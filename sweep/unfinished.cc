// SPDX-License-Identifier: Apache-2.0
#include "sweep/unfinished.h"

#include <filesystem>
#include <set>

#include "isa/base/input_error.h"

namespace shflsim::sweep {
namespace {

/// Fingerprints of the points that would only get the same result again; none if the file cannot be
/// used.
std::set<std::string> settled(const std::string& path, const std::string& digest, bool retries) {
  std::set<std::string> all;
  if (!std::filesystem::exists(path)) return all;
  try {
    const ResultsFile file(path, ResultsFile::Access::kRead);
    if (file.plan().digest != digest) return all;
    all = file.known(state_name(PointState::kDone));
    if (retries) return all;
    all.merge(file.known(state_name(PointState::kInvalid)));
    all.merge(file.known(state_name(PointState::kDeadlock)));
  } catch (const InputError&) {  // an incomplete shard or another file: reported later
    all.clear();
  }
  return all;
}

}  // namespace

std::vector<size_t> unfinished_shards(const PlannedSweep& whole, const std::string& database,
                                      size_t count, bool retries) {
  std::vector<size_t> unfinished;
  for (size_t index = 0; index < count; ++index) {
    const std::set<std::string> known =
        settled(shard_path(database, {index, count}), whole.digest(), retries);
    for (size_t number = index; number < whole.size(); number += count) {
      if (known.count(whole.fingerprint(number)) != 0) continue;
      unfinished.push_back(index);
      break;
    }
  }
  return unfinished;
}

}  // namespace shflsim::sweep
