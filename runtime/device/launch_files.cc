// SPDX-License-Identifier: Apache-2.0
#define XXH_INLINE_ALL
#include "runtime/device/launch_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "isa/base/input_error.h"
#include "isa/base/out_file.h"

namespace shflsim::runtime {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& each : parts) text += (text.empty() ? "" : ", ") + each;
  return text;
}

std::string extent_of(const isa::Extent& extent) {
  return fmt::format("{},{},{}", extent.x, extent.y, extent.z);
}

std::string setting(const char* key, const std::string& value) {
  return value.empty() ? "" : fmt::format("{} = {}\n", key, value);
}

}  // namespace

LaunchFiles::Content LaunchFiles::content_of(const Allocation& allocation) {
  const uint8_t* const bytes = allocation.bytes;
  const bool is_even = std::memcmp(bytes, bytes + 1, allocation.size - 1) == 0;
  if (is_even) return {bytes[0], {}};
  return {{}, {bytes, bytes + allocation.size}};
}

void LaunchFiles::keep(const Heap& heap, isa::DeviceMemory& memory) {
  kept_.clear();
  for (const auto& [address, allocation] : heap.allocations())
    kept_.push_back({allocation, content_of(allocation)});
  memory.forget_uses();
}

/// Writes a file named by the hash of its content; several processes may write it at once.
std::string LaunchFiles::file_of(std::string_view content, const char* ending) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  std::string name = fmt::format("{:016x}{:016x}.{}", hash.high64, hash.low64, ending);
  if (written_.insert(name).second) isa::write_file(folder_ + "/" + name, content);
  return name;
}

std::string LaunchFiles::file_of(const std::vector<uint8_t>& bytes) {
  return file_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "bin");
}

std::string LaunchFiles::code_of(const Module& module) {
  const std::string_view text = module.code().text;
  return file_of(text, text.substr(0, 4) == "\177ELF" ? "cubin" : "ptx");
}

/// Describes the buffer at its address, with its content before the launch.
std::string LaunchFiles::buffer_of(const Kept& kept) {
  const uint64_t address = kept.allocation.address;
  std::string& name = names_[address];
  name = fmt::format("b{}", names_.size());
  const Content& content = kept.content;
  const std::string held = content.fill
                               ? fmt::format("fill:{}:{:02x}", kept.allocation.size, *content.fill)
                               : "file:" + file_of(content.bytes);
  return fmt::format("{}@0x{:x}={}", name, address, held);
}

std::string LaunchFiles::argument_of(const isa::Program::Parameter& parameter,
                                     const LaunchSpec& spec) {
  const auto from = spec.parameters.begin() + parameter.offset;
  const std::vector<uint8_t> bytes(from, from + parameter.size);
  uint64_t value = 0;
  if (parameter.size != sizeof(uint32_t) && parameter.size != sizeof value)
    return "bytes:" + file_of(bytes);
  std::memcpy(&value, bytes.data(), parameter.size);
  const auto buffer = names_.find(value);
  if (parameter.size == sizeof(uint32_t)) return fmt::format("u32:{}", value);
  return buffer == names_.end() ? fmt::format("u64:0x{:x}", value) : buffer->second;
}

std::string LaunchFiles::launch_text(const Kernel& kernel, const LaunchSpec& spec,
                                     const Launched& done) {
  std::vector<std::string> buffers;
  std::vector<std::string> changed;
  names_.clear();
  for (const Kept& each : kept_) {
    buffers.push_back(buffer_of(each));
    const Content now = content_of(each.allocation);
    const bool is_same = now.fill == each.content.fill && now.bytes == each.content.bytes;
    if (is_same || done.error != kSuccess) continue;
    const std::vector<uint8_t> bytes(each.allocation.bytes,
                                     each.allocation.bytes + each.allocation.size);
    changed.push_back(names_.at(each.allocation.address) + ":" + file_of(bytes));
  }
  std::vector<std::string> arguments;
  for (const isa::Program::Parameter& each : kernel.program->parameters)
    arguments.push_back(argument_of(each, spec));
  const auto name_at = [this](uint64_t address) {
    const auto found = names_.find(address);
    return found == names_.end() ? "" : found->second;
  };
  return fmt::format(
             "# A launch that shflsim exec recorded, on {}. docs/launch.md has the format.\n",
             done.row.machine) +
         setting("code", code_of(*kernel.module)) + "\n[launch]\n" +
         setting("kernel", kernel.name) + setting("grid", extent_of(spec.grid)) +
         setting("block", extent_of(spec.block)) +
         setting("shared", std::to_string(spec.shared_bytes)) +
         setting("cluster", extent_of(spec.cluster)) +
         setting("cooperative", spec.is_cooperative ? "yes" : "no") +
         setting("buffers", joined(buffers)) + setting("args", joined(arguments)) +
         setting("variables", name_at(kernel.module->places().image)) +
         setting("constants", name_at(kernel.module->places().constants)) +
         setting("expect", joined(changed));
}

/// Uses the first free number: the processes of a program share a folder.
std::string LaunchFiles::write_numbered(const std::string& text) {
  while (true) {
    std::string name = fmt::format("launch{:04}.ini", ++launches_);
    const std::string path = folder_ + "/" + name;
    const int file = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file >= 0) close(file);
    isa::write_file(path, text);
    return name;
  }
}

std::string LaunchFiles::write(const Kernel& kernel, const LaunchSpec& spec, const Launched& done,
                               const isa::DeviceMemory& memory) {
  const Module& module = *kernel.module;
  const auto is_unused = [&](const Kept& each) {
    const uint64_t address = each.allocation.address;
    const bool is_of_code =
        address == module.places().image || address == module.places().constants;
    return !is_of_code && !memory.is_used(address);
  };
  kept_.erase(std::remove_if(kept_.begin(), kept_.end(), is_unused), kept_.end());
  std::string name = write_numbered(launch_text(kernel, spec, done));
  kept_.clear();
  return name;
}

}  // namespace shflsim::runtime
