#include <percussion/report/history_charts.h>

#include "contact_charts.h"
#include "motion_charts.h"
#include "run_curves.h"
#include "status_charts.h"
#include <cmath>
#include <map>

namespace percussion::report {
namespace {

/// A column of energy.csv, what it is called and its colour.
struct Quantity {
  std::string column, name;
  bool may_miss; ///< it is left out where it is zero: rigid bodies have no strain energy
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

Panel energy_panel(const std::vector<History> &runs, const Labels &labels) {
  Panel panel;
  panel.title = "Energies and cumulative work" + labels.subject;
  panel.x_title = labels.time();
  panel.y_title = labels.energy("energy, work");
  panel.height = 900;
  std::vector<std::pair<std::string, int>> shown;
  for (int q = 0; q < static_cast<int>(quantities.size()); ++q) {
    const Quantity &quantity = quantities[q];
    for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
      const auto &values = runs[run][quantity.column];
      if (quantity.may_miss && all_zero(values))
        continue;
      panel.curves.push_back(make_curve(runs, run, quantity.name, values, q));
      if (shown.empty() || shown.back().second != q)
        shown.emplace_back(quantity.name, q);
    }
  }
  panel.legend = legend_of(runs, shown);
  return panel;
}

/// The largest in each of 200 parts of the time: points of several runs would hide each other.
Curve largest_by_part(const Curve &curve, const std::array<double, 2> &range) {
  constexpr int parts = 200;
  std::map<int, std::size_t> largest;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const int part =
        static_cast<int>(parts * (curve.x[i] - range[0]) / (range[1] - range[0] + 1e-300));
    const auto found = largest.insert({part, i}).first;
    if (curve.y[i] > curve.y[found->second])
      found->second = i;
  }
  Curve result = {curve.label, {}, {}, curve.style};
  for (const auto &[part, i] : largest) {
    result.x.push_back(curve.x[i]);
    result.y.push_back(curve.y[i]);
  }
  return result;
}

/// Points on a logarithmic axis, with the largest of them in the title.
Panel magnitude_panel(const std::vector<History> &runs, const Labels &labels,
                      const std::vector<std::vector<double>> &values, const std::string &title,
                      const std::string &y_title) {
  Panel panel;
  panel.y_title = labels.energy(y_title);
  panel.x_title = labels.time();
  panel.logarithmic = true;
  panel.x_range = time_range(runs);
  double largest = 0;
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    const auto magnitude = mapped(values[run], [](const double value) { return std::abs(value); });
    largest = std::max(largest, *std::max_element(magnitude.begin(), magnitude.end()));
    Curve curve = make_run_curve(runs, run, magnitude);
    curve.style.points = true;
    panel.curves.push_back(runs.size() == 1 ? curve : largest_by_part(curve, *panel.x_range));
  }
  panel.title = title + ", largest " + number_with_unit(largest, labels.units.energy);
  return panel;
}

std::vector<std::vector<double>> columns_of(const std::vector<History> &runs,
                                            const std::string &column) {
  std::vector<std::vector<double>> values;
  for (const History &run : runs)
    values.push_back(run[column]);
  return values;
}

Panel residual_panel(const std::vector<History> &runs, const Labels &labels) {
  Panel panel = magnitude_panel(runs, labels, columns_of(runs, "balance_residual"),
                                "Residual of the balance of each step", "|residual|");
  panel.if_empty = "the residual is zero at every step";
  return panel;
}

/// The total energies of several runs alone, which the other energies would leave no room.
Panel total_energy_panel(const std::vector<History> &runs, const Labels &labels) {
  Panel panel;
  panel.title = "Total energy" + labels.subject;
  panel.x_title = labels.time();
  panel.y_title = labels.energy("energy");
  for (int run = 0; run < static_cast<int>(runs.size()); ++run)
    panel.curves.push_back(make_run_curve(runs, run, runs[run]["total"]));
  return panel;
}

/// The energy that the run started from plus all work done since.
std::vector<double> energy_from_work(const History &run) {
  std::vector<double> energy(run["total"].size(), 0.);
  for (const auto &column : work_columns)
    for (std::size_t i = 0; i < energy.size(); ++i)
      energy[i] += run[column][i];
  // The first row may already hold work, so what stood before any work is found backwards.
  const double initial = run["total"].front() - energy.front();
  for (double &value : energy)
    value += initial;
  return energy;
}

std::vector<Panel> balance_panels(const std::vector<History> &runs, const Labels &labels) {
  Panel total;
  total.title = "Energy balance" + labels.subject;
  total.y_title = labels.energy("energy");
  total.x_title = labels.time();
  std::vector<std::vector<double>> drifts;
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    const auto from_work = energy_from_work(runs[run]);
    Curve energy = make_run_curve(runs, run, runs[run]["total"]);
    Curve work = make_run_curve(runs, run, from_work);
    energy.label = "total energy" + (runs.size() == 1 ? "" : ", " + runs[run].label);
    work.label = "initial energy + all work" + (runs.size() == 1 ? "" : ", " + runs[run].label);
    energy.style = {2 * run, 0};
    work.style = {2 * run + 1, 1};
    total.curves.push_back(std::move(energy));
    total.curves.push_back(std::move(work));
    drifts.push_back(runs[run]["total"]);
    for (std::size_t i = 0; i < from_work.size(); ++i)
      drifts.back()[i] -= from_work[i];
  }
  Panel drift = magnitude_panel(runs, labels, drifts, "Difference of the two", "|difference|");
  drift.if_empty = "there is none";
  return {total, drift};
}

