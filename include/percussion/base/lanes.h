#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace percussion {

/// Numbers of four points. On x86-64 one instruction processes them in functions with the attribute
/// below if the processor has AVX2, otherwise two instructions do.
using Lanes = double __attribute__((vector_size(4 * sizeof(double))));
constexpr unsigned int n_lanes = sizeof(Lanes) / sizeof(double); ///< number of points per Lanes

/// Alignment of Lanes that are stored: that of the type itself depends on the instructions for
/// which a function is compiled.
constexpr std::size_t lanes_alignment = sizeof(Lanes);

// Attribute of a function that is compiled with and without AVX2, and chosen by the processor. Both
// versions give the same bits, as products and sums are never contracted. All calls that pass Lanes
// must be inlined: with AVX2 they are passed in other registers. Dispatch needs the GNU C library,
// and happens before sanitizers have started.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&       \
    defined(__OPTIMIZE__) && !defined(__NO_INLINE__) && !defined(__SANITIZE_ADDRESS__) &&          \
    !defined(__SANITIZE_THREAD__)
#define PERCUSSION_WITH_AVX2 [[gnu::target_clones("avx2", "default")]]
#else
#define PERCUSSION_WITH_AVX2
#endif

/// Returns f of each number.
template <typename Function>
Lanes for_each_lane(const Function &f, const Lanes &x) {
  Lanes y;
  for (unsigned int lane = 0; lane < n_lanes; ++lane)
    y[lane] = f(x[lane]);
  return y;
}

/// Returns true if all numbers are positive; if the number is.
inline bool all_positive(const Lanes &x) {
  bool all = true;
  for (unsigned int lane = 0; lane < n_lanes; ++lane)
    all = all && x[lane] > 0.;
  return all;
}

inline bool all_positive(double x) { return x > 0.; }

/// Returns the largest number.
inline double largest(const Lanes &x) {
  double maximum = x[0];
  for (unsigned int lane = 1; lane < n_lanes; ++lane)
    maximum = maximum < x[lane] ? x[lane] : maximum;
  return maximum;
}

/// Returns the sum of all numbers.
inline double sum(const Lanes &x) {
  double total = 0.;
  for (unsigned int lane = 0; lane < n_lanes; ++lane)
    total += x[lane];
  return total;
}

/// Returns ln(1 + x) of each number.
inline double log_1_plus(double x) { return std::log1p(x); }
inline Lanes log_1_plus(const Lanes &x) {
  return for_each_lane([](double y) { return std::log1p(y); }, x);
}

/// Returns f of a number, or of each number.
template <typename Function>
double map(const Function &f, double x) {
  return f(x);
}
template <typename Function>
Lanes map(const Function &f, const Lanes &x) {
  return for_each_lane(f, x);
}

/// Displacement gradient at each point.
template <int dim>
using LaneGradientIn = std::array<std::array<Lanes, dim>, dim>;

/// Symmetric 2D tensor at each point, with the algebra of PlaneTensor.
struct LaneTensor {
  Lanes xx, yy, xy;
};

inline LaneTensor operator+(const LaneTensor &a, const LaneTensor &b) {
  return {a.xx + b.xx, a.yy + b.yy, a.xy + b.xy};
}
inline LaneTensor operator-(const LaneTensor &a, const LaneTensor &b) {
  return {a.xx - b.xx, a.yy - b.yy, a.xy - b.xy};
}
inline LaneTensor operator*(const Lanes &factor, const LaneTensor &a) {
  return {factor * a.xx, factor * a.yy, factor * a.xy};
}
inline LaneTensor operator*(double factor, const LaneTensor &a) {
  return {factor * a.xx, factor * a.yy, factor * a.xy};
}
/// Returns a : b.
inline Lanes operator*(const LaneTensor &a, const LaneTensor &b) {
  return a.xx * b.xx + a.yy * b.yy + 2. * (a.xy * b.xy);
}
inline Lanes trace(const LaneTensor &a) { return a.xx + a.yy; }
inline Lanes determinant(const LaneTensor &a) { return a.xx * a.yy - a.xy * a.xy; }

/// Returns the tensor of these components.
inline LaneTensor symmetric(const Lanes &xx, const Lanes &yy, const Lanes &xy) {
  return {xx, yy, xy};
}

/// Returns tr(C) I − C.
inline LaneTensor cofactor(const LaneTensor &C) { return {C.yy, C.xx, -C.xy}; }

/// Returns A + x I.
template <typename Number>
LaneTensor shifted(const LaneTensor &A, const Number &x) {
  return {A.xx + x, A.yy + x, A.xy};
}

/// Components of a symmetric tensor in 3D.
template <typename Number>
struct SpaceComponents {
  Number xx, yy, zz, xy, xz, yz;
};

/// Symmetric 3D tensor at each point, with the algebra of SpaceTensor.
using LaneSpaceTensor = SpaceComponents<Lanes>;

inline LaneSpaceTensor operator+(const LaneSpaceTensor &a, const LaneSpaceTensor &b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
inline LaneSpaceTensor operator-(const LaneSpaceTensor &a, const LaneSpaceTensor &b) {
  return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}
inline LaneSpaceTensor operator*(const Lanes &factor, const LaneSpaceTensor &a) {
  return {factor * a.xx, factor * a.yy, factor * a.zz, factor * a.xy, factor * a.xz, factor * a.yz};
}
inline LaneSpaceTensor operator*(double factor, const LaneSpaceTensor &a) {
  return {factor * a.xx, factor * a.yy, factor * a.zz, factor * a.xy, factor * a.xz, factor * a.yz};
}
/// Returns a : b.
inline Lanes operator*(const LaneSpaceTensor &a, const LaneSpaceTensor &b) {
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + 2. * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}
inline Lanes trace(const LaneSpaceTensor &a) { return a.xx + a.yy + a.zz; }
inline Lanes determinant(const LaneSpaceTensor &a) {
  return a.xx * (a.yy * a.zz - a.yz * a.yz) - a.xy * (a.xy * a.zz - a.xz * a.yz) +
         a.xz * (a.xy * a.yz - a.xz * a.yy);
}

/// Returns the tensor of these components.
inline LaneSpaceTensor symmetric(const Lanes &xx, const Lanes &yy, const Lanes &zz, const Lanes &xy,
                                 const Lanes &xz, const Lanes &yz) {
  return {xx, yy, zz, xy, xz, yz};
}

/// Returns A + x I.
template <typename Number>
LaneSpaceTensor shifted(const LaneSpaceTensor &A, const Number &x) {
  return {A.xx + x, A.yy + x, A.zz + x, A.xy, A.xz, A.yz};
}

} // namespace percussion
