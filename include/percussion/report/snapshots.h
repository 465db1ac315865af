#pragma once

#include <percussion/report/history.h>
#include <percussion/report/picture.h>

#include <optional>
#include <string>
#include <vector>

namespace percussion::report {

/// What the pictures of the bodies show.
struct SnapshotOptions {
  /// displacement, velocity (magnitudes) or von_mises; empty: von_mises, or displacement where no
  /// stress was written, and plain areas where all bodies are rigid.
  std::string field;
  /// The nearest written are taken; empty: telling_times(), and twelve at even distances where all
  /// bodies are rigid.
  std::vector<double> times;
  /// Multiplies the displacement; none: automatic_warp(), and 1 where there are rigid bodies.
  std::optional<double> warp;
};

/**
 * Draws the bodies at some instants of solution.pvd into `folder`, as snapshot-0.png,
 * snapshot-1.png … (`prefix` stands in for "snapshot-"); where all of them are rigid, as
 * snapshot-positions.png, in which the instants stand side by side. Without solution.pvd there is
 * nothing. Throws InputError where a file or field is missing.
 */
std::vector<Picture> draw_snapshots(const History &run, const SnapshotOptions &options,
                                    const std::filesystem::path &folder, const std::string &prefix);

} // namespace percussion::report
