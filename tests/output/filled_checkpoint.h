#pragma once

#include <percussion/output/checkpoint.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

/// Checkpoints with different values of all numbers, and their bitwise comparison.
namespace percussion::test {

// ---- all members of stored structures: a new member does not compile before it is named here ----

inline auto members(MomentumMemory &m) {
  auto &[length, stale, interface, values, losses, rows, corrections, definite, supported] = m;
  return std::tie(length, stale, interface, values, losses, rows, corrections, definite, supported);
}

inline auto members(ConeMemory &m) {
  auto &[keeps, epsilon] = m;
  return std::tie(keeps, epsilon);
}

inline auto members(ContactRows &m) {
  auto &[start, column, value, dofs] = m;
  return std::tie(start, column, value, dofs);
}

inline auto members(Compliance &m) {
  auto &[diagonal, full] = m;
  return std::tie(diagonal, full);
}

inline auto members(ReactionMemory &m) {
  auto &[keeps, H, mu, compliance, cone] = m;
  return std::tie(keeps, H, mu, compliance, cone);
}

inline auto members(Substeps::Memory &m) {
  auto &[width, good] = m;
  return std::tie(width, good);
}

inline auto members(StepMemory &m) {
  auto &[momentum, reaction, substeps, energy] = m;
  return std::tie(momentum, reaction, substeps, energy);
}

inline auto members(ContactKey &k) {
  auto &[pair, first, second, feature] = k;
  return std::tie(pair, first, second, feature);
}

inline auto members(ContactMemory<2> &m) {
  auto &[key, gap, percussion, first, previous, closing_gap, covered_depth, return_speed, held,
         rounding, reversals, velocity, status, first_status, earlier_status] = m;
  return std::tie(key, gap, percussion, first, previous, closing_gap, covered_depth, return_speed,
                  held, rounding, reversals, velocity, status, first_status, earlier_status);
}

inline auto members(ContactSlip &s) {
  auto &[key, slip] = s;
  return std::tie(key, slip);
}

inline auto members(ContactState &s) {
  auto &[key, state, slip_speed] = s;
  return std::tie(key, state, slip_speed);
}

inline auto members(ContactBond<2> &b) {
  auto &[key, area, damage, opening, slip] = b;
  return std::tie(key, area, damage, opening, slip);
}

inline auto members(ContactHistory<2> &h) {
  auto &[memories, slips, bonds, states, moments] = h;
  auto &[rolling, spinning] = moments;
  return std::tie(memories, slips, bonds, states, rolling, spinning);
}

inline auto members(Works &w) {
  auto &[external, viscous, numerical, normal, tangential, prescribed, correction, plastic,
         fracture, rolling] = w;
  return std::tie(external, viscous, numerical, normal, tangential, prescribed, correction, plastic,
                  fracture, rolling);
}

inline auto members(Defect &d) {
  auto &[value, time, pair, point, material_point] = d;
  return std::tie(value, time, pair, point, material_point);
}

inline auto members(ContactDefects &d) {
  auto &[largest] = d;
  return std::tie(largest);
}

inline auto members(AccountNumbers &a) {
  auto &[normal_work, tangential_work, slip, missed, drift, damage, wear] = a;
  return std::tie(normal_work, tangential_work, slip, missed, drift, damage, wear);
}

inline auto members(ContactSite<2> &s) {
  auto &[key, point, opposite_body, normal, area, material_point] = s;
  return std::tie(key, point, opposite_body, normal, area, material_point);
}

inline auto members(EntryDirection<2> &e) {
  auto &[key, direction, overlapping] = e;
  return std::tie(key, direction, overlapping);
}

inline auto members(ContactAccount<2> &a) {
  return std::tie(a.site(), static_cast<AccountNumbers &>(a));
}

inline auto members(ContactUse &u) {
  auto &[steps, normal, time, steps_at_one_point] = u;
  return std::tie(steps, normal, time, steps_at_one_point);
}

inline auto members(RunStatistics &s) {
  auto &[energy, balance, normal, tangential, penetration, solver, momentum, iterations, contacts,
         cuts, percussion, defects, uses, bodies] = s;
  return std::tie(energy, balance, normal, tangential, penetration, solver, momentum, iterations,
                  contacts, cuts, percussion, defects, uses, bodies);
}

inline auto members(RowExtremes &e) {
  auto &[values, defects] = e;
  return std::tie(values, defects);
}

inline auto members(PhaseTimes &t) {
  auto &[seconds] = t;
  return std::tie(seconds);
}

/// Returns all members except those that follow from others.
inline auto members(State<2> &s) {
  auto &[step, time, previous_h, q, v, rounding, Mv, Kq, force, a, material, turns, bounds] =
      static_cast<StateOfMotion &>(s);
  auto &[kinetic, strain, potential] = static_cast<StateEnergies &>(s);
  auto &[found, entry_directions, history, motion] = static_cast<StateOfContacts<2> &>(s);
  (void)force, (void)found;
  return std::tie(step, time, previous_h, q, v, rounding, Mv, Kq, a, kinetic, strain, potential,
                  entry_directions, history, motion, material, turns, bounds);
}

inline auto members(SurfacePose<2> &p) {
  auto &[displacement, angle] = p;
  return std::tie(displacement, angle);
}

inline auto members(ProbeMemory &m) {
  auto &[row_time, time, numbers] = m;
  return std::tie(row_time, time, numbers);
}

inline auto members(StopMemory &m) {
  auto &[kinetic, since, first, last, quiet, active] = m;
  return std::tie(kinetic, since, first, last, quiet, active);
}

inline auto members(LastWritten &l) {
  auto &[row, probe_row, instant] = l;
  return std::tie(row, probe_row, instant);
}

inline auto members(NodePercussion<2> &n) {
  auto &[dofs, percussion, normal, status] = n;
  return std::tie(dofs, percussion, normal, status);
}

inline auto members(ContactSums<2>::ContactSum &c) {
  return std::tie(c.site(), c.percussion, c.status);
}

inline auto members(ContactSums<2> &s) {
  auto &[contacts, node_percussions] = s;
  return std::tie(contacts, node_percussions);
}

inline auto members(FileSum &s) {
  auto &[name, bytes, checksum] = s;
  return std::tie(name, bytes, checksum);
}

inline auto members(RunTotals &t) {
  auto &[energy, works, statistics, warnings] = t;
  return std::tie(energy, works, statistics, warnings);
}

inline auto members(ResultsMemory<2> &r) {
  auto &[extremes, sums, accounts, stop, last] = r;
  return std::tie(extremes, sums, accounts, stop, last);
}

/// Returns all members except the number of the file and the running state.
inline auto members(Checkpoint<2> &c) {
  auto &[name, parameters, mesh, state, running, memory, totals, results_memory, probes, signals,
         times, wall_time, instants, energy_bytes, rigid_bytes, elastic_bytes, probe_bytes,
         problems, results, results_at_end, file] = c;
  (void)file, (void)running;
  return std::tie(name, parameters, mesh, state, memory, totals, results_memory, probes, signals,
                  times, wall_time, instants, energy_bytes, rigid_bytes, elastic_bytes, probe_bytes,
                  problems, results, results_at_end);
}

// ---- all numbers of the structures in sequence ----

template <typename Visitor, typename T>
void walk(Visitor &visitor, T &x);

/// Archive that visits members accessible to Boost.Serialization only.
template <typename Visitor>
struct Archive {
  Visitor &visitor;
  template <typename T>
  Archive &operator&(T &x) {
    walk(visitor, x);
    return *this;
  }
};

template <typename Visitor>
void walk_entries(Visitor &visitor, Vector &x) {
  for (unsigned int i = 0; i < x.size(); ++i)
    walk(visitor, x[i]);
}
template <typename Visitor, typename Container>
void walk_entries(Visitor &visitor, Container &x) {
  for (auto &entry : x)
    walk(visitor, entry);
}

template <typename T>
inline constexpr bool has_length = false;
template <typename T>
inline constexpr bool has_length<std::vector<T>> = true;
template <>
inline constexpr bool has_length<std::string> = true;
template <>
inline constexpr bool has_length<Vector> = true;

template <typename Visitor, typename T>
void walk(Visitor &visitor, T &x) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    visitor.number(x);
  } else if constexpr (has_length<T>) {
    visitor.length(x);
    walk_entries(visitor, x);
  } else if constexpr (std::is_same_v<T, std::optional<unsigned int>>) {
    bool is_present = x.has_value();
    unsigned int value = x.value_or(0);
    walk(visitor, is_present);
    walk(visitor, value);
    x = is_present ? std::optional(value) : std::nullopt;
  } else if constexpr (std::is_same_v<T, SurfaceMotion<2>>) {
    Archive<Visitor> archive{visitor};
    x.serialize(archive, 0);
  } else if constexpr (std::is_same_v<T, dealii::Tensor<1, 2>> ||
                       std::is_same_v<T, dealii::Point<2>>) {
    walk(visitor, x[0]);
    walk(visitor, x[1]);
  } else if constexpr (std::is_same_v<T, dealii::Tensor<1, 3>>) {
    for (unsigned int d = 0; d < 3; ++d)
      walk(visitor, x[d]);
  } else if constexpr (std::is_same_v<T, std::pair<std::string, std::string>> ||
                       std::is_same_v<T, std::pair<std::string, double>>) {
    walk(visitor, x.first);
    walk(visitor, x.second);
  } else if constexpr (std::is_same_v<T, std::array<double, n_phases>> ||
                       std::is_same_v<T, std::array<double, 1>> ||
                       std::is_same_v<T, std::array<double, 2>> ||
                       std::is_same_v<T, std::array<double, 3>> ||
                       std::is_same_v<T, decltype(RowExtremes::values)> ||
                       std::is_same_v<T, std::array<Defect, n_defect_kinds>> ||
                       std::is_same_v<T, std::array<unsigned int, 2>>) {
    walk_entries(visitor, x);
  } else {
    std::apply([&](auto &...member) { (walk(visitor, member), ...); }, members(x));
  }
}

