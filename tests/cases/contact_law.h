#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace cases {

/// Bounds of the defects of the contact law in shipped cases; depths are relative to the local size
/// of the mesh, or the size of a rigid body. The bounds are two to ten times the measured defects.
using DefectBounds = std::map<std::string, double>;

inline const DefectBounds usual_bounds = {{"missed_depth", 0.1},    {"relapse_depth", 0.01},
                                          {"drift", 0.1},           {"pressing_gap", 0.05},
                                          {"cone_violation", 1e-9}, {"slip_direction_error", 1e-3},
                                          {"resting_work", 1e-6}};

/// Larger bounds of single cases, with their reasons.
inline const std::map<std::string, DefectBounds> bounds_of_cases = {
    // Thin rings, whose local size is a third of their thickness, at 10 m/s with the steps of the
    // papers.
    {"ring_impact", {{"missed_depth", 0.75}, {"relapse_depth", 0.75}, {"pressing_gap", 0.3}}},
    {"ring_impact_q4", {{"missed_depth", 0.75}, {"relapse_depth", 0.75}, {"pressing_gap", 0.3}}},
    {"ring_fremond",
     {{"missed_depth", 0.75}, {"relapse_depth", 0.75}, {"drift", 0.5}, {"pressing_gap", 0.3}}},
    {"ring_crush",
     {{"missed_depth", 0.9}, {"relapse_depth", 0.9}, {"drift", 0.6}, {"pressing_gap", 0.9}}},
    {"ring_self_contact",
     {{"missed_depth", 0.9}, {"relapse_depth", 0.9}, {"drift", 0.9}, {"pressing_gap", 0.9}}},
    {"ring_rebound", {{"missed_depth", 0.3}, {"relapse_depth", 0.3}, {"pressing_gap", 0.1}}},
    {"ring_rebound_friction",
     {{"missed_depth", 0.3}, {"relapse_depth", 0.3}, {"pressing_gap", 0.1}}},
    {"ring_rebound_viscous",
     {{"missed_depth", 0.3}, {"relapse_depth", 0.3}, {"pressing_gap", 0.1}}},
    {"ring_rebound_friction_viscous",
     {{"missed_depth", 0.3}, {"relapse_depth", 0.3}, {"pressing_gap", 0.1}}},
    // A fine disc in fast rolling, with forecast gaps.
    {"rolling_disc", {{"missed_depth", 0.2}, {"relapse_depth", 0.2}}},
    // Mortar contact with multipliers of the small block: its corners penetrate.
    {"colliding_blocks", {{"drift", 0.75}}},
    // A wheel of wide shallow tread, 250 steps in a second of contact.
    {"tyre_drop", {{"missed_depth", 0.5}, {"relapse_depth", 0.5}, {"pressing_gap", 0.2}}}};

/// Expects that the defects in summary.json are within the bounds of the shipped case, and that the
/// run has not warned of any.
inline void expect_contact_law(const nlohmann::json &summary, const std::string &prm) {
  DefectBounds bounds = usual_bounds;
  if (const auto found = bounds_of_cases.find(prm); found != bounds_of_cases.end())
    for (const auto &[name, bound] : found->second)
      bounds[name] = bound;
  const auto &law = summary.at("contact_law");
  EXPECT_EQ(law.size(), bounds.size());
  for (const auto &[name, bound] : bounds) {
    const double value = law.at(name).at("value");
    const bool is_length = name == "missed_depth" || name == "relapse_depth" || name == "drift";
    const double size = is_length && value > 0. ? double(law[name].at("local_size")) : 1.;
    EXPECT_LE(value, bound * size) << name << ": " << law[name].dump();
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    for (const std::string warning : summary.at("warnings"))
      EXPECT_NE(warning.rfind(words + ": ", 0), 0u) << warning;
  }
}

} // namespace cases
