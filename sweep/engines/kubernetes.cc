// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <vector>

#include "sweep/engines/sharded_sweep.h"

namespace shflsim::sweep {
namespace {

namespace fs = std::filesystem;

/// A line for the container's shell, in which Kubernetes must not replace $(NAME).
std::string command(std::string line) {
  for (size_t at = line.find("$("); at != std::string::npos; at = line.find("$(", at + 3))
    line.insert(at, "$");
  return in_quotes(line);
}

/// The folders that the jobs need, without those inside others.
std::vector<std::string> folders(const ShardedSweep& sweep) {
  std::set<std::string> all = {sweep.folder + "/",
                               fs::path(sweep.database).parent_path().string() + "/"};
  for (const std::string& file : sweep.files) {
    const fs::path path = (fs::path(sweep.folder) / file).lexically_normal();
    all.insert(path.parent_path().string() + "/");
  }
  std::vector<std::string> outermost;
  for (const std::string& each : all) {
    if (outermost.empty() || each.rfind(outermost.back(), 0) != 0) outermost.push_back(each);
  }
  return outermost;
}

/// Mounts of the shared folders, at the paths that they have here.
std::string mounts(const ShardedSweep& sweep) {
  std::string text;
  for (const std::string& folder : folders(sweep)) {
    const std::string path = folder.substr(0, folder.size() - 1);
    text += fmt::format(
        "            - name: sweep\n"
        "              mountPath: {}\n"
        "              subPath: {}\n",
        in_quotes(path), in_quotes(fs::path(path).relative_path().string()));
  }
  return text;
}

std::string environment(const ShardedSweep& sweep) {
  std::string text;
  for (const auto& [name, value] : sweep.environment)
    text +=
        fmt::format("            - name: {}\n              value: {}\n", name, in_quotes(value));
  return text.empty() ? text : "          env:\n" + text;
}

std::string job(const ShardedSweep& sweep, const std::string& name, const std::string& its,
                const std::string& line, unsigned processors) {
  return fmt::format(
      R"(apiVersion: batch/v1
kind: Job
metadata:
  name: {name}
spec:
{its}  template:
    spec:
      restartPolicy: Never
      containers:
        - name: shflsim
          image: {image}
          workingDir: {folder}
          command: ["sh", "-c", {command}]
{environment}          resources:
            requests:
              cpu: {processors}
          volumeMounts:
{mounts}      volumes:
        - name: sweep
          persistentVolumeClaim:
            claimName: shflsim
)",
      fmt::arg("name", name), fmt::arg("its", its),
      fmt::arg("image", in_quotes("shflsim:" + sweep.version.substr(0, sweep.version.find(' ')))),
      fmt::arg("folder", in_quotes(sweep.folder)), fmt::arg("command", command(line)),
      fmt::arg("environment", environment(sweep)), fmt::arg("processors", processors),
      fmt::arg("mounts", mounts(sweep)));
}

std::string jobs(const ShardedSweep& sweep) {
  const std::string name = job_name(sweep);
  const std::string shard = shard_command(
      sweep, "shflsim", fmt::format("auto --shards {}", sweep.shards), std::to_string(sweep.jobs));
  return fmt::format(
             "# {} points in {} shards. `image` needs shflsim {}, and the volume all files that "
             "the\n"
             "# sweep reads, by their paths below /. Once the first job is complete:\n"
             "#   kubectl patch job {}-merge --patch '{{\"spec\": {{\"suspend\": false}}}}'\n",
             sweep.points, sweep.shards, sweep.version, name) +
         job(sweep, name,
             fmt::format("  completionMode: Indexed\n"
                         "  completions: {0}\n"
                         "  parallelism: {0}\n"
                         "  backoffLimit: {1}\n",
                         sweep.shards, 2 * sweep.shards),
             shard + " || [ $? -eq 1 ]", sweep.jobs) +
         "---\n" +
         job(sweep, name + "-merge", "  suspend: true\n", merge_command(sweep, "shflsim"), 1);
}

const bool kubernetes_registered = Engines::add(
    "kubernetes", "an indexed job of the shards, and a suspended one that merges them", jobs);

}  // namespace
}  // namespace shflsim::sweep
