#include <percussion/report/axis.h>
#include <percussion/report/charts.h>
#include <percussion/report/contact_history.h>
#include <percussion/report/history_charts.h>

#include <algorithm>
#include <cmath>

namespace percussion::report {
namespace {

/// Names and units that the panels of all pictures share.
struct Labels {
  Units units;
  std::string subject; ///< ": sliding_block, moreau-jean-fremond" behind a title

  std::string time() const { return with_unit("time", units.time); }
  std::string energy(const std::string &what) const { return with_unit(what, units.energy); }
};

Labels labels_of(const std::vector<History> &runs) {
  Labels labels;
  labels.units = parse_units(runs.front().remark("units"));
  if (runs.size() == 1)
    for (const char *key : {"case", "scheme"}) {
      const std::string text = runs.front().remark(key);
      if (!text.empty())
        labels.subject += (labels.subject.empty() ? ": " : ", ") + text;
    }
  return labels;
}

/// A curve of run `run`: quantities differ in colour; their dash tells runs apart where there are
/// several, else it repeats what the colour tells.
Curve make_curve(const std::vector<History> &runs, const int run, const std::string &name,
                 std::vector<double> values, const int quantity) {
  Curve curve;
  curve.x = runs[run]["time"];
  curve.y = std::move(values);
  curve.label = runs.size() == 1 ? name : name + ", " + runs[run].label;
  curve.style.colour = quantity;
  curve.style.dash = runs.size() == 1 ? quantity : run;
  return curve;
}

/// One quantity per panel: colour and dash both tell the runs apart; one run needs no legend.
Curve make_run_curve(const std::vector<History> &runs, const int run, std::vector<double> values) {
  Curve curve = make_curve(runs, run, "", std::move(values), run);
  curve.label = runs.size() == 1 ? "" : runs[run].label;
  curve.style.dash = run;
  return curve;
}

bool all_zero(const std::vector<double> &values) {
  return std::all_of(values.begin(), values.end(), [](const double v) { return v == 0; });
}

template <typename Function>
std::vector<double> mapped(const std::vector<double> &values, const Function &function) {
  std::vector<double> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), function);
  return result;
}

Panel energy_panel(const std::vector<History> &runs, const Labels &labels) {
  static const std::vector<std::pair<std::string, std::string>> quantities = {
      {"kinetic", "kinetic energy"},
      {"strain", "strain energy"},
      {"total", "total energy"},
      {"work_external", "external work"},
      {"work_contact_tangential", "tangential contact work"},
      {"work_contact_normal", "normal contact work"},
      {"work_viscous", "viscous work"},
      {"work_numerical", "numerical work"},
      {"work_prescribed", "work of prescribed motion"}};
  Panel panel;
  panel.title = "Energies and cumulative work" + labels.subject;
  panel.x_title = labels.time();
  panel.y_title = labels.energy("energy, work");
  for (int q = 0; q < static_cast<int>(quantities.size()); ++q)
    for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
      const auto &[column, name] = quantities[q];
      // Rigid bodies have no strain energy.
      const bool may_miss = column.rfind("work_", 0) == 0 || column == "strain";
      if (!may_miss || !all_zero(runs[run][column]))
        panel.curves.push_back(make_curve(runs, run, name, runs[run][column], q));
    }
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
  Panel total, residual;
  total.title = "Energy balance" + labels.subject;
  total.y_title = labels.energy("energy");
  residual.y_title = labels.energy("|residual|");
  total.x_title = residual.x_title = labels.time();
  residual.logarithmic = true;
  residual.if_empty = "the residual is zero at every step";
  double largest = 0;
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    Curve energy = make_curve(runs, run, "total energy", runs[run]["total"], 2 * run);
    Curve work = make_curve(runs, run, "initial energy + all work", energy_from_work(runs[run]),
                            2 * run + 1);
    energy.style.dash = 0;
    work.style.dash = 1;
    total.curves.push_back(std::move(energy));
    total.curves.push_back(std::move(work));

    const auto magnitude =
        mapped(runs[run]["balance_residual"], [](const double value) { return std::abs(value); });
    largest = std::max(largest, *std::max_element(magnitude.begin(), magnitude.end()));
    residual.curves.push_back(make_run_curve(runs, run, magnitude));
    residual.curves.back().style.points = true;
  }
  residual.title = "Residual of the balance of each step, largest " +
                   number_with_unit(largest, labels.units.energy);
  return {total, residual};
}

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

