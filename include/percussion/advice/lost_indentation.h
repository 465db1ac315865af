#pragma once

#include <percussion/case/case.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

namespace percussion {

/// Watch for points that carry forces in the depth of the opposite side, or above it: where bodies
/// are indented by δ and held on both sides, a mean depth g makes forces too small by about the
/// fraction g/δ, and a mean height too large, as the persistent contacts of adapted-continuity keep
/// the gap at which they close. (If one side is free, the loads give the force.) Both are means
/// over a tenth of the run weighted with the forces,
///
///     g = Σ p d / Σ p ,   δ = Σ 2 U h / Σ p ,
///
/// with the normal percussion p and the depth d of each contact at the end of its step, negative
/// above the opposite side, and the strain energy U, for which F δ = 2 U. Rigid bodies alone and
/// springs have no indentation.
template <int dim>
class LostIndentation {
public:
  /// Prepares the watch. The case must outlive it.
  explicit LostIndentation(const Case<dim> &the_case);

  /// Adds a step.
  void add(const State<dim> &state, const StepRecord<dim> &record);

  /// Returns a sentence on the contact that has lost or gained most, if the mean depth or height is
  /// more than 5 % of the indentation in a tenth of the run; else empty.
  std::string look() const;

private:
  /// Sums over some steps.
  struct Sums {
    std::vector<double> depths; ///< Σ p d of each pair [impulse × length]
    double indentation = 0;     ///< Σ 2 U h [impulse × length]
    double percussion = 0;      ///< Σ p [impulse]

    double lost() const { return std::accumulate(depths.begin(), depths.end(), 0.); }
    /// Returns the fraction of the force that is lost; negative if forces are too large.
    double fraction() const { return indentation > 0. ? lost() / indentation : 0.; }
  };

  bool is_held(const ContactRecord<dim> &contact) const;

  const Case<dim> &c;
  std::vector<bool> counts; ///< true for pairs that indent bodies
  /// Components in which any motion of each body is prescribed; elastic bodies come first.
  std::vector<std::array<bool, dim>> held;
  /// For each pair, components in which all opposite elastic bodies are held; surfaces are.
  std::vector<std::array<bool, dim>> opposite_held;
  Sums present, worst; ///< sums over the present tenth, and over the one with the largest fraction
  unsigned int n_added = 0;
};

} // namespace percussion
