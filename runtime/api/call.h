// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <mutex>
#include <new>

#include "isa/base/input_error.h"
#include "runtime/device/context.h"

/// In front of each function of the CUDA runtime. Its types are written here as its binary
/// interface has them.
#define SHFLSIM_API extern "C" [[gnu::visibility("default")]]

namespace shflsim::runtime {

/// Keeps an error for cudaGetLastError, and returns it.
Error noted(Error error);
/// The error kept last; with `stays` it stays.
Error last_error(bool stays);

/// Calls f(context), which returns an Error, for one call of the program at a time. After a kernel
/// that ended early, every call fails as it did.
template <class F>
Error call(F f) {
  Context& context = Context::get();
  const std::lock_guard<std::recursive_mutex> lock(context.mutex());
  if (!context.is_there()) {
    context.say_once("the CUDA program was not started by `shflsim exec`");
    return noted(kNoDevice);
  }
  if (context.sticky() != kSuccess) return noted(context.sticky());
  try {
    return noted(f(context));
  } catch (const InputError& error) {
    context.say_once(error.what());
    return noted(kUnknown);
  } catch (const std::bad_alloc&) {
    return noted(kMemoryAllocation);
  }
}

/// Calls that wait for work return how the work ended.
template <class F>
Error call_waiting(F f) {
  return call([&](Context& context) {
    const Error error = context.synchronise();
    return error == kSuccess ? f(context) : error;
  });
}

/// For what is missing here: names it once on standard error.
Error missing(const char* name);

}  // namespace shflsim::runtime
