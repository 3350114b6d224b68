// SPDX-License-Identifier: Apache-2.0
#include "isa/base/work.h"

#include <utility>

namespace shflsim {
namespace {

WorkListener* current = nullptr;

}  // namespace

WorkListener* listen_to_work(WorkListener* listener) { return std::exchange(current, listener); }

void tell_work(uint64_t done, uint64_t all, const char* unit) {
  if (current != nullptr) current->work_done(done, all, unit);
}

}  // namespace shflsim
