#include <percussion/report/axis.h>

#include "run_charts.h"
#include <algorithm>
#include <cmath>

namespace percussion::report {
namespace {

/// A column of energy.csv and its name.
struct Quantity {
  std::string column, name;
  bool may_miss; ///< left out where it is zero: rigid bodies have no strain energy
};

const std::vector<Quantity> quantities = {
    {"kinetic", "kinetic energy", false},
    {"strain", "strain energy", true},
    {"total", "total energy", false},
    {"work_external", "external work", true},
    {"work_contact_tangential", "tangential contact work", true},
    {"work_contact_normal", "normal contact work", true},
    {"work_viscous", "viscous work", true},
    {"work_numerical", "numerical work", true},
    {"work_prescribed", "work of prescribed motion", true}};

Panel energy_panel(const Runs &runs) {
  Panel panel = time_panel(runs, "Energies and cumulative work" + runs.subject,
                           with_unit("energy, work", runs.units.energy));
  panel.height = 900;
  std::vector<std::pair<std::string, int>> shown;
  for (int q = 0; q < static_cast<int>(quantities.size()); ++q)
    for (int run = 0; run < runs.size(); ++run) {
      const auto &[column, name, may_miss] = quantities[q];
      const auto &values = runs[run][column];
      if (may_miss && std::count(values.begin(), values.end(), 0.) == std::ptrdiff_t(values.size()))
        continue;
      panel.curves.push_back(quantity_curve(runs, run, name, q, values));
      if (shown.empty() || shown.back().second != q)
        shown.emplace_back(name, q);
    }
  panel.legend = legend_of(runs, shown);
  return panel;
}

/// The largest in each of 200 parts of the time: points of several runs would hide each other.
void keep_largest(Curve &curve, const std::array<double, 2> &period) {
  constexpr int parts = 200;
  std::map<int, std::size_t> largest;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double share = (curve.x[i] - period[0]) / (period[1] - period[0] + 1e-300);
    const auto found = largest.insert({static_cast<int>(parts * share), i}).first;
    if (curve.y[i] > curve.y[found->second])
      found->second = i;
  }
  const Curve whole = std::exchange(curve, {curve.label, {}, {}, curve.style});
  for (const auto &[part, i] : largest) {
    curve.x.push_back(whole.x[i]);
    curve.y.push_back(whole.y[i]);
  }
}

/// Magnitudes as points on a logarithmic axis, with the largest of them in the title.
Panel magnitude_panel(const Runs &runs, const std::string &title, const std::string &y_title,
                      const std::string &if_empty, const Values &values) {
  Panel panel = run_panel(runs, title, with_unit(y_title, runs.units.energy), values);
  panel.logarithmic = true;
  panel.x_range = runs.period;
  panel.if_empty = if_empty;
  for (Curve &curve : panel.curves) {
    for (double &value : curve.y)
      value = std::abs(value);
    curve.style.points = true;
    if (!runs.is_one)
      keep_largest(curve, runs.period);
  }
  panel.title += ", largest " + number_with_unit(largest_of(panel), runs.units.energy);
  return panel;
}

/// The energy that the run started from plus all work done since.
std::vector<double> energy_from_work(const History &run) {
  std::vector<double> energy(run["total"].size(), 0.);
  for (const auto &column : work_columns)
    for (std::size_t i = 0; i < energy.size(); ++i)
      energy[i] += run[column][i];
  // The first row may already hold work; before any work there was this much.
  const double initial = run["total"].front() - energy.front();
  for (double &value : energy)
    value += initial;
  return energy;
}

Panel balance_panel(const Runs &runs) {
  Panel panel =
      time_panel(runs, "Energy balance" + runs.subject, with_unit("energy", runs.units.energy));
  for (int run = 0; run < runs.size(); ++run) {
    const std::string whose = runs.is_one ? "" : ", " + runs[run].label;
    const auto &time = runs[run]["time"];
    panel.curves.push_back({"total energy" + whose, time, runs[run]["total"], {2 * run, 0}});
    panel.curves.push_back(
        {"initial energy + all work" + whose, time, energy_from_work(runs[run]), {2 * run + 1, 1}});
  }
  return panel;
}

std::vector<double> balance_drift(const History &run) {
  auto drift = energy_from_work(run);
  for (std::size_t i = 0; i < drift.size(); ++i)
    drift[i] = run["total"][i] - drift[i];
  return drift;
}

/// The part of a column with a sign.
Values signed_part(const std::string &name, const double sign) {
  return [=](const History &run) {
    auto values = run[name];
    for (double &value : values)
      value = sign * std::max(sign * value, 0.);
    return values;
  };
}

/// As figures 9 and 10, (c) and (d), of Acary and Collins-Craft (2024).
Panel tangential_panel(const Runs &runs, const std::string &column, const double sign,
                       const std::string &title) {
  const std::string &unit = runs.units.energy;
  Panel panel =
      run_panel(runs, title, with_unit("work of one contact", unit), signed_part(column, sign));
  panel.title += number_with_unit(largest_of(panel, sign), unit);
  for (Curve &curve : panel.curves)
    if (!runs.is_one)
      curve.label += ", " + number_with_unit(largest_of(curve, sign), unit);
  return panel;
}

/// Of several runs: the other energies leave these no room.
std::vector<Panel> total_energy_panels(const Runs &runs) {
  if (runs.is_one)
    return {};
  return {run_panel(runs, "Total energy", with_unit("energy", runs.units.energy), column("total"))};
}

Panel work_panel(const Runs &runs) {
  Panel panel = time_panel(runs, "Cumulative work of the contacts" + runs.subject,
                           with_unit("work", runs.units.energy));
  const std::vector<std::pair<std::string, int>> works = {{"normal", 0}, {"tangential", 1}};
  for (int run = 0; run < runs.size(); ++run)
    for (const auto &[name, q] : works)
      panel.curves.push_back(quantity_curve(runs, run, name, q, runs[run]["work_contact_" + name]));
  panel.legend = legend_of(runs, works);
  return panel;
}
} // namespace

