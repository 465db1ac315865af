#pragma once

#include <percussion/report/history.h>
#include <percussion/report/scene.h>
#include <percussion/report/snapshots.h>

#include "instant.h"
#include <string>
#include <vector>

namespace percussion::report {

/// What all pictures of a run's bodies have in common.
struct Setting {
  std::vector<Frame> contacts; ///< may be empty
  Warp warp;
  std::string field; ///< none: plain
  Units units;
};

/// The setting for a run of which these instants are shown.
Setting setting_of(const History &run, const std::vector<Instant> &instants,
                   const SnapshotOptions &options);

/// The unit of a field that colours the bodies.
std::string unit_of(const std::string &field, const Units &units);

/// ", displacement × 100, in x from its mean" or ", true to scale".
std::string warp_text(const Warp &warp);

/// The directions in which the mean displacement is kept: "x and z", or nothing.
std::string kept_directions(const Warp &warp);

/// A percussion and the deformed contact point that it acts on.
struct Touch {
  std::array<double, 3> point, percussion;
};

/// The contact points of an instant that bear anything, each once.
std::vector<Touch> touches_of(const Instant &touching, const Warp &warp, const Motion &motion);

double largest_percussion(const std::vector<Touch> &touches);

/// The bodies of an instant with its percussions, whose arrows have `arrow_scale` times their
/// length; grounds, outlines of what is not deformed and words are left to the caller.
Scene bodies_scene(const Instant &instant, const std::vector<Touch> &touches,
                   const Setting &setting, double arrow_scale);

} // namespace percussion::report
