#pragma once

#include <percussion/algebra/block_diagonal.h>
#include <percussion/algebra/ties.h>
#include <percussion/body/link_forces.h>

#include <algorithm>
#include <utility>

namespace percussion {

/// Impulses that end the motion of rigid bodies against their joints.
///
/// Joints prescribe positions, so that their mean rates over a step vanish, not their rates at its
/// end. In a smooth motion these remain small; an impact at a limit, or the stop of a joint by
/// friction, would leave rates that alternate with θ = ½, and joint forces that alternate with an
/// amplitude that does not depend on the length of the step. The impulses −Gᵀ t with the smallest
/// kinetic energy lead to velocities with G v = 0 in the rows G of joints and of coordinates at
/// rest: their work −½ t · G (v + v') = −½ tᵀ G M⁻¹ Gᵀ t is never positive.
template <int dim>
class JointVelocities {
public:
  explicit JointVelocities(const System<dim> &b)
      : bodies(b), mass(b.n_dofs() - b.n_elastic_dofs(), 3) {
    mass.set(bodies.operators.mass, bodies.n_elastic_dofs());
    for (const unsigned int dof : bodies.motion.dofs())
      if (dof >= bodies.n_elastic_dofs())
        mass.fix(dof - bodies.n_elastic_dofs());
    is_usable = mass.factorise();
  }

  /// Applies the impulses of these rows to the velocities v, by indices in a list of degrees of
  /// freedom; rows of elastic bodies are omitted. Returns the work of the impulses.
  double stop(const std::vector<LinkRow> &link_rows, const std::vector<unsigned int> &dofs,
              Vector &v) const {
    std::vector<TieRow> rows;
    for (const LinkRow &row : link_rows)
      if (std::all_of(row.column.begin(), row.column.end(),
                      [&](unsigned int k) { return dofs[k] >= bodies.n_elastic_dofs(); }))
        rows.push_back({row.column, row.value});
    if (rows.empty() || !is_usable)
      return 0.;
    Ties ties;
    ties.set(rows, dofs.size());
    ties.prepare(1, dofs.size(), [&](std::size_t i, std::size_t j) {
      const unsigned int first = bodies.n_elastic_dofs();
      const bool are_rigid = dofs[i] >= first && dofs[j] >= first;
      return are_rigid && !mass.is_fixed(dofs[i] - first) && !mass.is_fixed(dofs[j] - first)
                 ? mass.inverse(dofs[i] - first, dofs[j] - first)
                 : 0.;
    });
    std::vector<double> x;
    for (const unsigned int dof : dofs)
      x.push_back(v[dof]);
    ties.start(x.data());
    for (std::size_t k = 0; k < dofs.size(); ++k)
      v[dofs[k]] += ties.displacement(k);
    double work = 0;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t k = 0; k < rows[r].column.size(); ++k)
        work -= 0.5 * ties.forces()[r] * rows[r].value[k] *
                (x[rows[r].column[k]] + v[dofs[rows[r].column[k]]]);
    return work;
  }

private:
  const System<dim> &bodies;
  /// Mass of the rigid bodies, in 3D a block for translations and one for rotations.
  BlockDiagonal mass;
  bool is_usable;
};

} // namespace percussion
