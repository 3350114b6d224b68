// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembly/device_variables.h"
#include "isa/base/input_error.h"
#include "isa/code/program.h"

namespace shflsim::isa {

/// A data section of a text: constants, shared memory, device variables.
struct DataSection {
  struct Address {
    size_t offset;  ///< offset of the 8 bytes that hold the variable's address
    std::string symbol;
  };
  std::vector<uint8_t> bytes;
  std::map<std::string, size_t> labels;
  std::vector<Address> addresses;
};
using DataSections = std::map<std::string, DataSection>;  ///< by section name

/// Reads the data sections of listings and of CuAssembler's texts line by line. Constant bank 0,
/// which a launch provides, is skipped.
class DataReader {
 public:
  explicit DataReader(DataSections* sections) : sections_(*sections) {}

  /// Begins a section. If it is not a data section, is_open() is false until the next section.
  void begin(std::string_view section);
  bool is_open() const { return section_ != nullptr; }
  /// Reads `.byte 0xcd, 0xcc`, `.word 0x3dcccccd`, `.zero 12`, `.dword variable` or `label:`; other
  /// lines are skipped. Throws InputError for too many bytes and for text that is not a number.
  void read(std::string_view text, const Position& where);

 private:
  void read_values(const std::string& values, std::string_view directive, size_t size,
                   const Position& where);
  void append(size_t size, uint64_t value, const Position& where);

  DataSections& sections_;
  DataSection* section_ = nullptr;
  uint64_t most_bytes_ = 0;  ///< bytes that the section may hold
};

/// The image of all sections of device variables.
DeviceVariables variables_of(const DataSections& sections);

/// Gives a program its device variables, constant banks and shared memory. The address of what is
/// no variable of the sections, as of a function, stays 0.
void add_data(const DataSections& sections, Program* program);
/// Throws InputError where the program's code reads such an address.
void check_addresses(const DataSections& sections, const std::string& file, const Program& program);

/// In code of sm_70 and SPA 5.0 a linker fills in immediates that hold half of a variable's
/// address. Here the immediate is replaced by a constant in a bank that the launch fills.
void put_variable_half(size_t variable, bool is_upper, Instruction* instruction, Program* program);

}  // namespace shflsim::isa
