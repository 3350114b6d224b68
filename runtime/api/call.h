// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <mutex>
#include <new>

#include "isa/base/input_error.h"
#include "runtime/device/context.h"

/// Declares a function of the CUDA runtime. The types of its parameters are declared in this
/// library, as the binary interface has them.
#define SHFLSIM_API extern "C" [[gnu::visibility("default")]]

namespace shflsim::runtime {

/// Stores an error for cudaGetLastError, and returns it.
Error noted(Error error);
/// The error that was stored last; it stays stored if `stays`.
Error last_error(bool stays);

/// Calls f(context), which returns an Error, for one call of the program at a time. After a kernel
/// that ended early, every call fails with its error.
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

/// For calls that wait for work: they return the error of the work, if it has one.
template <class F>
Error call_waiting(F f) {
  return call([&](Context& context) {
    const Error error = context.synchronise();
    return error == kSuccess ? f(context) : error;
  });
}

/// For functions that are not implemented: names the function once on standard error.
Error missing(const char* name);

}  // namespace shflsim::runtime
