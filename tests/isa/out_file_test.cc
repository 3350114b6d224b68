// SPDX-License-Identifier: Apache-2.0
#include "isa/base/out_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "isa/base/input_error.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace out_file_test {

namespace fs = std::filesystem;

/// An empty folder of the test's own.
class OutFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("shflsim-files-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  size_t entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

std::string error_of(const std::string& path) {
  try {
    write_file(path, "content");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(OutFileTest, HoldsTheContentAndNothingLiesBesideIt) {
  write_file(path("a"), std::string("one\0two\n", 8));
  EXPECT_EQ(test::read_file(path("a")), std::string("one\0two\n", 8));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutFileTest, ReplacesAnOlderOne) {
  write_file(path("a"), "a long old content");
  write_file(path("a"), "new");
  EXPECT_EQ(test::read_file(path("a")), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutFileTest, WritesThroughALinkInsteadOfReplacingIt) {
  write_file(path("target"), "old");
  fs::create_symlink(path("target"), path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(test::read_file(path("target")), "new");
}

TEST_F(OutFileTest, InAFolderThatIsNotThereIsAnErrorWithThePath) {
  EXPECT_EQ(error_of(path("no/a")), path("no/a") +
                                        ": cannot be written: No such file or directory"
                                        "; expected a file in a writable folder");
  EXPECT_EQ(entries(), 0u);
}

TEST_F(OutFileTest, OverAFolderIsAnErrorAndLeavesNothing) {
  fs::create_directory(path("a"));
  EXPECT_EQ(error_of(path("a")).rfind(path("a") + ": cannot be written: Is a directory", 0), 0u);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutFileTest, OnAFullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(error_of("/dev/full"),
            "/dev/full: cannot be written: No space left on device"
            "; expected a file in a writable folder");
}

}  // namespace out_file_test
}  // namespace shflsim::isa
