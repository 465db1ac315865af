#include <percussion/report/axis.h>

#include "run_charts.h"
#include <algorithm>
#include <limits>

namespace percussion::report {
namespace {

/// How many contacts; of several runs one panel for each count, since counts jump about too much
/// for dashes alone to distinguish runs.
std::vector<Panel> count_panels(const Runs &runs) {
  std::vector<Panel> panels;
  if (runs.is_one) {
    panels = {time_panel(runs, "Contacts" + runs.subject, "number of contacts")};
    int quantity = 0;
    for (const std::string name : {"active", "sliding"})
      panels[0].curves.push_back(
          quantity_curve(runs, 0, name, quantity++, runs[0]["contacts_" + name]));
  } else
    panels = {
        run_panel(runs, "Active contacts", "number of contacts", column("contacts_active")),
        run_panel(runs, "Sliding contacts", "number of contacts", column("contacts_sliding"))};
  for (Panel &panel : panels)
    panel.integers = true;
  return panels;
}

Panel penetration_panel(const Runs &runs) {
  Panel panel =
      run_panel(runs, "", with_unit("penetration", runs.units.length), column("penetration_max"));
  panel.title = "Deepest penetration at the end of each step, at most " +
                number_with_unit(largest_of(panel), runs.units.length);
  panel.height = 800;
  return panel;
}

/// The mean force from each row to the next.
std::vector<double> force(const History &run) {
  const auto &time = run["time"], &impulse = run["percussion_normal"];
  std::vector<double> force = {std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 1; i < time.size(); ++i)
    force.push_back((impulse[i] - impulse[i - 1]) / (time[i] - time[i - 1]));
  return force;
}

/// Force, impulse and pressure; those that are not zero throughout.
std::vector<Panel> force_panels(const Runs &runs, const std::vector<ContactHistory> &contacts) {
  std::vector<Panel> panels = {
      run_panel(runs, "Normal force of all contacts" + runs.subject,
                with_unit("force", runs.units.force), force),
      run_panel(runs, "Impulse of all contacts since the start",
                with_unit("impulse", runs.units.percussion), column("percussion_normal")),
      time_panel(runs,
                 "Largest pressure of a contact point in the steps that end at written "
                 "instants",
                 with_unit("pressure", runs.units.stress))};
  for (int run = 0; run < runs.size(); ++run) {
    Curve curve = run_curve(runs, run, contacts[run].pressure);
    curve.x = contacts[run].time;
    // No step leads to the start.
    if (!curve.x.empty() && curve.x.front() <= runs[run]["time"].front())
      curve.y.front() = std::numeric_limits<double>::quiet_NaN();
    panels[2].curves.push_back(std::move(curve));
  }
  const auto is_zero = [](const Panel &panel) {
    return largest_of(panel) == 0 && largest_of(panel, -1) == 0;
  };
  panels.erase(std::remove_if(panels.begin(), panels.end(), is_zero), panels.end());
  for (Panel &panel : panels) {
    panel.x_range = runs.period;
    panel.height = 640;
  }
  return panels;
}

Chart status_chart(const Runs &runs, const std::vector<ContactHistory> &contacts) {
  Chart chart{"statuses.png",
              {},
              "A chart of the status of the contacts, open, stick or slip, in space and time.",
              "What each contact point did in the steps that end at the written instants, each "
              "drawn half way to the next; white: not near.",
              Section::contact};
  bool places = false, names = false;
  for (int run = 0; run < runs.size(); ++run)
    for (const StatusGroup &group : contacts[run].groups) {
      if (contacts[run].time.size() < 2)
        continue;
      Panel panel = status_panel(contacts[run].time, group, runs);
      panel.title = "Contact status" + (runs.is_one ? runs.subject : ": " + runs[run].label) +
                    (group.title.empty() ? "" : ", " + group.title);
      chart.panels.push_back(std::move(panel));
      places = places || group.is_along_surface;
      names = names || !group.rows.front().name.empty();
    }
  if (places)
    chart.caption += " Points of an elastic body stand at their place along its undeformed edge, "
                     "with the body on the left.";
  if (names)
    chart.caption += " Points of rigid bodies are named by body and place in it; those that touch "
                     "at none of the instants are left out.";
  return chart;
}
} // namespace

std::vector<Chart> contact_charts(const Runs &runs) {
  std::vector<ContactHistory> contacts;
  for (const History &run : runs.all)
    contacts.push_back(read_contact_history(run));
  return {
      {"contacts.png", count_panels(runs),
       "A chart over time: the numbers of active and of sliding contacts.",
       "How many contacts take part in each step, and how many of these slide.", Section::contact},
      {"penetration.png",
       {penetration_panel(runs)},
       "A chart over time: the deepest penetration.",
       "How deep the deepest contact point lies below its surface at the end of each step.",
       Section::contact},
      {"forces.png", force_panels(runs, contacts),
       "Charts over time: force, impulse and largest pressure of the contacts.",
       "The force of all contacts together against the surfaces' normals, percussion over step, "
       "and the impulse, which is its sum over time; below, where there is one, the largest "
       "pressure of a contact point. Points with which rigid bodies press on each other count "
       "as others do.",
       Section::contact},
      status_chart(runs, contacts)};
}

} // namespace percussion::report
