// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace shflsim::sweep {

/// The points of a shard: every `count`-th point from `index` on, so that the shards of a sweep
/// take about the same time.
struct Shard {
  size_t index = 0;
  size_t count = 1;
};

constexpr size_t kMostShards = 1000000;

/// The value of an environment variable; nullptr if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// The shard that `--shard` names: I/N with I from 0 on, or "auto" for the shard that the
/// environment of a cluster's scheduler gives. `count` is the value of `--shards`, 0 for none. If
/// it is given, only the scheduler's index is used, because an array that is partly run again
/// states a wrong number of tasks. Throws InputError.
Shard shard_of(const std::string& text, size_t count, const Environment& environment);

/// The results file of a shard, beside the sweep's: "out.3-of-8.sqlite" for "out.sqlite".
std::string shard_path(const std::string& database, const Shard& shard);

}  // namespace shflsim::sweep
