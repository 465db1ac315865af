#include <percussion/balance/prescribed_reactions.h>

#include <map>

namespace percussion {

template <int dim>
PrescribedReactions<dim>::PrescribedReactions(const System<dim> &b, const Trace<dim> &t)
    : bodies(b), trace(t) {}

/// Calls visit(i, impulse) for the impulses of Hᵀ p on prescribed degrees of freedom i.
template <int dim>
template <typename Visit>
void PrescribedReactions<dim>::for_prescribed(const ContactRows &H, const std::vector<double> &p,
                                              const Visit &visit) const {
  for (unsigned int row = 0; !residual.empty() && row < H.n_rows(); ++row)
    for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
      if (const unsigned int entry = H.entries[H.column[k]]; trace.is_prescribed(entry))
        visit(trace.dofs()[entry], H.value[k] * p[row]);
}

template <int dim>
std::vector<double> PrescribedReactions<dim>::impulses(const ContactRows &H,
                                                       const std::vector<double> &p) const {
  std::vector<double> impulses = residual;
  std::map<unsigned int, double> contacts; // few contacts act on prescribed degrees of freedom
  for_prescribed(H, p, [&](unsigned int i, double impulse) { contacts[i] += impulse; });
  for (std::size_t i = 0; i < impulses.size() && !contacts.empty(); ++i)
    if (const auto found = contacts.find(bodies.motion.dofs()[i]); found != contacts.end())
      impulses[i] -= found->second;
  return impulses;
}

template <int dim>
double PrescribedReactions<dim>::work(const Vector &v_theta, const ContactRows &H,
                                      const std::vector<double> &p) const {
  const double *const v = entries(v_theta);
  double work = 0;
  for (std::size_t i = 0; i < residual.size(); ++i)
    work += v[bodies.motion.dofs()[i]] * residual[i];
  // Contacts may also act on nodes and bodies with entirely or partly prescribed motion.
  for_prescribed(H, p, [&](unsigned int i, double impulse) { work -= v[i] * impulse; });
  return work;
}

template class PrescribedReactions<2>;
template class PrescribedReactions<3>;

} // namespace percussion