std::vector<Chart> energy_charts(const Runs &runs) {
  const std::string parts =
      runs.is_one ? "" : " Of several runs the largest in each 1/200 of the time is shown.";
  return {
      {"energy.png",
       {energy_panel(runs),
        magnitude_panel(runs, "Residual of the balance of each step", "|residual|",
                        "the residual is zero at every step", column("balance_residual"))},
       "Two charts over time: energies and works; below, the residual of the energy balance.",
       "Kinetic, strain and total energy, and the cumulative work of each kind that is not zero. "
       "Below, what is left of each step's energy balance (steps with none left out)." +
           parts,
       Section::energy},
      {"total_energy.png", total_energy_panels(runs),
       "A chart of the total energy of each run over time.", "The total energy of each run.",
       Section::energy},
      {"balance.png",
       {balance_panel(runs), magnitude_panel(runs, "Difference of the two", "|difference|",
                                             "there is none", balance_drift)},
       "Two charts over time: total energy beside initial energy plus all work; below, their "
       "difference.",
       "The total energy beside the initial energy plus all work; below, how far they have come "
       "apart since the start." +
           parts,
       Section::energy},
      {"works.png",
       {work_panel(runs),
        magnitude_panel(runs, "Positive tangential work of a contact in each step", "work",
                        "no contact's tangential work is positive",
                        signed_part("tangential_work_max", 1))},
       "Two charts over time: cumulative normal and tangential work of the contacts; below, the "
       "largest positive tangential work of a contact.",
       "The work of all contacts on the bodies since the start, normal and tangential. Below, the "
       "largest tangential work of a contact in each step where it is positive: Coulomb friction "
       "dissipates, so a value beyond round-off is energy made from nothing." +
           parts,
       Section::energy},
      {"tangential_work.png",
       {tangential_panel(runs, "tangential_work_max", 1,
                         "Tangential contact work per step, positive part: largest value "),
        tangential_panel(runs, "tangential_work_min", -1,
                         "Tangential contact work per step, negative part: lowest value ")},
       "Two charts over time: the largest and the smallest tangential work of a contact.",
       "The largest and the smallest tangential work of a contact in each step, on linear axes.",
       Section::energy}};
}

} // namespace percussion::report
