// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/code/program.h"
#include "isa/machine/device_memory.h"

namespace shflsim::cli {

/// One kernel argument: its bytes in the parameter area, and the device buffer that it points to.
struct Argument {
  std::string spec;
  std::vector<uint8_t> bytes;
  std::optional<uint64_t> buffer;
};

/// The kinds of arguments, as help and errors list them.
extern const char* const kArgumentKinds;

/// Turns the user's text into kernel arguments and the device buffers that they refer to; some of
/// these buffers have names.
class ArgumentReader {
 public:
  /// Relative paths are looked up in `folder`; buffers are made in `memory`.
  ArgumentReader(std::string folder, isa::DeviceMemory& memory)
      : folder_(std::move(folder)), memory_(memory) {}

  /// Reads `spec` (see kArgumentKinds). `NAME=` in front names the buffer that `spec` makes,
  /// `NAME@ADDRESS=` also sets its device address, and NAME alone refers to an earlier buffer.
  /// Throws InputError that begins with `option`.
  Argument read(const std::string& spec, const std::string& option);
  /// Reads a buffer that is not an argument. Throws if `spec` neither makes nor names a buffer.
  void add_buffer(const std::string& spec, const std::string& option);
  /// Throws InputError that begins with `option` if no buffer has this name.
  uint64_t address_of(const std::string& name, const std::string& option) const;

 private:
  using Address = std::optional<uint64_t>;  ///< none if any will do
  Argument unnamed(const std::string& spec, const std::string& option, Address address = {});
  uint64_t place(std::vector<uint8_t> bytes, const std::string& option, Address address);
  std::vector<uint8_t> structure(const std::string& spec, const std::string& option) const;
  /// NAME, NAME+BYTES, or a device address in hexadecimal.
  uint64_t place_of(const std::string& text, const std::string& option) const;
  std::string path_of(const std::string& file) const;

  const std::string folder_;
  isa::DeviceMemory& memory_;
  std::map<std::string, uint64_t> buffers_;
};

/// Spreads an index over 32 bits: the input rule of the conformance kernels.
uint32_t hashed(uint32_t index);

/// An argument that points to an existing buffer.
Argument pointer_to(uint64_t address, const std::string& spec);

/// The parameter area. Arguments are placed by the program's layout; without a layout each is
/// aligned to its size, as the CUDA ABI does with scalars. Throws InputError if the number or the
/// sizes of the arguments differ from the layout.
std::vector<uint8_t> parameter_area(const std::vector<Argument>& arguments,
                                    const isa::Program& program);

}  // namespace shflsim::cli