std::vector<Panel> contact_panels(const std::vector<History> &runs, const Labels &labels) {
  Panel counts, depth;
  counts.title = "Contacts" + labels.subject;
  counts.y_title = "number of contacts";
  counts.integers = true;
  double deepest = 0;
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    // Counts jump about too much for dashes alone to tell runs apart.
    counts.curves.push_back(make_curve(runs, run, "active", runs[run]["contacts_active"], 2 * run));
    counts.curves.push_back(
        make_curve(runs, run, "sliding", runs[run]["contacts_sliding"], 2 * run + 1));
    counts.curves.back().style.dash = 1;
    counts.curves[2 * run].style.dash = 0;
    const auto &penetration = runs[run]["penetration_max"];
    deepest = std::max(deepest, *std::max_element(penetration.begin(), penetration.end()));
    depth.curves.push_back(make_run_curve(runs, run, penetration));
  }
  depth.title =
      "Deepest penetration at each step, at most " + number_with_unit(deepest, labels.units.length);
  depth.y_title = with_unit("penetration", labels.units.length);
  counts.x_title = depth.x_title = labels.time();
  return {counts, depth};
}

/// Empty where no run has written contacts.
std::vector<Panel> force_panels(const std::vector<History> &runs, const Labels &labels) {
  Panel force, pressure;
  force.title = "Normal contact force in the steps that end at the written instants" +
                (runs.size() == 1 ? labels.subject : "");
  force.y_title = with_unit("force", labels.units.force);
  pressure.title = "Largest pressure of a contact point in these steps";
  pressure.y_title = with_unit("pressure", labels.units.stress);
  force.x_title = pressure.x_title = labels.time();
  bool any = false, any_force = false, any_pressure = false;
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    const ContactHistory history = read_contact_history(runs[run]);
    any = any || !history.time.empty();
    any_force = any_force || !all_zero(history.normal_force);
    any_pressure = any_pressure || !all_zero(history.pressure);
    force.curves.push_back(make_run_curve(runs, run, history.normal_force));
    pressure.curves.push_back(make_run_curve(runs, run, history.pressure));
    force.curves.back().x = pressure.curves.back().x = history.time;
  }
  if (!any)
    return {};
  // Points of rigid bodies bear forces but have no area.
  if (any_force && !any_pressure)
    return {force};
  return {force, pressure};
}
} // namespace

std::vector<Picture> draw_histories(const std::vector<History> &runs,
                                    const std::filesystem::path &folder) {
  const Labels labels = labels_of(runs);
  std::vector<Picture> pictures;
  const auto draw = [&](const char *name, const std::vector<Panel> &panels,
                        const std::string &caption) {
    pictures.push_back({folder / name, caption});
    draw_panels(panels, pictures.back().file);
  };
  draw("energy.png", {energy_panel(runs, labels)},
       "Kinetic, strain and total energy, and the cumulative work of each kind that is not zero.");
  if (runs.size() > 1)
    draw("total_energy.png", {total_energy_panel(runs, labels)}, "The total energy of each run.");
  draw("balance.png", balance_panels(runs, labels),
       "The total energy beside the initial energy plus all work; below, what is left of each "
       "step's balance (steps with none left out).");
  draw("tangential_work.png", tangential_panels(runs, labels),
       "The largest and the smallest tangential work of a contact in each step. Coulomb friction "
       "dissipates: a positive value beyond round-off is energy made from nothing.");
  draw("contacts.png", contact_panels(runs, labels),
       "How many contacts are active and how many of these slide; below, the largest penetration.");
  const auto forces = force_panels(runs, labels);
  if (!forces.empty())
    draw(
        "forces.png", forces,
        std::string("The force of all contacts together against the surface's normal, percussion "
                    "over step (of contacts between rigid bodies only where there are no others)") +
            (forces.size() > 1 ? "; below, the largest pressure of a contact point." : "."));
  return pictures;
}

} // namespace percussion::report