/// As AC24's figures 9 and 10, (c) and (d).
std::vector<Panel> tangential_panels(const std::vector<History> &runs, const Labels &labels) {
  Panel positive, negative;
  double highest = 0, lowest = 0;
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    auto above = mapped(runs[run]["tangential_work_max"],
                        [](const double value) { return std::max(value, 0.); });
    auto below = mapped(runs[run]["tangential_work_min"],
                        [](const double value) { return std::min(value, 0.); });
    const double most = *std::max_element(above.begin(), above.end());
    const double least = *std::min_element(below.begin(), below.end());
    highest = std::max(highest, most);
    lowest = std::min(lowest, least);
    positive.curves.push_back(make_run_curve(runs, run, std::move(above)));
    negative.curves.push_back(make_run_curve(runs, run, std::move(below)));
    if (runs.size() > 1) {
      positive.curves.back().label += ", " + number_with_unit(most, labels.units.energy);
      negative.curves.back().label += ", " + number_with_unit(least, labels.units.energy);
    }
  }
  positive.title = "Tangential contact work per step, positive part: largest value " +
                   number_with_unit(highest, labels.units.energy);
  negative.title = "Tangential contact work per step, negative part: lowest value " +
                   number_with_unit(lowest, labels.units.energy);
  positive.x_title = negative.x_title = labels.time();
  positive.y_title = negative.y_title = labels.energy("work of one contact");
  return {positive, negative};
}

std::vector<Panel> work_panels(const std::vector<History> &runs, const Labels &labels) {
  Panel works;
  works.title = "Cumulative work of the contacts" + labels.subject;
  works.x_title = labels.time();
  works.y_title = labels.energy("work");
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    works.curves.push_back(make_curve(runs, run, "normal", runs[run]["work_contact_normal"], 0));
    works.curves.push_back(
        make_curve(runs, run, "tangential", runs[run]["work_contact_tangential"], 1));
  }
  works.legend = legend_of(runs, {{"normal", 0}, {"tangential", 1}});
  const auto positive = [](const std::vector<double> &values) {
    return mapped(values, [](const double value) { return std::max(value, 0.); });
  };
  auto created = columns_of(runs, "tangential_work_max");
  for (auto &values : created)
    values = positive(values);
  Panel largest = magnitude_panel(runs, labels, created,
                                  "Positive tangential work of a contact in each step", "work");
  largest.if_empty = "no contact's tangential work is positive";
  return {works, largest};
}
} // namespace

std::vector<Picture> draw_histories(const std::vector<History> &runs,
                                    const std::filesystem::path &folder) {
  const Labels labels = labels_of(runs);
  const std::string parts =
      runs.size() == 1 ? "" : " Of several runs the largest in each 1/200 of the time is shown.";
  std::vector<Picture> pictures;
  const auto draw = [&](const char *name, const std::vector<Panel> &panels, const std::string &alt,
                        const std::string &caption) {
    pictures.push_back({folder / name, caption, alt, Section::energy});
    draw_panels(panels, pictures.back().file);
  };
  draw(
      "energy.png", {energy_panel(runs, labels), residual_panel(runs, labels)},
      "Two charts over time: energies and works; below, the residual of the energy balance.",
      std::string("Kinetic, strain and total energy, and the cumulative work of each kind that is "
                  "not zero. "
                  "Below, what is left of each step's energy balance (steps with none left out).") +
          parts);
  if (runs.size() > 1)
    draw("total_energy.png", {total_energy_panel(runs, labels)},
         "A chart of the total energy of each run over time.", "The total energy of each run.");
  draw(
      "balance.png", balance_panels(runs, labels),
      "Two charts over time: total energy beside initial energy plus all work; below, their "
      "difference.",
      std::string(
          "The total energy beside the initial energy plus all work; below, how far they have come "
          "apart since the start.") +
          parts);
  draw("works.png", work_panels(runs, labels),
       "Two charts over time: cumulative normal and tangential work of the contacts; below, the "
       "largest positive tangential work of a contact.",
       std::string("The work of all contacts on the bodies since the start, normal and tangential. "
                   "Below, the "
                   "largest tangential work of a contact in each step where it is positive: "
                   "Coulomb friction "
                   "dissipates, so a value beyond round-off is energy made from nothing.") +
           parts);
  draw("tangential_work.png", tangential_panels(runs, labels),
       "Two charts over time: the largest and the smallest tangential work of a contact.",
       "The largest and the smallest tangential work of a contact in each step, on linear axes.");
  for (const auto &more : {draw_contact_histories(runs, labels, folder),
                           draw_statuses(runs, labels, folder), draw_motions(runs, labels, folder)})
    pictures.insert(pictures.end(), more.begin(), more.end());
  return pictures;
}

} // namespace percussion::report
