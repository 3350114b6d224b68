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

/// Kinds of arguments, for help and errors.
extern const char* const kArgumentKinds;

/// Makes kernel arguments of the user's text, and the device buffers that they refer to, some of
/// which have names.
class ArgumentReader {
 public:
  /// Files are looked for from `folder`; buffers are made in `memory`.
  ArgumentReader(std::string folder, isa::DeviceMemory& memory)
      : folder_(std::move(folder)), memory_(memory) {}

  /// Reads `spec` (see kArgumentKinds); `NAME=` in front names the buffer that it makes,
  /// `NAME@ADDRESS=` also says at which device address, and NAME alone is one made before. Throws
  /// InputError that begins with `option`.
  Argument read(const std::string& spec, const std::string& option);
  /// Reads a buffer that is not an argument. Throws if `spec` neither makes nor names a buffer.
  void add_buffer(const std::string& spec, const std::string& option);
  /// Throws InputError that begins with `option` if there is none of that name.
  uint64_t address_of(const std::string& name, const std::string& option) const;

 private:
  using Address = std::optional<uint64_t>;  ///< none if any will do
  Argument unnamed(const std::string& spec, const std::string& option, Address address = {});
  uint64_t place(std::vector<uint8_t> bytes, const std::string& option, Address address);
  std::vector<uint8_t> structure(const std::string& spec, const std::string& option) const;
  std::string path_of(const std::string& file) const;

  const std::string folder_;
  isa::DeviceMemory& memory_;
  std::map<std::string, uint64_t> buffers_;
};

/// Spreads an index over 32 bits: the input rule of the conformance kernels.
uint32_t hashed(uint32_t index);

/// An argument that points to a buffer which is there already.
Argument pointer_to(uint64_t address, const std::string& spec);

/// The parameter area: as the program's layout says, and otherwise each at a multiple of its size,
/// as the CUDA ABI lays scalars out. Throws InputError if number or sizes differ from the
/// layout.
std::vector<uint8_t> parameter_area(const std::vector<Argument>& arguments,
                                    const isa::Program& program);

}  // namespace shflsim::cli
