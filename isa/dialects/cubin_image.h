// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/dialects/elf_file.h"
#include "isa/dialects/kernel_summary.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// A cubin of any architecture, without decoding its code: an ELF file with a .text section for
/// each kernel and further sections for constants, shared memory and attributes. The numbers of
/// attributes are those that cuobjdump and readelf print for the files of ptxas 12.8 and 13.0. The
/// version of ptxas, not the architecture, determines which sections and bits exist.
class CubinImage {
 public:
  /// Throws InputError if the bytes are not a whole cubin.
  explicit CubinImage(const SourceText& source);

  [[noreturn]] void fail(const std::string& what) const { throw InputError({file_}, what); }
  unsigned sm() const { return sm_; }  ///< 50 for sm_50
  std::vector<std::string> kernels() const;
  const ElfSection* find(const std::string& name) const;
  /// The section with this number in the file; nullptr if it does not exist.
  const ElfSection* numbered(uint32_t section) const;
  const std::vector<ElfSymbol>& symbols() const { return symbols_; }
  std::string symbol_name(uint32_t symbol) const;
  /// True if a symbol is one of the file's variables in global memory.
  bool is_variable(uint32_t symbol) const;
  /// Number of the constant bank that a symbol's variable is in; none if it is in no bank.
  std::optional<uint8_t> constant_bank(uint32_t symbol) const;
  /// The relocations of the section with this name.
  const std::vector<ElfRelocation>& relocations(const std::string& section) const;

  /// The kernel's parameters in order.
  std::vector<Program::Parameter> parameters(const std::string& kernel) const;
  uint64_t registers(const std::string& kernel) const;     ///< registers of a thread; 0: not given
  uint64_t local_bytes(const std::string& kernel) const;   ///< stack of a thread, bytes
  uint64_t shared_bytes(const std::string& kernel) const;  ///< static
  uint64_t barriers(const std::string& kernel) const;
  uint32_t most_threads(const std::string& kernel) const;  ///< of a block; 0: not given
  /// Blocks of a cluster, x, y and z; {}: not given.
  std::array<uint32_t, 3> cluster(const std::string& kernel) const;
  KernelSummary summary(const std::string& kernel) const;

 private:
  /// An entry of .nv.info or .nv.info.KERNEL.
  struct Attribute {
    static constexpr uint8_t kSized = 0x04;        // EIFMT_SVAL: a payload follows
    static constexpr uint8_t kMostThreads = 0x05;  // EIATTR_MAX_THREADS: x, y and z
    static constexpr uint8_t kBank = 0x0a;         // EIATTR_PARAM_CBANK: symbol, base and size
    static constexpr uint8_t kMinStack = 0x12;     // EIATTR_MIN_STACK_SIZE: symbol, bytes
    static constexpr uint8_t kParameter = 0x17;    // EIATTR_KPARAM_INFO
    static constexpr uint8_t kRegisters = 0x2f;    // EIATTR_REGCOUNT: symbol, registers per thread
    static constexpr uint8_t kCluster = 0x3d;      // EIATTR_CTA_PER_CLUSTER: x, y and z
    static constexpr uint8_t kBarriers = 0x4c;     // EIATTR_NUM_BARRIERS, from CUDA 13 on
    uint8_t number = 0;
    uint16_t value = 0;  ///< if the entry itself contains the value
    FileBytes payload;   ///< empty in that case
  };
  std::vector<Attribute> attributes(const std::string& section) const;
  void read_file_attributes();

  std::string file_;
  ElfFile elf_;
  unsigned sm_ = 0;
  std::vector<ElfSection> sections_;
  std::vector<ElfSymbol> symbols_;
  std::map<std::string, size_t> by_name_;  ///< the first section of each name
  /// The relocations, by the name of the patched section; read at the first use.
  mutable std::optional<std::map<std::string, std::vector<ElfRelocation>>> relocations_;
  std::map<std::string, uint64_t> registers_;
  std::map<std::string, uint64_t> stacks_;
};

}  // namespace shflsim::isa
