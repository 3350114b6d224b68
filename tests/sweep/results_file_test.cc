// SPDX-License-Identifier: Apache-2.0
#include "sweep/results_file.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "isa/base/input_error.h"

namespace shflsim::sweep {
namespace results_file_test {

using report::Value;
using testing::ElementsAre;
using testing::HasSubstr;
using Access = ResultsFile::Access;

class Results : public testing::Test {
 protected:
  Results() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  ~Results() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  const std::string folder_ = testing::TempDir() + "results_file_test." + std::to_string(getpid());
};

const Plan kPlan = {"1 (abc)", "[sweep]\n", {"shuffle.lanes"}, {"cycles", "ipc"}, 3, "digest"};

PlannedPoint planned(size_t number) {
  return {number,
          "f" + std::to_string(number),
          "a.sass",
          "a",
          "gm107",
          "shflsim run a.sass",
          {std::to_string(8 << number)}};
}

void begin(ResultsFile* file, const Plan& plan = kPlan) {
  file->set_plan(plan, {{"a.sass", "a", "d", "--block 64"}}, {{"gm107", "x = 1\n"}}, plan.points,
                 planned);
}

PointResult done(size_t number, uint64_t cycles) {
  return {"f" + std::to_string(number), "done", "", 0.5, {cycles, 0.25}, {}};
}

TEST_F(Results, AreThereAgainWhenTheFileIsOpened) {
  {
    ResultsFile file(path("a"), Access::kWrite);
    begin(&file);
    file.add(done(2, 300));
    file.add({"f0", "timeout", "took longer than 1 s", 1, {}, {}});
  }
  EXPECT_FALSE(std::filesystem::exists(path("a-wal")));
  const ResultsFile file(path("a"), Access::kRead);
  EXPECT_THAT(file.known(), ElementsAre("f0", "f2"));
  EXPECT_THAT(file.known("done"), ElementsAre("f2"));
  const report::PointTable table = file.table();
  EXPECT_THAT(table.keys,
              ElementsAre("input", "kernel", "config", "shuffle.lanes", "cycles", "ipc", "state"));
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0][3], Value(uint64_t{8}));
  EXPECT_EQ(table.rows[0][4], Value());
  EXPECT_EQ(table.rows[0][6], Value(std::string("timeout")));
  EXPECT_EQ(table.rows[1][6], Value(std::string("missing")));
  EXPECT_EQ(table.rows[2][4], Value(uint64_t{300}));
  EXPECT_EQ(table.rows[2][5], Value(0.25));
  ASSERT_EQ(file.failures().size(), 1u);
  EXPECT_EQ(file.failures()[0].reason, "took longer than 1 s");
  EXPECT_EQ(file.failures()[0].command, "shflsim run a.sass");
}

TEST_F(Results, StayWhereTheGridChanges) {
  ResultsFile file(path("a"), Access::kWrite);
  begin(&file);
  file.add(done(0, 100));
  Plan smaller = kPlan;
  smaller.points = 1;
  begin(&file, smaller);
  EXPECT_EQ(file.table().rows.size(), 1u);
  EXPECT_EQ(file.table().rows[0][4], Value(uint64_t{100}));
}

TEST_F(Results, AreReplacedByANewResultOfTheSamePoint) {
  ResultsFile file(path("a"), Access::kWrite);
  begin(&file);
  file.add(done(1, 100));
  file.add({"f1", "invalid", "no", 0, {}, {}});
  EXPECT_EQ(file.table().rows[1][4], Value());
  file.add(done(1, 200));
  EXPECT_EQ(file.table().rows[1][4], Value(uint64_t{200}));
}

TEST_F(Results, KeepTheRowsOfInstructions) {
  ResultsFile file(path("a"), Access::kWrite);
  begin(&file);
  PointResult result = done(0, 1);
  result.rows = {R"({"pc":"0x0008"})", R"({"pc":"0x0010"})"};
  file.add(result);
  file.add(result);  // replaces the earlier one
  SQLite::Database database(path("a"));
  EXPECT_EQ(database.execAndGet("SELECT group_concat(row, ' ') FROM rows").getString(),
            R"({"pc":"0x0008"} {"pc":"0x0010"})");
}

TEST_F(Results, OfShardsAreMergedInAnyOrder) {
  {
    ResultsFile a(path("a"), Access::kWriteAlone);
    begin(&a);
    a.add(done(0, 100));
    a.add({"f2", "crashed", "its process was killed by signal 9", 0, {}, {}});
    ResultsFile b(path("b"), Access::kWriteAlone);
    begin(&b);
    b.add(done(2, 300));
    b.add(done(1, 200));
  }
  for (const auto& [first, second] : {std::pair("a", "b"), std::pair("b", "a")}) {
    const std::string merged = path(std::string("merged_") + first);
    ResultsFile(path(first), Access::kRead).copy_to(merged);
    ResultsFile file(merged, Access::kWrite);
    file.merge(path(second));
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(file.table().rows[i][4], Value(uint64_t{100 * (i + 1)})) << first << i;
  }
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_F(Results, OfAnotherSweepAreNotMerged) {
  Plan other = kPlan;
  other.digest = "another";
  ResultsFile a(path("a"), Access::kWrite);
  begin(&a);
  {
    ResultsFile b(path("b"), Access::kWrite);
    begin(&b, other);
  }
  EXPECT_THAT(error_of([&] { a.merge(path("b")); }), HasSubstr("b: is of another sweep than"));
}

TEST_F(Results, AreNotReadFromOtherFiles) {
  std::ofstream(path("text")) << std::string(1000, 'x');
  std::ofstream(path("empty")) << "";
  EXPECT_THAT(error_of([&] { ResultsFile(path("none"), Access::kRead); }),
              HasSubstr("none: no such file; expected a file of results"));
  EXPECT_THAT(error_of([&] { ResultsFile(path("text"), Access::kRead); }),
              HasSubstr("file is not a database; expected a file of results"));
  EXPECT_THAT(error_of([&] { ResultsFile(path("text"), Access::kWrite); }),
              HasSubstr("file is not a database"));
  EXPECT_THAT(error_of([&] { ResultsFile(path("empty"), Access::kRead); }),
              HasSubstr("is no file of results of this version"));
  EXPECT_THAT(error_of([&] { ResultsFile(folder_, Access::kWrite); }),
              HasSubstr("expected a file in a writable folder"));
  EXPECT_THAT(error_of([&] { ResultsFile(path("no/such"), Access::kWrite); }),
              HasSubstr("expected a file in a writable folder"));
}

}  // namespace results_file_test
}  // namespace shflsim::sweep
