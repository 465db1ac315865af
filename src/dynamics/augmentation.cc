#include <percussion/base/instantiate.h>
#include <percussion/dynamics/augmentation.h>
#include <percussion/dynamics/state.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Functions of the nodes of a pair on faces of elastic bodies, over the covered points of the
/// faces. The columns of the points' values N_a(x_g) √w_g, made orthonormal, are stored as rows.
template <int dim>
class MultiplierSpace {
public:
  /// Takes the contacts of a pair: `active` ones, and the others of `found`.
  MultiplierSpace(unsigned int pair, const ContactList<dim> &active, const ContactList<dim> &found,
                  const Boundary<dim> &boundary) {
    for (const Contact<dim> &contact : found.contacts)
      if (contact.key.pair == pair) {
        const Contact<dim> *const law_contact = active.find(contact.key);
        keys.push_back(contact.key);
        law_contact != nullptr ? add_column(*law_contact, active, boundary)
                               : add_column(contact, found, boundary);
      }
    make_orthonormal();
  }

  /// Returns the pressure at the first point due to a unit force at the second: an entry of
  /// √w⁻¹ Π √w⁻¹.
  double pressure(const Contact<dim> &first, const Contact<dim> &second) const {
    const std::size_t i = column_of(first), j = column_of(second);
    double sum = 0;
    for (const auto &function : functions)
      sum += function[i] * function[j];
    return sum / (root_of_area[i] * root_of_area[j]);
  }

private:
  std::size_t column_of(const Contact<dim> &contact) const {
    return static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), contact.key) -
                                    keys.begin());
  }

  /// Adds the values of the shape functions of the nodes at a point: the weights of its support at
  /// the nodes of its face.
  void add_column(const Contact<dim> &contact, const ContactList<dim> &list,
                  const Boundary<dim> &boundary) {
    const ContactPoint<dim> &point = boundary.points[contact.point];
    root_of_area.push_back(std::sqrt(contact.area));
    const SupportRange shape = point.shape();
    for (unsigned int k = shape.begin; k < shape.end; k += dim) {
      const unsigned int entry = boundary.supports[k].entry;
      double value = 0;
      for (unsigned int s = contact.support_begin; s < contact.support_end - contact.n_traction;
           ++s)
        if (list.support[s].entry == entry)
          value += tangential_weight(contact, &list.support[s]);
      auto &function = function_of(entry);
      function.resize(root_of_area.size(), 0.);
      function.back() = value * root_of_area.back();
    }
  }
  std::vector<double> &function_of(unsigned int entry) {
    const auto node = std::find(nodes.begin(), nodes.end(), entry);
    if (node != nodes.end())
      return functions[static_cast<std::size_t>(node - nodes.begin())];
    nodes.push_back(entry);
    return functions.emplace_back();
  }

  /// Orthonormalises the functions by Gram and Schmidt's method, twice because of round-off. A
  /// function that depends on the others is left out.
  void make_orthonormal() {
    constexpr double dependent = 1e-10; // ratio of lengths
    const auto product = [](const auto &a, const auto &b) {
      double sum = 0;
      for (std::size_t k = 0; k < a.size(); ++k)
        sum += a[k] * b[k];
      return sum;
    };
    std::vector<std::vector<double>> independent;
    for (auto &function : functions) {
      function.resize(root_of_area.size(), 0.);
      const double length = std::sqrt(product(function, function));
      for (unsigned int repetition = 0; repetition < 2; ++repetition)
        for (const auto &earlier : independent) {
          const double component = product(earlier, function);
          for (std::size_t k = 0; k < function.size(); ++k)
            function[k] -= component * earlier[k];
        }
      const double remainder = std::sqrt(product(function, function));
      if (!(remainder > dependent * length))
        continue;
      for (double &value : function)
        value /= remainder;
      independent.push_back(std::move(function));
    }
    functions = std::move(independent);
  }

  std::vector<ContactKey> keys;     ///< key of each point, ascending
  std::vector<double> root_of_area; ///< √w of each point
  std::vector<unsigned int> nodes;  ///< first entry of each node
  std::vector<std::vector<double>> functions;
};

/// Returns the factor ρ of a row of a contact [mass / (length² time) × thickness].
template <int dim>
double augmentation(unsigned int row, unsigned int pair, double h, const Boundary<dim> &boundary) {
  // Permitted penetration costs energy: with a factor of 1, the ball of ball_impact loses 7 % of
  // its energy.
  constexpr double times_springs = 100;
  const double rho = row == 0 ? boundary.pairs[pair].normal_augmentation
                              : boundary.pairs[pair].tangential_augmentation;
  return rho > 0. ? rho : times_springs * h * boundary.multipliers[pair].spring;
}

/// Adds the compliance of the contacts of a pair, from `first` to `last`. The function argument
/// returns the pressure of the multipliers at one contact due to a unit force at another one.
/// The law is posed for θ û, and percussions are h w r with the area w of the point.
template <int dim, typename Pressure>
void add_compliance(PosedLaw<dim> &law, std::size_t first, std::size_t last, double h,
                    const Boundary<dim> &boundary, const StepChoices &choices,
                    const Pressure &pressure) {
  const auto &contacts = law.active.contacts;
  const std::size_t n = law.H.n_rows();
  const unsigned int pair = contacts[first].key.pair;
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = first; j < last; ++j) {
      double remaining_compliance = -pressure(contacts[i], contacts[j]);
      if (i == j)
        remaining_compliance += 1. / contacts[i].area;
      const auto first_frame = local_frame<dim>(contacts[i].normal),
                 second_frame = local_frame<dim>(contacts[j].normal);
      for (unsigned int k = 0; k < dim; ++k)
        for (unsigned int l = 0; l < dim; ++l) {
          // Multipliers are scalars in the normal direction and vectors in the tangential
          // directions.
          const double parallel =
              k == 0 || l == 0 ? double(k == l) : first_frame[k] * second_frame[l];
          law.compliance.full[(dim * i + k) * n + dim * j + l] =
              choices.theta * remaining_compliance * parallel /
              (h * augmentation(k, pair, h, boundary));
        }
    }
}

} // namespace

template <int dim>
void add_augmentation(PosedLaw<dim> &law, const State<dim> &state, const Interval &interval,
                      const Boundary<dim> &boundary, const StepChoices &choices) {
  const auto &contacts = law.active.contacts;
  const auto is_augmented = [&](const Contact<dim> &contact) {
    return boundary.pairs[contact.key.pair].formulation == Formulation::multipliers;
  };
  if (std::none_of(contacts.begin(), contacts.end(), is_augmented))
    return;
  law.compliance.full.assign(std::size_t{law.H.n_rows()} * law.H.n_rows(), 0.);
  for (std::size_t first = 0, last = 0; first < contacts.size(); first = last) {
    const unsigned int pair = contacts[first].key.pair;
    while (last < contacts.size() && contacts[last].key.pair == pair)
      ++last;
    if (!is_augmented(contacts[first]))
      continue;
    const auto add = [&](const auto &pressure) {
      add_compliance(law, first, last, interval.h, boundary, choices, pressure);
    };
    if (boundary.pairs[pair].is_on_faces()) {
      const MultiplierSpace<dim> space(pair, law.active, state.found, boundary);
      add([&](const auto &a, const auto &b) { return space.pressure(a, b); });
    } else
      add([&](const auto &a, const auto &b) {
        return boundary.pressure_by_multipliers(a.point, b.point);
      });
  }
}

PERCUSSION_INSTANTIATE(add_augmentation);

} // namespace percussion
