#include <percussion/base/instantiate.h>
#include <percussion/dynamics/contact_measures.h>
#include <percussion/dynamics/state.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace percussion {
namespace {

/// Fraction of the substep's largest percussion; a contact presses if its normal percussion is
/// larger.
constexpr double least_pressing = 1e-10;
/// Fraction of the substep's largest contact velocity; a contact slips if ‖û_T‖ is larger. At
/// smaller velocities, the residual of the solver determines the direction of û_T.
constexpr double least_slip_rate = 1e-4;
/// Fraction of the local size; a contact slips only if its displacement is also larger than this.
constexpr double least_slip = 1e-9;
/// Largest ratio of the mean tangential velocity to the final velocity of a contact whose velocity
/// is reversed. The mean velocity of a sticking contact vanishes, except with springs, which are
/// compliant by a few per cent.
constexpr double reversed = 0.1;
/// Number of successive substeps after which reversals are no rebound.
constexpr unsigned int many_reversals = 20;
/// Largest ratio of kinetic energy to strain energy of bodies that are nearly at rest.
constexpr double resting = 1e-2;

template <int dim>
class Measurement {
public:
  Measurement(const ContactSubstep<dim> &measured_substep, const Boundary<dim> &b, State<dim> &s,
              StepRecord<dim> &r)
      : substep(measured_substep), law(measured_substep.law), boundary(b), state(s), record(r),
        v1(b.trace.gather(s.v)), offset(measured_substep.reaction.offset) {
    // Beside the forces of bonds, what the solver leaves to contacts that do not press is no force.
    for (const auto *const percussions : {&substep.reaction.p, &substep.reaction.bond})
      for (const double p : *percussions)
        largest_percussion = std::max(largest_percussion, std::abs(p));
  }

  void measure() {
    account_works();
    measure_pressing();
    measure_missed_depth();
    measure_friction();
    measure_moments();
    measure_reversals();
    measure_rest();
  }

private:
  using Account = ContactAccount<dim>;

  const Contact<dim> &contact(std::size_t i) const { return law.active.contacts[i]; }
  double normal_percussion(std::size_t i) const { return substep.reaction.p[dim * i]; }
  bool presses(std::size_t i) const {
    return normal_percussion(i) > least_pressing * largest_percussion;
  }
  const ContactPoint<dim> &point(const Contact<dim> &measured_contact) const {
    return boundary.points[measured_contact.point];
  }

  void add(DefectKind kind, double value, const Contact<dim> &measured_contact) {
    record.defects.add(kind, defect(value, measured_contact));
  }

  /// Returns a defect of a contact or of its record.
  template <typename ContactType>
  Defect defect(double value, const ContactType &measured) const {
    Defect result{value, substep.interval.t1, measured.key.pair, measured.point};
    std::copy_n(measured.material_point.begin_raw(), dim, result.material_point.begin());
    return result;
  }

  /// Computes the accounts of all contacts of the law, without drift and missed depth.
  void account_works() {
    record.accounts.resize(law.active.contacts.size());
    for (std::size_t i = 0; i < record.accounts.size(); ++i) {
      const ContactRecord<dim> &did = record.contacts[i];
      Account &account = record.accounts[i];
      account.site() = did.site();
      account.normal_work = normal_work(did);
      double slip = 0;
      for (unsigned int t = 1; t < dim; ++t) {
        account.tangential_work += did.velocity[t] * did.percussion[t];
        slip += did.velocity[t] * did.velocity[t];
      }
      if (presses(i))
        account.slip = substep.interval.h * std::sqrt(slip);
      if (did.area > 0.) // Archard (1953): k times the pressure times the slip
        account.wear = boundary.pairs[did.key.pair].wear_coefficient * did.percussion[0] /
                       (substep.interval.h * did.area) * account.slip;
      if (const auto *const bond = find_key(state.history.bonds, account.key))
        account.damage = bond->damage;
      if (!substep.stored.empty()) {
        account.normal_work += substep.stored[i].normal;
        account.tangential_work += substep.stored[i].tangential;
      }
    }
  }

  /// Measures drift and gaps of contacts that press.
  void measure_pressing() {
    Cursor begins(substep.found.contacts);
    Cursor ends(state.found.contacts);
    Cursor memories(state.history.memories);
    for (std::size_t i = 0; i < record.accounts.size(); ++i) {
      if (!presses(i))
        continue;
      const Contact<dim> *const begin = begins.go_to(contact(i).key);
      const Contact<dim> *const end = ends.go_to(contact(i).key);
      ContactMemory<dim> *const memory = memories.go_to(contact(i).key);
      if (begin == nullptr || end == nullptr || memory == nullptr)
        continue;
      const double nearest = std::min(begin->gap_of_law(), end->gap_of_law());
      add(DefectKind::pressing_gap, nearest / point(*end).size, *end);
      if (!(memory->previous_percussion[0] > 0.))
        memory->closing_gap = end->gap;
      else if (law.springs.empty()) {
        const double drift = std::max(0., memory->closing_gap - end->gap);
        record.accounts[i].drift = drift;
        add(DefectKind::drift, drift, *end);
        memory->closing_gap = std::max(memory->closing_gap, end->gap); // of a depth given back
      }
    }
  }

