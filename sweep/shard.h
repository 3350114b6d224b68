// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace shflsim::sweep {

/// Which of a grid's points: every `count`-th from `index` on, so that the shards of a sweep take
/// about as long as one another.
struct Shard {
  size_t index = 0;
  size_t count = 1;
};

constexpr size_t kMostShards = 1000000;

/// The value of an environment variable; nullptr where it is not set.
using Environment = std::function<const char*(const char* name)>;

/// What `--shard` asks for: I/N with I from 0 on, or "auto" for the one that the scheduler of a
/// cluster numbers in the environment. `count` is what `--shards` says, 0 for nothing: with it the
/// scheduler's index alone counts, as a part of an array that runs again says a wrong number of
/// tasks. Throws InputError.
Shard shard_of(const std::string& text, size_t count, const Environment& environment);

/// The results file of a shard, beside that of the sweep: "out.3-of-8.sqlite" of "out.sqlite".
std::string shard_path(const std::string& database, const Shard& shard);

}  // namespace shflsim::sweep
