#pragma once

#include <percussion/algebra/contact_rows.h>
#include <percussion/body/trace.h>

#include <vector>

namespace percussion {

/// Impulses r of the balance of an interval on prescribed degrees of freedom: with contact
/// percussions p, r − Hᵀ p maintains the prescribed motion.
template <int dim>
class PrescribedReactions {
public:
  /// Stores references to bodies and trace, which must outlive this object.
  PrescribedReactions(const System<dim> &bodies, const Trace<dim> &trace);

  /// Sets r of each prescribed degree of freedom.
  void set(std::vector<double> r) { residual = std::move(r); }
  /// Returns r − Hᵀ p.
  std::vector<double> impulses(const ContactRows &H, const std::vector<double> &p) const;
  /// Returns the work of these impulses [energy].
  double work(const Vector &v_theta, const ContactRows &H, const std::vector<double> &p) const;

private:
  template <typename Visit>
  void for_prescribed(const ContactRows &H, const std::vector<double> &p, const Visit &visit) const;

  const System<dim> &bodies;
  const Trace<dim> &trace;
  std::vector<double> residual;
};

} // namespace percussion
