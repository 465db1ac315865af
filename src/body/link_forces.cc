#include <percussion/body/link_forces.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

using dealii::Tensor;

/// End of a link at the beginning and the end of a step.
template <int dim>
struct LinkForces<dim>::EndMotion {
  const LinkEnd<dim> &end;
  Tensor<1, dim> x0, x1; ///< [length]
  Tensor<1, dim> turn;   ///< (x1 − x0 − translation) / Δφ of a rigid body
  double size = 0;       ///< size of the numbers from which x1 is computed [length]
};

template <int dim>
LinkForces<dim>::LinkForces(const System<dim> &system)
    : bodies(system), links(system.links), begin(system.n_dofs()) {
  for (const Link<dim> &link : links) {
    for (const LinkEnd<dim> *const end : {&link.first, &link.second}) {
      for (const auto &[dofs, weight] : end->nodes)
        all_dofs.insert(all_dofs.end(), dofs.begin(), dofs.end());
      for (unsigned int i = 0; end->rigid && i < RigidBody<dim>::n_dofs; ++i)
        all_dofs.push_back(bodies.rigid_dof(*end->rigid) + i);
    }
    if (link.kind != LinkKind::spring)
      number_of_impulses += dim + (link.kind == LinkKind::weld ? 1 : 0);
  }
  std::sort(all_dofs.begin(), all_dofs.end());
  all_dofs.erase(std::unique(all_dofs.begin(), all_dofs.end()), all_dofs.end());
}

namespace {

/// Returns sin x / x.
double sinc(double x) { return std::abs(x) < 1e-4 ? 1. - x * x / 6. : std::sin(x) / x; }

/// Returns unit vectors orthogonal to a unit vector and to each other.
std::array<Tensor<1, 2>, 1> directions_across(const Tensor<1, 2> &direction) {
  return {{cross_product_2d(direction)}};
}
std::array<Tensor<1, 3>, 2> directions_across(const Tensor<1, 3> &direction) {
  Tensor<1, 3> axis; // the axis farthest from the direction
  axis[std::abs(direction[0]) < std::abs(direction[1])
           ? (std::abs(direction[0]) < std::abs(direction[2]) ? 0 : 2)
           : (std::abs(direction[1]) < std::abs(direction[2]) ? 1 : 2)] = 1.;
  Tensor<1, 3> first = cross_product_3d(direction, axis);
  first /= first.norm();
  return {{first, cross_product_3d(direction, first)}};
}

} // namespace

template <int dim>
typename LinkForces<dim>::EndMotion
LinkForces<dim>::end_motion(const LinkEnd<dim> &end, const double *q0, const double *q1) const {
  EndMotion end_motion{end, end.position, end.position, {}, end.position.norm()};
  for (const auto &[dofs, weight] : end.nodes)
    for (unsigned int d = 0; d < dim; ++d) {
      end_motion.x0[d] += weight * q0[dofs[d]];
      end_motion.x1[d] += weight * q1[dofs[d]];
      end_motion.size += std::abs(weight * q1[dofs[d]]);
    }
  if constexpr (dim == 2) { // the rotation is an angle in 2D only
    if (!end.rigid)
      return end_motion;
    const RigidBody<dim> &body = bodies.rigid[*end.rigid];
    const unsigned int dof = bodies.rigid_dof(*end.rigid);
    const Tensor<1, dim> arm = end.position - body.centre;
    const RigidPose<dim> initial_pose(body, q0 + dof), final_pose(body, q1 + dof);
    end_motion.x0 = initial_pose.centre + initial_pose.turned(arm);
    end_motion.x1 = final_pose.centre + final_pose.turned(arm);
    const double middle[3] = {0., 0., 0.5 * (q0[dof + 2] + q1[dof + 2])};
    const Tensor<1, dim> turned = RigidPose<dim>(body, middle).turned(arm);
    const double turn_factor = sinc(0.5 * (q1[dof + 2] - q0[dof + 2]));
    end_motion.turn[0] = -turn_factor * turned[1];
    end_motion.turn[1] = turn_factor * turned[0];
    end_motion.size +=
        end_motion.x1.norm() + body.centre.norm() + (1. + std::abs(q1[dof + 2])) * arm.norm();
  }
  return end_motion;
}

/// Returns Gᵀ direction.
template <int dim>
LinkRow LinkForces<dim>::row_along(const EndMotion &first, const EndMotion &second,
                                   const Tensor<1, dim> &direction) const {
  LinkRow row;
  const auto add = [&](unsigned int dof, double value) {
    row.column.push_back(static_cast<unsigned int>(
        std::lower_bound(all_dofs.begin(), all_dofs.end(), dof) - all_dofs.begin()));
    row.value.push_back(value);
  };
  for (const auto &[end_motion, sign] : {std::pair{&first, -1.}, std::pair{&second, 1.}}) {
    for (const auto &[dofs, weight] : end_motion->end.nodes)
      for (unsigned int d = 0; d < dim; ++d)
        add(dofs[d], sign * weight * direction[d]);
    if (!end_motion->end.rigid)
      continue;
    const unsigned int dof = bodies.rigid_dof(*end_motion->end.rigid);
    for (unsigned int d = 0; d < dim; ++d)
      add(dof + d, sign * direction[d]);
    add(dof + dim, sign * (end_motion->turn * direction));
  }
  return row;
}