/// Visitor that gives all numbers values other than their defaults; floating-point numbers get, in
/// turn, the values that are lost most easily.
struct Filler {
  unsigned long count;

  void number(double &x) {
    using Limits = std::numeric_limits<double>;
    const double special[] = {Limits::infinity(),
                              -Limits::infinity(),
                              std::nan("0x5a5a5"),
                              -std::nan("0x1"),
                              -0.,
                              -1e-310,
                              Limits::denorm_min(),
                              Limits::max(),
                              Limits::min()};
    ++count;
    x = count % 2 == 0 ? special[count / 2 % std::size(special)]
                       : std::sqrt(static_cast<double>(count));
  }
  void number(bool &x) { x = !x; }
  void number(ContactStatus &x) { x = static_cast<ContactStatus>(++count % 3); }
  template <typename T>
  void number(T &x) {
    x = static_cast<T>(++count * 0x9e3779b97f4a7c15u); // sets all of its bytes
  }
  void length(Vector &x) { x.reinit(++count % 37 + 1); }
  template <typename Container>
  void length(Container &x) {
    x.resize(++count % 37 + 1);
  }
};

struct Bytes {
  std::string text;

  template <typename T>
  void number(const T &x) {
    text.append(reinterpret_cast<const char *>(&x), sizeof x);
  }
  template <typename Container>
  void length(const Container &x) {
    number(static_cast<std::uint64_t>(x.size()));
  }
};

/// Returns a checkpoint after this step.
inline Checkpoint<2> filled(unsigned int step, unsigned long seed = 0) {
  Checkpoint<2> checkpoint;
  Filler filler{seed};
  walk(filler, checkpoint);
  checkpoint.state.step = step;
  return checkpoint;
}

/// Returns the bytes of all numbers and lengths.
inline std::string bytes_of(Checkpoint<2> checkpoint) {
  Bytes bytes;
  walk(bytes, checkpoint);
  return bytes.text;
}

} // namespace percussion::test
