// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/base/work.h"
#include "report/terminal/progress.h"

namespace shflsim::cli {

/// Shows the progress of reading or executing while the object exists.
class ShownWork final : public WorkListener {
 public:
  ShownWork() : line_(report::progress_out()), before_(listen_to_work(this)) {}
  ShownWork(const ShownWork&) = delete;
  ShownWork& operator=(const ShownWork&) = delete;
  ~ShownWork() override { listen_to_work(before_); }

  void work_done(uint64_t done, uint64_t all, const char* unit) override {
    line_.update_count(done, all, unit);
  }

 private:
  report::ProgressLine line_;
  WorkListener* const before_;
};

}  // namespace shflsim::cli
