// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace shflsim::sweep {

/// The points of a shard: every `count`-th from `index` on, so that the shards of a sweep take
/// about the same time.
struct Shard {
  size_t index = 0;
  size_t count = 1;
};

constexpr size_t kMostShards = 1000000;

/// The value of an environment variable; nullptr if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// The shard that `--shard` asks for: I/N with I from 0 on, or "auto" for the shard that a
/// cluster's scheduler numbers in the environment. `count` is the value of `--shards`, 0 for none;
/// with it only the scheduler's index is used, because an array that is run again in part states a
/// wrong number of tasks. Throws InputError.
Shard shard_of(const std::string& text, size_t count, const Environment& environment);

/// The results file of a shard, beside that of the sweep: "out.3-of-8.sqlite" of "out.sqlite".
std::string shard_path(const std::string& database, const Shard& shard);

}  // namespace shflsim::sweep