  /// Returns the initial depth of a contact that was not near at the beginning: the depth of
  /// another contact of the same point, or of the same two rigid bodies, because vertices and edges
  /// alternate.
  double depth_elsewhere(const Contact<dim> &end) const {
    const ContactPair<dim> &pair = boundary.pairs[end.key.pair];
    const bool is_body_pair = pair.is_between_rigid_bodies();
    const auto is_related = [&](const Contact<dim> &related) {
      return related.key.pair == end.key.pair && related.key.first == end.key.first &&
             (!is_body_pair || related.key.second == end.key.second);
    };
    const ContactKey first{end.key.pair, end.key.first, is_body_pair ? end.key.second : 0, 0};
    const auto &contacts = substep.found.contacts;
    double depth = 0;
    for (auto related = first_from(contacts, first);
         related != contacts.end() && is_related(*related); ++related)
      depth = std::max(depth, -related->gap);
    return depth;
  }

  void measure_missed_depth() {
    std::vector<Account> missed;
    Cursor begins(substep.found.contacts);
    Cursor did(record.contacts);
    for (const Contact<dim> &end : state.found.contacts) {
      if (!(end.gap < 0.))
        continue;
      const ContactRecord<dim> *const contact = did.go_to(end.key);
      if (contact != nullptr && contact->percussion[0] > 0.)
        continue;
      const Contact<dim> *const begin = begins.go_to(end.key);
      const double growth =
          -end.gap - (begin != nullptr ? std::max(0., -begin->gap) : depth_elsewhere(end));
      const double round_off = 1e-13 * (point(end).size + point(end).position.norm());
      if (growth <= round_off)
        continue;
      add(DefectKind::missed_depth, growth, end);
      const ContactMemory<dim> *const memory = state.history.find(end.key);
      if (memory != nullptr && memory->previous_percussion[0] > 0.)
        add(DefectKind::relapse_depth, growth, end);
      Account account;
      account.site() = end.site();
      account.missed_depth = growth;
      missed.push_back(account);
    }
    drop_idle_accounts();
    add_accounts(missed, record.accounts);
  }

  void drop_idle_accounts() {
    const auto is_idle = [](const Account &a) {
      return a.normal_work == 0. && a.tangential_work == 0. && a.slip == 0. && a.drift == 0. &&
             a.damage == 0.;
    };
    auto &accounts = record.accounts;
    accounts.erase(std::remove_if(accounts.begin(), accounts.end(), is_idle), accounts.end());
  }

  /// Returns the mean velocity of a row of H. The record has it unless its rows have other
  /// directions.
  double mean_velocity(std::size_t row) const {
    return law.directions.empty()
               ? record.contacts[row / dim].velocity[row % dim]
               : law.H.row_times(static_cast<unsigned int>(row), substep.v_theta) -
                     law.surface[row];
  }

  /// Returns the velocity û of a row of the law.
  double law_velocity(std::size_t row) const {
    double u = offset[row];
    if (law.G.n_rows() == 0)
      u += mean_velocity(row);
    else
      u += law.G.row_times(static_cast<unsigned int>(row), substep.v_theta) - law.surface[row];
    law.compliance.add_product(row, substep.reaction.p, u);
    return u;
  }

  void measure_friction() {
    const std::vector<double> &p = substep.reaction.p;
    std::vector<double> u;
    u.reserve(p.size());
    double fastest = 0;
    for (std::size_t row = 0; row < dim * law.active.contacts.size(); ++row) {
      u.push_back(law_velocity(row));
      fastest = std::max(fastest, std::abs(u.back()));
    }
    for (std::size_t i = 0; i < law.active.contacts.size(); ++i) {
      const double friction = law.mu[i] * p[dim * i];
      double force = 0, rate = 0, deviation = 0;
      for (unsigned int t = 1; t < dim; ++t) {
        force += p[dim * i + t] * p[dim * i + t];
        rate += u[dim * i + t] * u[dim * i + t];
      }
      force = std::sqrt(force);
      rate = std::sqrt(rate);
      if (largest_percussion > 0.)
        add(DefectKind::cone_violation,
            std::max(force - friction, -p[dim * i]) / largest_percussion, contact(i));
      const double length = point(contact(i)).size;
      if (!(friction > 0.) || !presses(i) || !(rate > least_slip_rate * fastest) ||
          !(substep.interval.h * rate > least_slip * length))
        continue;
      for (unsigned int t = 1; t < dim; ++t) {
        const double tangential_deviation = p[dim * i + t] + friction * u[dim * i + t] / rate;
        deviation += tangential_deviation * tangential_deviation;
      }
      add(DefectKind::slip_direction_error, std::sqrt(deviation) / friction, contact(i));
    }
  }

