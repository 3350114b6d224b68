// SPDX-License-Identifier: Apache-2.0
// Copies and fills.
#include "runtime/api/streams.h"
#include "runtime/api/symbol_copies.h"
#include "runtime/device/copy.h"

namespace shflsim::runtime {
namespace {

uint64_t at(const void* pointer, size_t offset = 0) {
  return reinterpret_cast<uint64_t>(pointer) + offset;
}

/// Calls that wait do the work at once; other calls do it in their stream.
Error wait_for(const Work& work) {
  return call_waiting([&](Context& context) { return work(context); });
}
Error start(Stream* stream, NodeKind kind, const Work& work) {
  return call([&](Context& context) { return do_in(context, stream, kind, work); });
}

Work copying(const Rows& to, const Rows& from, const RowShape& shape, int kind) {
  return [=](Context& context) {
    if (shape.width != 0 && (to.address == 0 || from.address == 0)) return kInvalidValue;
    return copy_rows(context.heap(), to, from, shape, static_cast<CopyKind>(kind));
  };
}
Work copying(void* to, const void* from, size_t size, int kind) {
  return copying({at(to), size}, {at(from), size}, {size, 1}, kind);
}

Work filling(const Rows& to, const RowShape& shape, int value) {
  return [=](Context& context) {
    return fill_rows(context.heap(), to, shape, static_cast<uint32_t>(value), 1);
  };
}

Error find_part(Context& context, const SymbolPart& part, uint64_t* address) {
  const std::optional<Context::Symbol> symbol = context.symbol(part.variable);
  if (!symbol) return kInvalidSymbol;
  if (part.offset > symbol->size || part.size > symbol->size - part.offset) return kInvalidValue;
  *address = symbol->address + part.offset;
  return kSuccess;
}
constexpr int kBetweenDevices = static_cast<int>(CopyKind::kDefault);

}  // namespace

Work copying_to(const SymbolPart& part, const void* from, int kind) {
  return [=](Context& context) {
    uint64_t address = 0;
    const Error error = find_part(context, part, &address);
    if (error != kSuccess) return error;
    return copy(context.heap(), address, at(from), part.size, static_cast<CopyKind>(kind));
  };
}
Work copying_from(const SymbolPart& part, void* to, int kind) {
  return [=](Context& context) {
    uint64_t address = 0;
    const Error error = find_part(context, part, &address);
    if (error != kSuccess) return error;
    return copy(context.heap(), at(to), address, part.size, static_cast<CopyKind>(kind));
  };
}

SHFLSIM_API Error cudaMemcpy(void* to, const void* from, size_t size, int kind) {
  return wait_for(copying(to, from, size, kind));
}
SHFLSIM_API Error cudaMemcpyAsync(void* to, const void* from, size_t size, int kind,
                                  Stream* stream) {
  return start(stream, NodeKind::kMemcpy, copying(to, from, size, kind));
}

SHFLSIM_API Error cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                               size_t width, size_t height, int kind) {
  return wait_for(copying({at(to), to_pitch}, {at(from), from_pitch}, {width, height}, kind));
}
SHFLSIM_API Error cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                    size_t width, size_t height, int kind, Stream* stream) {
  return start(stream, NodeKind::kMemcpy,
               copying({at(to), to_pitch}, {at(from), from_pitch}, {width, height}, kind));
}

SHFLSIM_API Error cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                 size_t size) {
  if (to_device != 0 || from_device != 0) return noted(kInvalidDevice);
  return wait_for(copying(to, from, size, kBetweenDevices));
}
SHFLSIM_API Error cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                      size_t size, Stream* stream) {
  if (to_device != 0 || from_device != 0) return noted(kInvalidDevice);
  return start(stream, NodeKind::kMemcpy, copying(to, from, size, kBetweenDevices));
}

SHFLSIM_API Error cudaMemcpyToSymbol(const void* variable, const void* from, size_t size,
                                     size_t offset, int kind) {
  return wait_for(copying_to({variable, offset, size}, from, kind));
}
SHFLSIM_API Error cudaMemcpyToSymbolAsync(const void* variable, const void* from, size_t size,
                                          size_t offset, int kind, Stream* stream) {
  return start(stream, NodeKind::kMemcpy, copying_to({variable, offset, size}, from, kind));
}
SHFLSIM_API Error cudaMemcpyFromSymbol(void* to, const void* variable, size_t size, size_t offset,
                                       int kind) {
  return wait_for(copying_from({variable, offset, size}, to, kind));
}
SHFLSIM_API Error cudaMemcpyFromSymbolAsync(void* to, const void* variable, size_t size,
                                            size_t offset, int kind, Stream* stream) {
  return start(stream, NodeKind::kMemcpy, copying_from({variable, offset, size}, to, kind));
}

SHFLSIM_API Error cudaGetSymbolAddress(void** address, const void* variable) {
  return call([&](Context& context) {
    const std::optional<Context::Symbol> symbol = context.symbol(variable);
    if (!symbol) return kInvalidSymbol;
    *address = reinterpret_cast<void*>(symbol->address);
    return kSuccess;
  });
}
SHFLSIM_API Error cudaGetSymbolSize(size_t* size, const void* variable) {
  return call([&](Context& context) {
    const std::optional<Context::Symbol> symbol = context.symbol(variable);
    if (!symbol) return kInvalidSymbol;
    *size = symbol->size;
    return kSuccess;
  });
}

SHFLSIM_API Error cudaMemset(void* to, int value, size_t size) {
  return wait_for(filling({at(to), size}, {size, 1}, value));
}
SHFLSIM_API Error cudaMemsetAsync(void* to, int value, size_t size, Stream* stream) {
  return start(stream, NodeKind::kMemset, filling({at(to), size}, {size, 1}, value));
}
SHFLSIM_API Error cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return wait_for(filling({at(to), pitch}, {width, height}, value));
}
SHFLSIM_API Error cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                    Stream* stream) {
  return start(stream, NodeKind::kMemset, filling({at(to), pitch}, {width, height}, value));
}

}  // namespace shflsim::runtime
