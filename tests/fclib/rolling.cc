// Problems with rolling friction in files of FCLib and Siconos.

#include <percussion/cone/method.h>
#include <percussion/cone/solver.h>
#include <percussion/fclib/problem_file.h>

#include "fclib_files.h"
#include <array>
#include <cmath>
#include <fstream>
#include <type_traits>
#include <utility>

using namespace percussion;
using namespace percussion::sample;

namespace {

using Vector3 = std::array<double, 3>;

Vector3 cross(const Vector3 &a, const Vector3 &b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double product(const Vector3 &a, const Vector3 &b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// HDF5 file with a problem of FCLib's group for rolling friction.
class WrittenFile {
public:
  explicit WrittenFile(const std::string &path)
      : file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~WrittenFile() { H5Fclose(file); }
  WrittenFile(const WrittenFile &) = delete;
  WrittenFile &operator=(const WrittenFile &) = delete;

  template <typename Number>
  void write(const std::string &name, const std::vector<Number> &values) const {
    const hid_t type = std::is_same_v<Number, int> ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    const hsize_t size = values.size();
    const hid_t space = H5Screate_simple(1, &size, nullptr), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t data = H5Dcreate2(file, ("/fclib_global_rolling/" + name).c_str(), type, space,
                                  links, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(data);
    H5Pclose(links);
    H5Sclose(space);
  }
  void write(const std::string &name, const RawMatrix &matrix) const {
    const std::pair<const char *, int> sizes[] = {{"/m", matrix.m},
                                                  {"/n", matrix.n},
                                                  {"/nz", matrix.nz},
                                                  {"/nzmax", static_cast<int>(matrix.x.size())}};
    for (const auto &[size, value] : sizes)
      write(name + size, std::vector<int>{value});
    write(name + "/p", matrix.p);
    write(name + "/i", matrix.i);
    write(name + "/x", matrix.x);
  }

private:
  hid_t file;
};

/// Spheres with their contacts in a step of length h, as M, H, f, w of a global problem.
struct Spheres {
  static constexpr double radius = 0.1, mass = 2., inertia = 0.4 * mass * radius * radius,
                          gravity = 9.81, h = 0.01;
  std::size_t n_spheres;
  Numbers f, w, mu, mu_r;
  std::vector<Numbers> columns; ///< columns of H

  explicit Spheres(std::size_t n) : n_spheres(n), f(6 * n, 0.) {
    for (std::size_t b = 0; b < n; ++b)
      f[6 * b + 2] = -mass * gravity * h;
  }

  void set_velocity(std::size_t sphere, const Vector3 &v, const Vector3 &omega) {
    for (std::size_t d = 0; d < 3; ++d) {
      f[6 * sphere + d] += mass * v[d];
      f[6 * sphere + 3 + d] += inertia * omega[d];
    }
  }

  /// Adds a contact of sphere a with sphere b, or with the ground if they are the same; the normal
  /// points to a.
  void add_contact(std::size_t a, std::size_t b, const Vector3 &normal, double friction,
                   double rolling_friction) {
    const Vector3 axis = std::abs(normal[2]) > 0.9 ? Vector3{1., 0., 0.} : Vector3{0., 0., 1.};
    Vector3 t = cross(axis, normal);
    const double length = std::sqrt(product(t, t));
    for (double &component : t)
      component /= length;
    const Vector3 s = cross(normal, t);
    for (const Vector3 &direction : {normal, t, s}) {
      Numbers column(6 * n_spheres, 0.);
      const Vector3 moment = cross(normal, direction); // arm −R n of a, R n of b
      for (std::size_t d = 0; d < 3; ++d) {
        column[6 * a + d] += direction[d];
        column[6 * a + 3 + d] -= radius * moment[d];
        if (b != a) {
          column[6 * b + d] -= direction[d];
          column[6 * b + 3 + d] -= radius * moment[d];
        }
      }
      columns.push_back(column);
    }
    for (const Vector3 &direction : {t, s}) {
      Numbers column(6 * n_spheres, 0.);
      for (std::size_t d = 0; d < 3; ++d) {
        column[6 * a + 3 + d] += direction[d];
        if (b != a)
          column[6 * b + 3 + d] -= direction[d];
      }
      columns.push_back(column);
    }
    w.insert(w.end(), 5, 0.);
    mu.push_back(friction);
    mu_r.push_back(rolling_friction);
  }

  double mass_of(std::size_t dof) const { return dof % 6 < 3 ? mass : inertia; }

  /// Writes the file as fclib_write_global_rolling() of FCLib, which version 3.1.0 lacks.
  void write(const std::string &path) const {
    const int n = static_cast<int>(f.size()), m = static_cast<int>(columns.size());
    RawMatrix M{n, n, n, {}, {}, {}}, H{n, m, -1, {0}, {}, {}};
    for (int k = 0; k < n; ++k) {
      M.p.push_back(k);
      M.x.push_back(mass_of(static_cast<std::size_t>(k)));
    }
    M.i = M.p;
    for (const Numbers &column : columns) {
      for (int k = 0; k < n; ++k)
        if (column[static_cast<std::size_t>(k)] != 0.) {
          H.i.push_back(k);
          H.x.push_back(column[static_cast<std::size_t>(k)]);
        }
      H.p.push_back(static_cast<int>(H.i.size()));
    }
    const WrittenFile file(path);
    file.write("spacedim", std::vector<int>{5});
    file.write("M", M);
    file.write("H", H);
    file.write("vectors/f", f);
    file.write("vectors/w", w);
    file.write("vectors/mu", mu);
    file.write("vectors/mu_r", mu_r);
  }

  /// Returns v = M⁻¹ (H r + f).
  Numbers velocity(const Numbers &r) const {
    Numbers v = f;
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t k = 0; k < v.size(); ++k)
        v[k] += columns[c][k] * r[c];
    for (std::size_t k = 0; k < v.size(); ++k)
      v[k] /= mass_of(k);
    return v;
  }
  /// Returns Hᵀ v + w.
  Numbers local(const Numbers &v) const {
    Numbers u = w;
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t k = 0; k < v.size(); ++k)
        u[c] += columns[c][k] * v[k];
    return u;
  }

  /// Fails unless r obeys the law of each contact: Signorini's, Coulomb's, and rolling friction's.
  void expect_law(const Numbers &r, double tolerance) const {
    const Numbers u = local(velocity(r));
    const auto expect_friction = [&](const double *p, const double *slip, double limit) {
      const double size = std::hypot(p[0], p[1]), speed = std::hypot(slip[0], slip[1]);
      EXPECT_LE(size, limit + tolerance);
      EXPECT_NEAR(p[0] * slip[0] + p[1] * slip[1] + limit * speed, 0., tolerance);
    };
    for (std::size_t i = 0; i < mu.size(); ++i) {
      const double *const p = &r[5 * i], *const velocity_of_contact = &u[5 * i];
      EXPECT_GE(p[0], -tolerance);
      EXPECT_GE(velocity_of_contact[0], -tolerance);
      EXPECT_NEAR(p[0] * velocity_of_contact[0], 0., tolerance);
      expect_friction(p + 1, velocity_of_contact + 1, mu[i] * p[0]);
      expect_friction(p + 3, velocity_of_contact + 3, mu_r[i] * p[0]);
    }
  }
};

/// A sphere that rolls; it loses the velocity h 5/7 μ_r g / R.
Spheres rolling_sphere() {
  Spheres spheres(1);
  spheres.set_velocity(0, {0.7, 0., 0.}, {0., 0.7 / Spheres::radius, 0.});
  spheres.add_contact(0, 0, {0., 0., 1.}, 0.5, 0.004);
  return spheres;
}

/// Three spheres on the ground that touch each other, and a fourth that falls on them.
Spheres pyramid() {
  Spheres spheres(4);
  const double R = Spheres::radius, s = std::sqrt(3.);
  const Vector3 centre[] = {
      {0., 0., 0.}, {2 * R, 0., 0.}, {R, s * R, 0.}, {R, R / s, 2 * R * std::sqrt(2. / 3.)}};
  for (std::size_t a = 0; a < 4; ++a) {
    spheres.set_velocity(a, {0.3 * (a == 0 ? 1. : -0.5), 0.1, a == 3 ? -0.5 : 0.},
                         {3. * static_cast<double>(a), -2., 1.});
    if (a < 3)
      spheres.add_contact(a, a, {0., 0., 1.}, 0.4, 0.005);
    for (std::size_t b = 0; b < a; ++b) {
      Vector3 normal;
      for (std::size_t d = 0; d < 3; ++d)
        normal[d] = (centre[a][d] - centre[b][d]) / (2. * R);
      spheres.add_contact(a, b, normal, 0.3, 0.01);
    }
  }
  return spheres;
}

/// Returns the percussions in the order of the file.
Numbers stored_percussions(const std::string &path, const ConeSolution &solution) {
  GlobalConeSolution whole;
  static_cast<ConeSolution &>(whole) = solution;
  write_fclib_solution(path, whole);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
              data = H5Dopen2(file, "/solution/r", H5P_DEFAULT), space = H5Dget_space(data);
  Numbers r(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, r.data());
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  return r;
}

ConeSolution solve(const FclibFile &file, ConeMethod method = ConeMethod::automatic) {
  ConeOptions options;
  options.tolerance = 1e-12;
  options.method = method;
  ConeSolution solution;
  ConeSolver(options).solve(std::get<FrictionContactProblem>(file.problem), solution);
  return solution;
}

class RollingFiles : public FclibFolder {};

TEST_F(RollingFiles, SolveARollingSphere) {
  Spheres spheres = rolling_sphere();
  spheres.write(path);
  const ConeSolution solution = solve(read_fclib(path));
  ASSERT_TRUE(solution.converged);
  const Numbers r = stored_percussions(path, solution);
  spheres.expect_law(r, 1e-12);
  const double lost = 5. / 7. * 0.004 * Spheres::gravity * Spheres::h / Spheres::radius;
  const Numbers v = spheres.velocity(r);
  EXPECT_NEAR(v[0], 0.7 - lost, 1e-12);
  EXPECT_NEAR(v[4], v[0] / Spheres::radius, 1e-11);
}

/// A disc has the three components p_N, p_T and m, and loses h 2/3 μ_r g / R.
TEST_F(RollingFiles, SolveARollingDisc) {
  const double m = 3., radius = 0.2, J = 0.5 * m * radius * radius, h = 0.01, gravity = 9.81,
               mu_r = 0.01, speed = 0.7;
  {
    const WrittenFile file(path);
    file.write("spacedim", std::vector<int>{3});
    file.write("M", RawMatrix{3, 3, 3, {0, 1, 2}, {0, 1, 2}, {m, m, J}});
    // Columns of H: y; x + R φ, as the contact is below the centre; φ.
    file.write("H", RawMatrix{3, 3, -1, {0, 1, 3, 4}, {1, 0, 2, 2}, {1., 1., radius, 1.}});
    file.write("vectors/f", Numbers{m * speed, -m * gravity * h, -J * speed / radius});
    file.write("vectors/w", Numbers(3, 0.));
    file.write("vectors/mu", Numbers{0.5});
    file.write("vectors/mu_r", Numbers{mu_r});
  }
  const ConeSolution solution = solve(read_fclib(path));
  ASSERT_TRUE(solution.converged);
  const Numbers r = stored_percussions(path, solution);
  ASSERT_EQ(r.size(), 3u);
  EXPECT_NEAR(r[0], m * gravity * h, 1e-12);
  EXPECT_NEAR(r[2], mu_r * r[0], 1e-12);
  EXPECT_NEAR(r[1], -m * h * 2. / 3. * mu_r * gravity / radius, 1e-12);
}

/// Every method that solves the problem finds percussions that obey the law.
TEST_F(RollingFiles, SolveAPyramidByAllMethods) {
  Spheres spheres = pyramid();
  spheres.write(path);
  const FclibFile file = read_fclib(path);
  unsigned int n_solved = 0;
  for (const ConeMethodEntry &method : cone_methods()) {
    SCOPED_TRACE(method.name);
    const ConeSolution solution = solve(file, method.method);
    if (!solution.converged)
      continue;
    ++n_solved;
    spheres.expect_law(stored_percussions(path, solution), 1e-10);
  }
  EXPECT_GE(n_solved, 5u);
}

TEST_F(RollingFiles, StoreTheSolutionInTheOrderOfTheFile) {
  Spheres spheres = pyramid();
  spheres.write(path);
  const ConeSolution solution = solve(read_fclib(path));
  ASSERT_TRUE(solution.converged);
  stored_percussions(path, solution);
  const FclibFile file = read_fclib(path);
  ASSERT_TRUE(file.solution.has_value());
  for (std::size_t k = 0; k < solution.p.size(); ++k)
    EXPECT_NEAR(file.solution->p[k], solution.p[k], 1e-12) << k;
}

/// Siconos writes reduced problems: W = Hᵀ M⁻¹ H, and the same file with M and H.
TEST_F(RollingFiles, AreReadFromSiconosToo) {
  const Spheres spheres = pyramid();
  const std::size_t n = spheres.columns.size();
  const Numbers zero(n, 0.), q = spheres.local(spheres.velocity(zero));
  Spheres unloaded = spheres;
  std::fill(unloaded.f.begin(), unloaded.f.end(), 0.);
  const std::string text_file = folder / "problem.dat";
  std::ofstream text(text_file);
  text.precision(17);
  text << "5\n" << spheres.mu.size() << "\n0\n" << n << '\n' << n << '\n' << n << ' ' << n << '\n';
  for (std::size_t column = 0; column < n; ++column) {
    Numbers unit = zero;
    unit[column] = 1.;
    for (const double entry : unloaded.local(unloaded.velocity(unit)))
      text << entry << ' ';
    text << '\n';
  }
  for (const Numbers &vector : {q, spheres.mu, spheres.mu_r}) {
    for (const double entry : vector)
      text << entry << ' ';
    text << '\n';
  }
  text.close();
  const ConeSolution solution = solve(read_problem_file(text_file));
  ASSERT_TRUE(solution.converged);
  spheres.write(path);
  const ConeSolution reference = solve(read_fclib(path));
  for (std::size_t k = 0; k < reference.u.size(); ++k)
    EXPECT_NEAR(solution.u[k], reference.u[k], 1e-10) << k;
}

TEST_F(RollingFiles, SayWhatIsWrong) {
  Spheres spheres = pyramid();
  spheres.mu_r.pop_back();
  spheres.write(path);
  const std::string message = reading_error(path);
  EXPECT_NE(message.find("fclib_global_rolling/vectors/mu_r"), message.npos) << message;
}

} // namespace
