// SPDX-License-Identifier: Apache-2.0
#include "model/sub_partition/issue_record.h"

namespace shflsim::model {
namespace {

Way way_of(const Facts& facts, bool special_queued) {
  if (facts.pipe == isa::Pipe::kBranch || facts.pipe == isa::Pipe::kFrontEnd) return Way::kNothing;
  if (facts.pipe == isa::Pipe::kGlobal) return Way::kGlobalQueue;
  if (facts.pipe == isa::Pipe::kXu && !special_queued) return Way::kSpecial;
  return is_mio(facts.pipe) ? Way::kQueue : static_cast<Way>(facts.math);
}

}  // namespace

std::vector<IssueRecord> issue_records(const std::vector<Facts>& facts,
                                       const RegisterFile& register_file, bool special_queued) {
  std::vector<IssueRecord> records;
  records.reserve(facts.size());
  for (const Facts& each : facts) {
    IssueRecord record;
    record.way = way_of(each, special_queued);
    record.waits_behind_barrier = is_mio(each.pipe) || each.pipe == isa::Pipe::kBranch;
    if (is_math(record.way)) record.banks = register_file.banks_of(each.footprint);
    records.push_back(record);
  }
  return records;
}

}  // namespace shflsim::model