  /// Measures the excess of moments over their limits, as percussions of the rows of the law.
  void measure_moments() {
    const std::vector<double> &p = substep.reaction.p;
    const std::size_t n_contacts = law.active.contacts.size();
    for (std::size_t k = 0; k < law.moments.size() && largest_percussion > 0.; ++k) {
      const std::size_t i = law.moments[k].contact, first = dim * (n_contacts + k);
      double square = 0;
      for (std::size_t row = first + 1; row < first + dim; ++row)
        square += p[row] * p[row];
      const double excess = std::sqrt(square) - law.mu[n_contacts + k] * p[dim * i];
      add(DefectKind::cone_violation, excess / largest_percussion, contact(i));
    }
  }

  /// Measures the tangential velocities of sticking contacts that the law reverses instead of
  /// stopping. Where frames turn, a contact that rolls has a velocity at the end, too, in the frame
  /// of the law, but always in the same direction.
  void measure_reversals() {
    Cursor contacts(record.contacts);
    for (ContactMemory<dim> &memory : state.history.memories) {
      const ContactRecord<dim> *const did = contacts.go_to(memory.key);
      const auto last = memory.end_velocity;
      memory.end_velocity = {};
      if (did == nullptr) {
        memory.n_reversals = 0;
        continue;
      }
      const auto velocity = end_velocity(static_cast<std::size_t>(did - record.contacts.data()));
      const double product = std::inner_product(velocity.begin(), velocity.end(), last.begin(), 0.);
      memory.end_velocity = velocity;
      memory.n_reversals = product < 0. ? memory.n_reversals + 1 : 0;
      if (memory.n_reversals >= many_reversals)
        record.reversal.keep_larger(defect(norm(velocity), *did));
    }
  }

  static double norm(const std::array<double, dim - 1> &x) {
    return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.));
  }

  /// Returns the final tangential velocity, in the frame of the law, of a sticking contact whose
  /// mean velocity is almost zero; else zero.
  std::array<double, dim - 1> end_velocity(std::size_t i) const {
    const ContactRecord<dim> &did = record.contacts[i];
    std::array<double, dim - 1> mean{}, last{};
    if (did.status != ContactStatus::stick)
      return last;
    for (unsigned int t = 1; t < dim; ++t) {
      const auto row = static_cast<unsigned int>(dim * i + t);
      last[t - 1] = law.rows().row_times(row, v1) - law.surface[row];
      mean[t - 1] = mean_velocity(row);
    }
    const bool is_reversed = norm(mean) <= reversed * norm(last) &&
                             substep.interval.h * norm(last) > least_slip * point(contact(i)).size;
    return is_reversed ? last : std::array<double, dim - 1>{};
  }

  static double normal_work(const ContactRecord<dim> &did) {
    return did.velocity[0] * did.percussion[0] - did.curvature_work;
  }

  /// Measures the normal work of bodies that are nearly at rest. A contact that begins open closes
  /// within the substep, and a law for the gap at the end pushes out an overlap, which takes work
  /// by the law: this work is left out. The contact with the largest work represents all contacts.
  void measure_rest() {
    if (!(state.strain > 0.) || state.kinetic > resting * state.strain)
      return;
    Cursor begins(substep.found.contacts);
    const ContactRecord<dim> *worst = nullptr;
    double work = record.works.contact_normal, largest = 0;
    for (const ContactRecord<dim> &measured_contact : record.contacts) {
      const Contact<dim> *const begin = begins.go_to(measured_contact.key);
      const double contact_work = normal_work(measured_contact);
      const double gap = begin != nullptr && law.springs.empty() ? begin->gap_of_law() : 0.;
      const double opening = substep.has_end_rows ? std::abs(gap) : gap;
      if (begin != nullptr && opening > least_slip * point(*begin).size) {
        work -= contact_work;
        continue;
      }
      if (worst == nullptr || std::abs(contact_work) > largest)
        worst = &measured_contact;
      largest = std::max(largest, std::abs(contact_work));
    }
    if (worst != nullptr)
      record.defects.add(DefectKind::resting_work, defect(std::abs(work) / state.strain, *worst));
  }

  const ContactSubstep<dim> &substep;
  const PosedLaw<dim> &law;
  const Boundary<dim> &boundary;
  State<dim> &state;
  StepRecord<dim> &record;
  const TraceField v1;              ///< velocity at the end
  const std::vector<double> offset; ///< offsets of the law with the final restitution of contacts
  double largest_percussion = 0;
};

} // namespace

template <int dim>
void measure_contacts(const ContactSubstep<dim> &substep, const Boundary<dim> &boundary,
                      State<dim> &state, StepRecord<dim> &record) {
  Measurement<dim>(substep, boundary, state, record).measure();
}

PERCUSSION_INSTANTIATE(measure_contacts);

} // namespace percussion
