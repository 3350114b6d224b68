// SPDX-License-Identifier: Apache-2.0
// Functions that host code of nvcc calls before main to register its device code.
#include <cstring>

#include "runtime/api/call.h"

namespace shflsim::runtime {
namespace {

/// The structure that host code points to: a magic number, a version, the fat binary and a name.
struct FatbinWrapper {
  uint32_t magic;
  uint32_t version;
  const void* fatbin;
  const void* file;
};

Module* module_of(void** handle) { return reinterpret_cast<Module*>(handle); }

}  // namespace

SHFLSIM_API void** __cudaRegisterFatBinary(const void* wrapper) {
  void** handle = nullptr;
  call([&](Context& context) {
    const void* const fatbin = static_cast<const FatbinWrapper*>(wrapper)->fatbin;
    handle = reinterpret_cast<void**>(context.add_module(fatbin));
    return kSuccess;
  });
  return handle;
}

SHFLSIM_API void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}
SHFLSIM_API void __cudaUnregisterFatBinary(void** /*handle*/) {}

SHFLSIM_API void __cudaRegisterFunction(void** handle, const void* host, char* /*device*/,
                                        const char* name, int, void*, void*, void*, void*, int*) {
  call([&](Context& context) {
    if (handle != nullptr) context.add_kernel(module_of(handle), host, name);
    return kSuccess;
  });
}

SHFLSIM_API void __cudaRegisterVar(void** handle, const void* host, char* /*device*/,
                                   const char* name, int, size_t size, int, int) {
  call([&](Context& context) {
    if (handle != nullptr) context.add_variable(module_of(handle), host, name, size);
    return kSuccess;
  });
}

SHFLSIM_API void __cudaRegisterManagedVar(void** handle, void** host, char* /*device*/,
                                          const char* name, int, size_t size, int, int) {
  call([&](Context& context) {
    if (handle != nullptr) context.add_managed(module_of(handle), host, name, size);
    return kSuccess;
  });
}

SHFLSIM_API char __cudaInitModule(void** /*handle*/) {
  const Error error = call([](Context& context) {
    context.place_managed();
    return kSuccess;
  });
  return error == kSuccess ? 1 : 0;
}

}  // namespace shflsim::runtime
