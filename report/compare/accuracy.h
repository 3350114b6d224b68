// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "report/run/document.h"
#include "report/run/field.h"
#include "report/run/head.h"

namespace shflsim::report {

/// A measured time, the model's time and the model's error.
struct ModelledTime {
  double measured = 0;  ///< cycles
  double modelled = 0;  ///< cycles
  double error = 0;     ///< percent of the measured time
};

/// One line of a timing file, measured and modelled.
struct AccuracyPoint {
  std::string kernel;
  bool one_sub_partition = false;
  uint32_t warps = 1;
  bool is_thin = false;  ///< at most one warp per sub-partition
  ModelledTime span;     ///< first clock read of any warp to the last of any
  ModelledTime warp;     ///< median over the warps
};

/// The model compared with a timing file.
struct Accuracy {
  Origin origin;       ///< the listing and the options of the runs
  std::string timing;  ///< the timing file
  Machine machine;
  std::vector<AccuracyPoint> points;
};

/// The worse of the mean absolute errors of span and warp, in percent, over the thin points or over
/// the other points; 0 if there are no such points.
double mean_error(const Accuracy& accuracy, bool of_thin);

const Fields<Accuracy>& accuracy_header();  ///< input and mean errors
const Fields<AccuracyPoint>& accuracy_columns();
Document accuracy_document(const Accuracy& accuracy);
void write_accuracy(std::ostream& out, const Accuracy& accuracy);

}  // namespace shflsim::report
