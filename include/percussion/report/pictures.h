#pragma once

#include <percussion/report/history.h>

#include <optional>

namespace percussion::report {

/// Where on the page a picture stands.
enum class Section { bodies, energy, contact };

/// A picture and what it shows.
struct Picture {
  std::filesystem::path file;
  std::string caption;
  std::string alt; ///< for those who do not see it
  Section section = Section::bodies;
  bool is_scene = false; ///< bodies rather than a chart: legible at any size
};

/// What the pictures of the bodies show.
struct SceneOptions {
  /// displacement, velocity (magnitudes) or von_mises; empty: von_mises, displacement where no
  /// stress was written, no colours where all bodies are rigid.
  std::string field;
  /// Of the snapshots, the nearest written instants; empty: notable_times(), or twelve evenly
  /// spaced where all bodies are rigid.
  std::vector<double> times;
  /// Factor on the displacements; none: automatic_warp(), or 1 where there are rigid bodies.
  std::optional<double> warp;
  int frames = 60; ///< of the animation, at most; evenly spaced over the written instants
};

/**
 * Draws the bodies at some instants of solution.pvd into `folder`, as snapshot-0.png,
 * snapshot-1.png … (`prefix` replaces "snapshot-"); where all bodies are rigid, side by side in
 * snapshot-positions.png. Returns nothing without solution.pvd. Throws InputError where a file or a
 * field is missing.
 */
std::vector<Picture> draw_snapshots(const History &run, const SceneOptions &options,
                                    const std::filesystem::path &folder, const std::string &prefix);

/**
 * Draws the moving bodies into `folder`: frames/frame-000.png and so on, and animation.gif, of half
 * their size and of so few of them that it can be mailed. Several runs move side by side, the first
 * four whose bodies are of the first one's kind. All frames share the scales of colours and arrows.
 * Returns nothing where no run has two written instants. Throws InputError where a file or a field
 * is missing, RunError where a file cannot be written.
 */
std::vector<Picture> draw_animation(const std::vector<History> &runs, const SceneOptions &options,
                                    const std::filesystem::path &folder);

/**
 * Draws the charts over time into `folder`: energies, works, contacts, forces, statuses, motions of
 * rigid bodies; several runs share each chart. Figures 9 and 10 of Acary and Collins-Craft (2024)
 * are the model of the energies, figures 8 to 11 of Barboteu et al. (2024) of the forces.
 * Throws InputError where a file or a field is missing, RunError where a file cannot be written.
 */
std::vector<Picture> draw_histories(const std::vector<History> &runs,
                                    const std::filesystem::path &folder);

} // namespace percussion::report
