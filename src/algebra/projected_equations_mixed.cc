// Iterations of the projected equations in mixed precision.

#include <percussion/algebra/projected_equations.h>

#include <algorithm>
#include <cmath>

namespace percussion {

/// Collects the degrees of freedom that contacts act on, of rigid bodies, and multipliers.
void ProjectedEquations::find_contact_dofs() {
  std::vector<unsigned int> &dofs = contact_dofs.dofs;
  dofs.clear();
  for (const auto &coupled : variables.coupled_dofs)
    dofs.push_back(coupled.dof);
  for (const ContactVariables::Contact &contact : variables.contacts)
    dofs.insert(dofs.end(), contact.dof.begin(), contact.dof.begin() + contact.n_rows);
  for (unsigned int dof = system.n_elastic(); dof < vectors.work.size(); ++dof)
    dofs.push_back(dof);
  std::sort(dofs.begin(), dofs.end());
  dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
}

/// True if this process computes the entries of a degree of freedom.
bool ProjectedEquations::computes(unsigned int dof) const {
  return dof >= system.n_elastic() || system.partition().owns(dof);
}

/// Solves the equations in unknowns ỹ = D^½ y / √(1 + σ), with the diagonal D of the equations and
/// residuals relative to `norm`. Away from contacts, ỹ is scaled as the matrix in single precision.
/// After each correction the velocities and all rows are computed as without iterations, so that
/// percussions and statuses do not depend on the precision of the iterations.
void ProjectedEquations::solve_mixed(double limit, double norm_of_right, ProjectedState &state) {
  if (contact_dofs.dofs.empty())
    find_contact_dofs();
  const double factor = 1. + proximal.sigma, unit = norm_of_right * std::sqrt(factor);
  contact_dofs.scale.clear();
  for (const unsigned int dof : contact_dofs.dofs)
    contact_dofs.scale.push_back(std::sqrt(factor * diagonal.inverse[dof]));
  contact_dofs.saved.resize(contact_dofs.dofs.size());
  const std::vector<float> &elastic_scale = system.single_scale();
  const Partition &partition = system.partition();
  const auto visit_contact_dofs = [&](const auto &f) {
    for (std::size_t k = 0; k < contact_dofs.dofs.size(); ++k)
      if (computes(contact_dofs.dofs[k]))
        f(contact_dofs.dofs[k], contact_dofs.scale[k]);
  };
  const auto set_residual = [&](std::vector<float> &r) {
    for (unsigned int i = partition.begin(); i < partition.end(); ++i)
      r[i] = static_cast<float>(vectors.right[i] / unit * double(elastic_scale[i]));
    visit_contact_dofs([&](unsigned int i, double dof_scale) {
      r[i] = static_cast<float>(vectors.right[i] / unit * dof_scale);
    });
  };
  const MixedSystem mixed{[&](auto &y, auto &image) { apply_single(y, image); },
                          variables.n_multipliers == 0
                              ? MixedSystem::Map()
                              : [&](auto &r, auto &z) { precondition_single(r, z); },
                          [&](auto &y, auto &r) {
                            for (unsigned int i = partition.begin(); i < partition.end(); ++i)
                              vectors.right[i] = unit * (double(elastic_scale[i]) * double(y[i]));
                            visit_contact_dofs([&](unsigned int i, double dof_scale) {
                              vectors.right[i] = unit * (dof_scale * double(y[i]));
                            });
                            add_unknowns(vectors.right, state);
                            find_residual(state);
                            find_equation_residual(state);
                            set_residual(r);
                          },
                          partition};
  vectors.mixed.residual = partition.zeros<float>(vectors.work.size());
  set_residual(vectors.mixed.residual);
  if (is_symmetric())
    mixed_conjugate_gradients(mixed, limit / norm_of_right, max_iterations, vectors.mixed);
  else
    mixed_gmres(mixed, limit / norm_of_right, max_iterations, vectors.mixed);
  vectors.mixed = {};
  find_equation_residual(state); // products have changed the right-hand side at contacts
}

/// Writes y / D^½ of the contact dofs, also of other processes.
void ProjectedEquations::read_contact_dofs(const std::vector<float> &y,
                                           std::vector<double> &unscaled) const {
  for (std::size_t k = 0; k < contact_dofs.dofs.size(); ++k)
    if (const unsigned int dof = contact_dofs.dofs[k]; computes(dof))
      unscaled[dof] = contact_dofs.scale[k] * double(y[dof]);
  system.complete_trace(unscaled);
}

/// Computes the product of the scaled equations; see apply(). The right-hand side, which the
/// iterations have copied, has room for the products at contacts. The entries of y at contacts are
/// velocities during the product with Â.
void ProjectedEquations::apply_single(std::vector<float> &y, std::vector<float> &image) {
  std::vector<double> &velocity = vectors.work, &product = vectors.right;
  const auto &[dofs, dof_scale, saved_entries] = contact_dofs;
  const auto root = [&](unsigned int dof) { return std::sqrt(diagonal.system_diagonal[dof]); };
  read_contact_dofs(y, velocity);
  expand(velocity);
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    contact_dofs.saved[k] = y[dofs[k]];
    if (dofs[k] < system.n_elastic())
      y[dofs[k]] = static_cast<float>(velocity[dofs[k]] * root(dofs[k]));
  }
  system.multiply_single(y, image);
  if (const auto sigma = static_cast<float>(proximal.sigma); sigma > 0.F)
    for (unsigned int i = system.partition().begin(); i < system.partition().end(); ++i)
      image[i] += sigma * y[i];
  system.multiply_blocks(velocity, product);
  for (const unsigned int dof : dofs)
    if (system.partition().owns(dof))
      product[dof] = double(image[dof]) * root(dof);
    else if (dof >= system.n_elastic() && dof < system.size() && system.is_free(dof))
      product[dof] += proximal.sigma * diagonal.system_diagonal[dof] * velocity[dof];
  add_multipliers(velocity, product);
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    change.percussion[i] = variables.percussion(i, product);
    change.velocity[i] = variables.velocity(i, velocity);
  }
  combine_rows(change, 0., product);
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    y[dofs[k]] = contact_dofs.saved[k];
    if (computes(dofs[k]))
      image[dofs[k]] = static_cast<float>(product[dofs[k]] * dof_scale[k]);
  }
}

/// Preconditions the scaled equations with multipliers; see precondition().
void ProjectedEquations::precondition_single(std::vector<float> &r, std::vector<float> &z) {
  std::vector<double> &unscaled = vectors.work;
  system.partition().visit_computed(r.size(), [&](std::size_t i) { z[i] = r[i]; });
  // The residual r has the scale D^(-½), so that D⁻¹ r has the scale of velocities.
  read_contact_dofs(r, unscaled);
  for (std::size_t i = 0; i < variables.contacts.size(); ++i)
    for (unsigned int c = 0; c < variables.contacts[i].n_rows; ++c) {
      const unsigned int dof = variables.contacts[i].dof[c];
      if (variables.contacts[i].has_multiplier)
        unscaled[dof] /= diagonal.inverse[dof];
      else if (is_fixed(i, c))
        unscaled[dof] = 0.;
    }
  multipliers.correct(unscaled);
  for (std::size_t k = 0; k < contact_dofs.dofs.size(); ++k)
    if (const unsigned int dof = contact_dofs.dofs[k]; computes(dof))
      z[dof] = static_cast<float>(unscaled[dof] / contact_dofs.scale[k]);
}

} // namespace percussion
