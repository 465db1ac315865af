#include "ground.h"

#include <vtkDataArray.h>
#include <vtkPointData.h>

#include <cmath>
#include <set>

namespace percussion::report {
namespace {
constexpr double tolerance = 1e-6;

double turn(const std::array<double, 3> &n, const std::array<double, 3> &m) {
  return std::abs(n[0] - m[0]) + std::abs(n[1] - m[1]) + std::abs(n[2] - m[2]);
}

/// Whether it is the same straight ground seen from another point of it.
bool agrees(const Ground &ground, const Ground &other, const double size) {
  double offset = 0;
  for (int c = 0; c < 3; ++c)
    offset += (other.point[c] - ground.point[c]) * ground.normal[c];
  return std::abs(offset) <= tolerance * size && turn(ground.normal, other.normal) <= tolerance &&
         length(other.normal) > 0.5;
}

int integer_at(vtkDataArray *field, const vtkIdType i) {
  return field == nullptr ? 0 : static_cast<int>(field->GetComponent(i, 0));
}
} // namespace

std::map<int, Ground> straight_grounds(const Instant &contacts, const Warp &warp,
                                       const Motion &motion, const double size) {
  vtkPointData &fields = *contacts.mesh->GetPointData();
  vtkDataArray *gap = fields.GetArray("gap"), *normal = fields.GetArray("normal");
  vtkDataArray *displacement = fields.GetArray("displacement");
  vtkDataArray *pair = fields.GetArray("pair"), *obstacle = fields.GetArray("obstacle");
  if (gap == nullptr || normal == nullptr || displacement == nullptr)
    return {};
  std::map<int, Ground> grounds;
  std::set<int> curved;
  for (vtkIdType i = 0; i < contacts.mesh->GetNumberOfPoints(); ++i) {
    if (integer_at(obstacle, i) > 0)
      continue; // it may touch another body
    const auto n = vector_at(*normal, i), u = warped(warp, motion, vector_at(*displacement, i));
    std::array<double, 3> foot{};
    contacts.mesh->GetPoint(i, foot.data());
    for (int c = 0; c < 3; ++c)
      foot[c] += u[c] - warp.factor * gap->GetComponent(i, 0) * n[c];
    const auto ground = grounds.insert({integer_at(pair, i), {foot, n}}).first;
    if (!agrees(ground->second, {foot, n}, size))
      curved.insert(ground->first);
  }
  for (const int contact : curved)
    grounds.erase(contact);
  return grounds;
}

std::vector<std::vector<Ground>> lasting(const std::vector<std::map<int, Ground>> &instants) {
  std::vector<std::vector<Ground>> result(instants.size());
  for (const auto &[contact, first] : instants.front()) {
    bool lasts = true;
    for (const auto &grounds : instants) {
      const auto found = grounds.find(contact);
      lasts =
          lasts && found != grounds.end() && turn(found->second.normal, first.normal) <= tolerance;
    }
    for (std::size_t k = 0; lasts && k < instants.size(); ++k)
      result[k].push_back(instants[k].at(contact));
  }
  return result;
}

} // namespace percussion::report
