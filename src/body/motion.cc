#include <percussion/base/error.h>
#include <percussion/body/motion.h>

#include <algorithm>

namespace percussion {
namespace {

/// Values of a formula at several points, with a single evaluation if it does not depend on
/// position.
template <int dim>
class Values {
public:
  Values(const Expression &expression, double time)
      : formula(expression), t(time), uniform(!expression.depends_on_position()),
        value(uniform ? expression(time) : 0.) {}
  double operator()(const dealii::Point<dim> &x) const { return uniform ? value : formula(t, x); }

private:
  const Expression &formula;
  double t;
  bool uniform;
  double value;
};

} // namespace

template <int dim>
void PrescribedMotion<dim>::add(const std::string &owner_name, const std::string &component,
                                const std::vector<unsigned int> &dofs,
                                const std::vector<dealii::Point<dim>> &positions, Kind kind,
                                const Expression &formula) {
  Condition condition{owner_name, kind, formula, {}, {}, {}};
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    const unsigned int dof = dofs[i];
    if (owner[dof] >= 0) {
      const Condition &existing = conditions[static_cast<unsigned int>(owner[dof])];
      if (existing.kind == kind && existing.formula.formula() == formula.formula())
        continue; // two regions that agree at a common node
      throw InputError("'" + existing.owner + "' and '" + owner_name +
                       "' prescribe different motions of a common node in the direction " +
                       component);
    }
    owner[dof] = static_cast<int>(conditions.size());
    prescribed.push_back(dof);
    condition.dofs.push_back(dof);
    condition.positions.push_back(positions[i]);
  }
  conditions.push_back(std::move(condition));
}

template <int dim>
void PrescribedMotion<dim>::hold(
    const std::vector<std::pair<unsigned int, double>> &displacements) {
  Condition condition{"", Kind::displacement, Expression("0"), {}, {}, {}};
  for (const auto &[dof, displacement] : displacements) {
    owner[dof] = static_cast<int>(conditions.size());
    prescribed.push_back(dof);
    condition.dofs.push_back(dof);
    condition.constants.push_back(displacement);
  }
  condition.positions.resize(condition.dofs.size());
  conditions.push_back(std::move(condition));
}

template <int dim>
bool PrescribedMotion<dim>::is_at_rest(unsigned int dof) const {
  const Condition &condition = conditions[static_cast<unsigned int>(owner[dof])];
  return condition.kind == Kind::displacement ? !condition.formula.depends_on_time()
                                              : condition.formula.formula() == "0";
}

template <int dim>
bool PrescribedMotion<dim>::is_at_rest() const {
  return std::all_of(prescribed.begin(), prescribed.end(),
                     [&](unsigned int dof) { return is_at_rest(dof); });
}

template <int dim>
void PrescribedMotion<dim>::set_displacement(double t, Vector &q) const {
  for (const auto &condition : conditions)
    if (condition.kind == Kind::displacement) {
      const Values<dim> value(condition.formula, t);
      for (std::size_t i = 0; i < condition.dofs.size(); ++i)
        q[condition.dofs[i]] =
            condition.constants.empty() ? value(condition.positions[i]) : condition.constants[i];
    }
}

namespace {

/// Returns the spacing of three instants, from t0 on, at which a condition has values: the step, or
/// half of it if a table ends with the first step.
template <typename Condition>
double spacing_of_values(const Condition &condition, double t0, double h) {
  try {
    if (!condition.positions.empty())
      condition.formula(t0 + 2. * h, condition.positions.front());
    return h;
  } catch (const RunError &) {
    return 0.5 * h;
  }
}

} // namespace

template <int dim>
void PrescribedMotion<dim>::set_initial_velocity(double t0, double h, Vector &v) const {
  for (const auto &condition : conditions) {
    const double spacing = spacing_of_values(condition, t0, h);
    const Values<dim> current(condition.formula, t0);
    const Values<dim> next(condition.formula, t0 + spacing),
        after_next(condition.formula, t0 + 2. * spacing);
    for (std::size_t i = 0; i < condition.dofs.size(); ++i) {
      const auto &x = condition.positions[i];
      v[condition.dofs[i]] =
          condition.kind == Kind::velocity
              ? current(x)
              : (4. * (next(x) - current(x)) - (after_next(x) - current(x))) / (2. * spacing);
    }
  }
}

template <int dim>
std::vector<double> PrescribedMotion<dim>::initial_acceleration(double t0, double h) const {
  std::vector<double> acceleration;
  for (const auto &condition : conditions) {
    const double spacing = spacing_of_values(condition, t0, h);
    const Values<dim> current(condition.formula, t0);
    const Values<dim> next(condition.formula, t0 + spacing),
        after_next(condition.formula, t0 + 2. * spacing);
    for (const auto &x : condition.positions) {
      const double change = next(x) - current(x), change_of_two = after_next(x) - current(x);
      acceleration.push_back(condition.kind == Kind::velocity
                                 ? (4. * change - change_of_two) / (2. * spacing)
                                 : (change_of_two - 2. * change) / (spacing * spacing));
    }
  }
  return acceleration;
}

template <int dim>
void PrescribedMotion<dim>::theta_velocity(double t0, double t1, double h, double theta,
                                           const Vector &q0, std::vector<double> &v_theta) const {
  v_theta.clear();
  for (const auto &condition : conditions) {
    const Values<dim> next(condition.formula, t1);
    if (condition.kind == Kind::displacement) {
      for (std::size_t i = 0; i < condition.dofs.size(); ++i)
        v_theta.push_back(
            ((condition.constants.empty() ? next(condition.positions[i]) : condition.constants[i]) -
             q0[condition.dofs[i]]) /
            h);
    } else {
      const Values<dim> current(condition.formula, t0);
      for (const auto &x : condition.positions)
        v_theta.push_back((1. - theta) * current(x) + theta * next(x));
    }
  }
}

template class PrescribedMotion<2>;
template class PrescribedMotion<3>;

} // namespace percussion