template <int dim>
void LinkForces<dim>::apply(const LinkRow &row, double size, double *force) const {
  for (std::size_t k = 0; k < row.column.size(); ++k)
    force[all_dofs[row.column[k]]] += size * row.value[k];
}

template <int dim>
double LinkForces<dim>::energy(const Vector &q) const {
  double sum = 0;
  for (const Link<dim> &link : links)
    if (link.kind == LinkKind::spring) {
      const auto first = end_motion(link.first, q.data(), q.data()),
                 second = end_motion(link.second, q.data(), q.data());
      const double stretch = (second.x1 - first.x1).norm() - link.rest_length;
      sum += 0.5 * link.stiffness * stretch * stretch;
    }
  return sum;
}

template <int dim>
void LinkForces<dim>::begin_step(const Vector &q0) {
  begin = q0;
}

template <int dim>
void LinkForces<dim>::evaluate(const Vector &q1, double h, const std::vector<double> &impulse,
                               Vector &force) {
  all_rows.clear();
  dissipated = joint_work = worst_defect = scale_of_errors = joint_work_scale = 0;
  const double *next = impulse.data();
  for (const Link<dim> &link : links) {
    const auto first = end_motion(link.first, begin.data(), q1.data()),
               second = end_motion(link.second, begin.data(), q1.data());
    if (link.kind == LinkKind::spring)
      add_spring(link, first, second, h, force.data());
    else {
      add_joint(link, first, second, h, next, begin.data(), q1.data(), force.data());
      next += dim + (link.kind == LinkKind::weld ? 1 : 0);
    }
  }
}

/// Adds the rows of a spring: its tension has the derivative k/2 + c/h along the link, and rotates
/// with it.
template <int dim>
void LinkForces<dim>::add_spring(const Link<dim> &link, const EndMotion &first,
                                 const EndMotion &second, double h, double *force) {
  const Tensor<1, dim> d0 = second.x0 - first.x0, d1 = second.x1 - first.x1, mean = 0.5 * (d0 + d1);
  const double length0 = d0.norm(), length1 = d1.norm(), length = 0.5 * (length0 + length1);
  if (length == 0.) // coinciding ends have no direction, hence no force
    return;
  // ℓ1 − ℓ0 without cancellation
  const double growth = (mean * (d1 - d0)) / length;
  const double tension = link.stiffness * (length - link.rest_length) + link.damping * growth / h;
  const Tensor<1, dim> direction = mean / length;
  all_rows.push_back(row_along(first, second, direction));
  all_rows.back().stiffness = 0.5 * link.stiffness + link.damping / h;
  apply(all_rows.back(), tension, force);
  dissipated += link.damping * growth * growth / h;
  scale_of_errors +=
      (link.stiffness + 2. * link.damping / h) * (first.size + second.size) + std::abs(tension);
  if (tension > 0.)
    for (const auto &normal : directions_across(direction)) {
      all_rows.push_back(row_along(first, second, normal));
      all_rows.back().stiffness = 0.5 * tension / length;
    }
}

template <int dim>
void LinkForces<dim>::add_joint(const Link<dim> &link, const EndMotion &first,
                                const EndMotion &second, double h, const double *impulse,
                                const double *q0, const double *q1, double *force) {
  const double size = first.size + second.size;
  const auto add = [&](LinkRow row, double defect, double change, double defect_size) {
    row.stiffness = std::numeric_limits<double>::infinity();
    row.defect = defect;
    apply(row, -*impulse / h, force);
    joint_work += *impulse * change;
    scale_of_errors += std::abs(*impulse) / h;
    joint_work_scale += std::abs(*impulse) / h * defect_size;
    if (defect != 0.)
      worst_defect = std::max(worst_defect, std::abs(defect) / defect_size);
    all_rows.push_back(std::move(row));
    ++impulse;
  };
  const Tensor<1, dim> d0 = second.x0 - first.x0, d1 = second.x1 - first.x1;
  for (unsigned int d = 0; d < dim; ++d) {
    Tensor<1, dim> direction;
    direction[d] = 1.;
    add(row_along(first, second, direction), d1[d], d1[d] - d0[d], size);
  }
  if (link.kind != LinkKind::weld)
    return;
  LinkRow row;
  double angle = 0, change = 0, size_of_angle = 1;
  for (const auto &[end, sign] : {std::pair{&link.first, -1.}, std::pair{&link.second, 1.}})
    if (end->rigid) {
      const unsigned int dof = bodies.rigid_dof(*end->rigid) + dim;
      row.column.push_back(static_cast<unsigned int>(
          std::lower_bound(all_dofs.begin(), all_dofs.end(), dof) - all_dofs.begin()));
      row.value.push_back(sign);
      angle += sign * q1[dof];
      change += sign * (q1[dof] - q0[dof]);
      size_of_angle += std::abs(q1[dof]);
    }
  add(std::move(row), angle, change, size_of_angle);
}

template class LinkForces<2>;
template class LinkForces<3>;

} // namespace percussion
