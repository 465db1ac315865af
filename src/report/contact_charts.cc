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

/// Empty where no run has written contacts.
std::vector<Panel> force_panels(const std::vector<History> &runs, const Labels &labels) {
  Panel force, impulse, pressure;
  force.title = "Normal contact force in the steps that end at the written instants" +
                (runs.size() == 1 ? labels.subject : "");
  force.y_title = with_unit("force", labels.units.force);
  impulse.title = "Impulse: the force, summed over time";
  impulse.y_title = with_unit("impulse", labels.units.percussion);
  pressure.title = "Largest pressure of a contact point in these steps";
  pressure.y_title = with_unit("pressure", labels.units.stress);
  bool any = false, any_pressure = false, any_force = false;
  for (int run = 0; run < static_cast<int>(runs.size()); ++run) {
    const ContactHistory history = read_contact_history(runs[run]);
    any = any || !history.time.empty();
    any_force = any_force || !all_zero(history.normal_force);
    any_pressure = any_pressure || !all_zero(history.pressure);
    for (const auto &[panel, values] : {std::pair{&force, &history.normal_force},
                                        {&impulse, &history.impulse},
                                        {&pressure, &history.pressure}}) {
      panel->curves.push_back(make_run_curve(runs, run, *values));
      panel->curves.back().x = history.time;
    }
  }
  for (Panel *panel : {&force, &impulse, &pressure}) {
    panel->x_title = labels.time();
    panel->x_range = time_range(runs);
    panel->height = 640;
  }
  if (!any)
    return {};
  // Points of rigid bodies bear forces but have no area.
  if (any_force && !any_pressure)
    return {force, impulse};
  return {force, impulse, pressure};
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
         std::string("The force of all contacts together against the surface's normal, percussion "
                     "over step (of contacts between rigid bodies only where there are no "
                     "others); its sum over time") +
             (forces.size() > 2 ? "; below, the largest pressure of a contact point." : ".") +
             " Between the written instants the force is taken to be linear: an impact that falls "
             "between two of them is missed.");
  return pictures;
}

} // namespace percussion::report
