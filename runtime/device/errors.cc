// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/errors.h"

#include <map>
#include <utility>

namespace shflsim::runtime {
namespace {

using Words = std::pair<const char*, const char*>;

const Words& words_of(int error) {
  static const Words unknown("unrecognized error code", "unrecognized error code");
  static const std::map<int, Words> all = {
#define CUDA_ERROR(number, name, text) {number, {#name, text}},
#include "runtime/device/errors.inc"
#undef CUDA_ERROR
  };
  const auto found = all.find(error);
  return found == all.end() ? unknown : found->second;
}

}  // namespace

const char* name_of(int error) { return words_of(error).first; }
const char* text_of(int error) { return words_of(error).second; }

}  // namespace shflsim::runtime
