// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHFLSIM_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif
#if __has_feature(thread_sanitizer)
#define SHFLSIM_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif
#endif

namespace shflsim::model {

/// Tells AddressSanitizer or ThreadSanitizer about switches between a thread's stack and another
/// one. Without them it does nothing.
class StackSwitch {
 public:
#ifdef SHFLSIM_ADDRESS_SANITIZER
  void set_stack(void* top, size_t bytes) {
    bottom_ = static_cast<char*>(top) - bytes;
    bytes_ = bytes;
  }
  void will_enter() { __sanitizer_start_switch_fiber(&outer_, bottom_, bytes_); }
  void has_left() { __sanitizer_finish_switch_fiber(outer_, nullptr, nullptr); }
  void has_entered() { __sanitizer_finish_switch_fiber(inner_, &outer_bottom_, &outer_bytes_); }
  void will_leave() { __sanitizer_start_switch_fiber(&inner_, outer_bottom_, outer_bytes_); }
  void will_end() { __sanitizer_start_switch_fiber(nullptr, outer_bottom_, outer_bytes_); }

 private:
  const void* bottom_ = nullptr;
  size_t bytes_ = 0;
  const void* outer_bottom_ = nullptr;
  size_t outer_bytes_ = 0;
  void* outer_ = nullptr;
  void* inner_ = nullptr;
#elif defined(SHFLSIM_THREAD_SANITIZER)
  void set_stack(void* /*top*/, size_t /*bytes*/) { inner_ = __tsan_create_fiber(0); }
  void will_enter() {
    outer_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(inner_, 0);
  }
  void has_left() {}
  void has_entered() {}
  void will_leave() { __tsan_switch_to_fiber(outer_, 0); }
  void will_end() { __tsan_switch_to_fiber(outer_, 0); }

 private:
  void* outer_ = nullptr;
  void* inner_ = nullptr;
#else
  void set_stack(void* /*top*/, size_t /*bytes*/) {}
  void will_enter() {}
  void has_left() {}
  void has_entered() {}
  void will_leave() {}
  void will_end() {}
#endif
};

}  // namespace shflsim::model
