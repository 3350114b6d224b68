// SPDX-License-Identifier: Apache-2.0
// Files whose sizes, counts and offsets exceed the file.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace reader_bounds_test {

/// The first kernel of a text or an image in the dialect; the error that this raises, or "".
std::string error_of(const std::string& dialect, const std::string& content) {
  try {
    const auto source = Dialects::named(dialect).open({"file", content});
    source->program(source->kernels().front());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A fat binary without an entry: a header of 16 bytes, then one of 64 with this payload's size.
std::string empty_fatbin(uint64_t payload_bytes) {
  std::string text(80, '\0');
  const auto put = [&text](size_t at, uint64_t value, size_t size) {
    std::memcpy(text.data() + at, &value, size);
  };
  put(0, 0xba55ed50, 4);
  put(4, 1, 2);
  put(6, 16, 2);
  put(8, 64, 8);
  put(16, 2, 2);  // a cubin
  put(20, 64, 4);
  put(24, payload_bytes, 8);
  return text;
}

TEST(Fatbin, A14APayloadSizeThatWrapsIsRefused) {
  for (const uint64_t size : {~uint64_t{0} - 63, ~uint64_t{0} - 15, ~uint64_t{0}}) {
    EXPECT_EQ(error_of("fatbin", empty_fatbin(size)),
              "file: the fat binary is cut off at byte 16; expected a whole one");
  }
}

TEST(Fatbin, ABodyIsReadOnceWhateverItHolds) {
  // A header in the middle of the payload of another one is that payload's.
  std::string text = empty_fatbin(80) + empty_fatbin(0);
  const uint64_t body = 64 + 80;
  std::memcpy(text.data() + 8, &body, sizeof body);
  text[80 + 44] = 7;  // the architecture of its entry
  EXPECT_EQ(error_of("fatbin", text),
            "file: holds sm_0; expected a cubin of sm_50 to sm_121, or PTX");
}

/// kernels.cubin or control.cubin with one section header changed.
class CubinImage {
 public:
  explicit CubinImage(const std::string& name) : bytes_(test::read_file(test::data_path(name))) {
    std::memcpy(&header_, bytes_.data(), sizeof header_);
  }
  CubinImage& change(const std::string& section, const std::function<void(Elf64_Shdr&)>& f) {
    for (size_t i = 0; i < header_.e_shnum; ++i) {
      Elf64_Shdr each = header_of(i);
      if (name_of(each) != section) continue;
      f(each);
      std::memcpy(bytes_.data() + place_of(i), &each, sizeof each);
      return *this;
    }
    ADD_FAILURE() << "no section " << section;
    return *this;
  }
  /// Sets bytes of a section's content.
  template <class Value>
  CubinImage& put(const std::string& section, size_t at, Value value) {
    return change(section, [&](Elf64_Shdr& header) {
      std::memcpy(bytes_.data() + header.sh_offset + at, &value, sizeof value);
    });
  }
  std::string error() const { return error_of("cubin", bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  size_t place_of(size_t i) const { return header_.e_shoff + i * sizeof(Elf64_Shdr); }
  Elf64_Shdr header_of(size_t i) const {
    Elf64_Shdr header;
    std::memcpy(&header, bytes_.data() + place_of(i), sizeof header);
    return header;
  }
  std::string name_of(const Elf64_Shdr& header) const {
    return bytes_.data() + header_of(header_.e_shstrndx).sh_offset + header.sh_name;
  }

  std::string bytes_;
  Elf64_Ehdr header_;
};

constexpr const char* kControl = "corpus/control.cubin.gz";

TEST(Cubin, A2ARelocationWhoseOffsetWrapsIsRefused) {
  const std::string constants = ".rel.nv.constant4";
  EXPECT_EQ(
      CubinImage(kControl)
          .put(constants, 0, ~uint64_t{0} - 6)
          .error()
          .find(
              "file: an address at byte 18446744073709551609 of .nv.constant4; expected it among"),
      0u);
}

TEST(Cubin, A19SharedMemoryIsHeldAgainstALimitBeforeItIsMade) {
  CubinImage image("sm50/kernels.cubin.gz");
  std::string shared;
  const auto source = Dialects::named("cubin").open({"file", image.bytes()});
  for (const std::string& kernel : source->kernels()) {
    if (source->program(kernel).shared_bytes != 0) shared = ".nv.shared." + kernel;
  }
  image.change(shared, [](Elf64_Shdr& header) { header.sh_size = uint64_t{1} << 32; });
  const auto damaged = Dialects::named("cubin").open({"file", image.bytes()});
  try {
    damaged->program(shared.substr(11));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "file: " + shared + " of 4294967296 bytes; expected 1048576 at most");
  }
}

TEST(Cubin, A3MoreRegistersThanThereAreAreRefused) {
  CubinImage image(kControl);
  const auto source = Dialects::named("cubin").open({"file", image.bytes()});
  const std::string info = ".nv.info";
  // EIATTR_REGCOUNT, 0x2f04 followed by 8 bytes: symbol, registers.
  std::string bytes = image.bytes();
  unsigned found = 0;
  const std::string entry("\x04\x2f\x08\x00", 4);
  for (size_t at = bytes.find(entry); at != std::string::npos; at = bytes.find(entry, at + 1)) {
    const uint32_t many = 1u << 27;
    std::memcpy(bytes.data() + at + 8, &many, sizeof many);
    ++found;
  }
  ASSERT_GT(found, 0u);
  EXPECT_EQ(error_of("cubin", bytes), "file: a register count of 134217728; expected 255 at most");
}

TEST(Cubin, ASectionThatSharesItsBytesWithOthersIsRead) {
  CubinImage image(kControl);
  const size_t size = image.bytes().size();
  image.change(".nv.callgraph", [size](Elf64_Shdr& header) {
    header.sh_offset = 0;
    header.sh_size = size;
  });
  EXPECT_EQ(image.error(), "");
}

TEST(Cubin, SectionsThatOverlapToMoreThanTwiceTheFileAreRefused) {
  CubinImage image(kControl);
  const size_t size = image.bytes().size();
  for (const char* name : {".nv.info", ".strtab", ".text.call_virtual"}) {
    image.change(name, [size](Elf64_Shdr& header) {
      header.sh_offset = 0;
      header.sh_size = size;
    });
  }
  EXPECT_EQ(image.error().rfind("file: sections of ", 0), 0u) << image.error();
}

std::string listing(const std::string& line) {
  return "\t.section\t.text.k,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=" + line + "\n";
}

TEST(Listing, A3MoreRegistersThanThereAreAreRefused) {
  EXPECT_EQ(error_of("listing", listing("134217728\"")),
            "file:2: SHI_REGISTERS of '134217728'; expected a number up to 255");
  EXPECT_EQ(error_of("listing", listing("18446744073709551617\"")),
            "file:2: SHI_REGISTERS of '18446744073709551617'; expected a number up to 255");
}

TEST(Listing, A19DataIsBoundedBySectionNotByLine) {
  const auto section = [](const std::string& name, const std::string& lines) {
    return error_of("listing", "\t.section\t" + name + ",\"a\",@progbits\n" + lines);
  };
  EXPECT_EQ(section(".nv.shared.k", "\t.zero\t1048576\n\t.zero\t1\n"),
            "file:3: data of 1048577 bytes in this section; expected 1048576 at most");
  EXPECT_EQ(section(".nv.constant3", "\t.zero\t65533\n\t.word\t0x1\n"),
            "file:3: data of 65537 bytes in this section; expected 65536 at most");
  EXPECT_EQ(section(".nv.global", "\t.zero\t18446744073709551615\n"),
            "file:2: data of 18446744073709551615 bytes in this section; expected 134217728 at "
            "most");
}

std::string maxas(const std::string& remark) {
  return "# Kernel: k\n" + remark + "\n--:-:-:-:5      EXIT;\n";
}

TEST(Maxas, A3A19RegistersAndSharedMemoryAreHeldAgainstTheirLimits) {
  EXPECT_EQ(error_of("maxas", maxas("# RegCnt: 134217728")),
            "file:2:3: RegCnt of '134217728'; expected a number up to 255");
  EXPECT_EQ(error_of("maxas", maxas("# SharedSize: 4294967295")),
            "file:2:3: SharedSize of '4294967295'; expected a number up to 1048576");
}

}  // namespace reader_bounds_test
}  // namespace shflsim::isa
