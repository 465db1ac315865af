#include "contact_charts.h"

#include <percussion/report/contact_history.h>

namespace percussion::report {
namespace {

/// How many contacts; of several runs one panel for each count, since counts jump about too much
/// for dashes alone to tell runs apart.
std::vector<Panel> count_panels(const std::vector<History> &runs, const Labels &labels) {
  Panel active, sliding;
  active.title = "Contacts" + labels.subject;
  sliding.title = "Sliding contacts";
  active.x_title = sliding.x_title = labels.time();
  active.y_title = sliding.y_title = "number of contacts";
  active.integers = sliding.integers = true;
  if (runs.size() == 1) {
    active.curves.push_back(make_curve(runs, 0, "active", runs[0]["contacts_active"], 0));
    active.curves.push_back(make_curve(runs, 0, "sliding", runs[0]["contacts_sliding"], 1));
    return {active};
  }
  active.title = "Active contacts";
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    active.curves.push_back(make_run_curve(runs, run, runs[run]["contacts_active"]));
    sliding.curves.push_back(make_run_curve(runs, run, runs[run]["contacts_sliding"]));
  }
  return {active, sliding};
}

Panel penetration_panel(const std::vector<History> &runs, const Labels &labels) {
  Panel panel;
  double deepest = 0;
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    const auto &penetration = runs[run]["penetration_max"];
    deepest = std::max(deepest, *std::max_element(penetration.begin(), penetration.end()));
    panel.curves.push_back(make_run_curve(runs, run, penetration));
  }
  panel.title = "Deepest penetration at the end of each step, at most " +
                number_with_unit(deepest, labels.units.length);
  panel.y_title = with_unit("penetration", labels.units.length);
  panel.x_title = labels.time();
  panel.height = 800;
  return panel;
}

/// The impulse of all contacts since the start; runs of an older program have none.
const std::vector<double> *impulse_of(const History &run) {
  const auto found = run.columns.find("percussion_normal");
  return found == run.columns.end() ? nullptr : &found->second;
}

/// The mean force from each row to the next.
Curve force_curve(const std::vector<History> &runs, const int run) {
  const auto &time = runs[run]["time"], &impulse = *impulse_of(runs[run]);
  Curve curve = make_run_curve(runs, run, {});
  curve.x.clear();
  for (std::size_t i = 1; i < time.size(); ++i) {
    curve.x.push_back(time[i]);
    curve.y.push_back((impulse[i] - impulse[i - 1]) / (time[i] - time[i - 1]));
  }
  return curve;
}

/// Force, impulse and pressure; only those that are known of some run and not zero throughout.
std::vector<Panel> force_panels(const std::vector<History> &runs, const Labels &labels) {
  Panel force, impulse, pressure;
  force.title = "Normal force of all contacts" + labels.subject;
  force.y_title = with_unit("force", labels.units.force);
  impulse.title = "Impulse of all contacts since the start";
  impulse.y_title = with_unit("impulse", labels.units.percussion);
  pressure.title = "Largest pressure of a contact point in the steps that end at written instants";
  pressure.y_title = with_unit("pressure", labels.units.stress);
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    const ContactHistory history = read_contact_history(runs[run]);
    const auto at_instants = [&](const std::vector<double> &values) {
      Curve curve = make_run_curve(runs, run, values);
      curve.x = history.time;
      return curve;
    };
    if (const auto *values = impulse_of(runs[run])) {
      force.curves.push_back(force_curve(runs, run));
      impulse.curves.push_back(make_run_curve(runs, run, *values));
    } else if (!history.time.empty())
      force.curves.push_back(at_instants(history.normal_force));
    if (!history.time.empty())
      pressure.curves.push_back(at_instants(history.pressure));
  }
  std::vector<Panel> panels;
  for (Panel *panel : {&force, &impulse, &pressure}) {
    const bool tells = std::any_of(panel->curves.begin(), panel->curves.end(),
                                   [](const Curve &curve) { return !all_zero(curve.y); });
    panel->x_title = labels.time();
    panel->x_range = time_range(runs);
    panel->height = 640;
    // Points of rigid bodies bear forces but have no area.
    if (tells)
      panels.push_back(std::move(*panel));
  }
  return panels;
}
} // namespace

std::vector<Picture> draw_contact_histories(const std::vector<History> &runs, const Labels &labels,
                                            const std::filesystem::path &folder) {
  std::vector<Picture> pictures;
  const auto draw = [&](const char *name, const std::vector<Panel> &panels, const std::string &alt,
                        const std::string &caption) {
    pictures.push_back({folder / name, caption, alt, Section::contact});
    draw_panels(panels, pictures.back().file);
  };
  draw("contacts.png", count_panels(runs, labels),
       "A chart over time: the numbers of active and of sliding contacts.",
       "How many contacts take part in each step, and how many of these slide.");
  draw("penetration.png", {penetration_panel(runs, labels)},
       "A chart over time: the deepest penetration.",
       "How deep the deepest contact point lies below its surface at the end of each step.");
  const auto forces = force_panels(runs, labels);
  if (!forces.empty())
    draw("forces.png", forces,
         "Charts over time: force, impulse and largest pressure of the contacts.",
         "The force of all contacts together against the surfaces' normals, percussion over step, "
         "and the impulse, which is its sum over time; below, where there is one, the largest "
         "pressure of a contact point. Points with which rigid bodies press on each other count "
         "as others do. Of runs whose energy.csv has no impulse the force is that of the steps "
         "that end at written instants, in which bodies press on surfaces.");
  return pictures;
}

} // namespace percussion::report
