// SPDX-License-Identifier: Apache-2.0
// Errors and versions.
#include "runtime/api/call.h"
#include "runtime/api/version.h"

namespace shflsim::runtime {
namespace {

thread_local Error kept_error = kSuccess;

}  // namespace

Error noted(Error error) {
  // kNotReady answers a query, and is not a failure.
  if (error != kSuccess && error != kNotReady) kept_error = error;
  return error;
}

Error last_error(bool stays) {
  const Error error = kept_error;
  if (!stays) kept_error = kSuccess;
  return error;
}

Error missing(const char* name) {
  return call([name](Context& context) {
    context.say_once(std::string(name) + " is not supported");
    return kNotSupported;
  });
}

SHFLSIM_API Error cudaGetLastError() { return last_error(false); }
SHFLSIM_API Error cudaPeekAtLastError() { return last_error(true); }
SHFLSIM_API const char* cudaGetErrorName(int error) { return name_of(error); }
SHFLSIM_API const char* cudaGetErrorString(int error) { return text_of(error); }

SHFLSIM_API Error cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return noted(kInvalidValue);
  *version = cudart_version();
  return kSuccess;
}
SHFLSIM_API Error cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

}  // namespace shflsim::runtime
