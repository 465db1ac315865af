#ifndef PERCUSSION_CONE_H
#define PERCUSSION_CONE_H

/* Solvers of cone/ for programs in C and for languages that call C: plain arrays, statuses instead
   of exceptions. Vectors are ordered by contacts, the normal component first: q_N, q_T (2D) or q_N,
   q_T1, q_T2 (3D). Every solve is in natural units, in which the problem is of order one: the
   tolerance means the same for all units of the data. */

#ifdef __cplusplus
extern "C" {
#endif

/* Return values of the functions. */
enum {
  PERCUSSION_SOLVED = 0,     /* the residual meets the tolerance */
  PERCUSSION_NOT_SOLVED = 1, /* it does not; the best solution is returned */
  PERCUSSION_BAD_INPUT = 2,  /* see percussion_cone_message(); no solution is returned */
  PERCUSSION_FAILED = 3      /* no memory, likewise */
};

/* Statuses of contacts; a warm start may contain unknown ones. */
enum { PERCUSSION_UNKNOWN = -1, PERCUSSION_OPEN = 0, PERCUSSION_STICK = 1, PERCUSSION_SLIP = 2 };

/* Options and the last message. Threads may use different objects at the same time. */
typedef struct percussion_cone percussion_cone;

/* Matrix, dense, row by row, if row_start is null; otherwise in compressed rows: row i has the
   entries row_start[i] to row_start[i + 1] - 1, in any order; entries of equal columns are added.
 */
typedef struct percussion_matrix {
  const double *value;
  const int *row_start;
  const int *column;
} percussion_matrix;

/* Problem: find p with u = W p + q and Coulomb's law. W need not be regular. n = dimension
 * n_contacts. */
typedef struct percussion_cone_problem {
  int dimension; /* 2 or 3 */
  int n_contacts;
  percussion_matrix W; /* n x n [velocity per impulse] */
  const double *q;     /* n [velocity] */
  const double *mu;    /* n_contacts */
} percussion_cone_problem;

/* Problem: find v and p with M v = H p + q, u = H^T v + b and Coulomb's law. M is regular. */
typedef struct percussion_cone_global_problem {
  int dimension;
  int n_contacts;
  int n_velocities;
  percussion_matrix M; /* n_velocities x n_velocities [mass] */
  percussion_matrix H; /* n_velocities x n */
  const double *q;     /* n_velocities [impulse] */
  const double *b;     /* n [velocity] */
  const double *mu;    /* n_contacts */
} percussion_cone_global_problem;

/* Result of a solution. The texts stay valid until the next call with the same percussion_cone. */
typedef struct percussion_cone_result {
  const char *method;  /* method that produced p */
  const char *outcome; /* "converged", "out of time", ... */
  unsigned int iterations;
  double residual; /* residual of the natural map, in natural units */
} percussion_cone_result;

/* Returns the options: method auto, tolerance 1e-8, no limit of time. Null if there is no memory.
 */
percussion_cone *percussion_cone_new(void);
void percussion_cone_free(percussion_cone *solver);

/* Sets the method: "auto", "nsgs", ..., see percussion-fc --help. */
int percussion_cone_set_method(percussion_cone *solver, const char *name);
/* Sets the tolerance of the residual in natural units, > 0. */
int percussion_cone_set_tolerance(percussion_cone *solver, double tolerance);
/* Sets the limits per solve: iterations, and seconds; > 0. */
int percussion_cone_set_limits(percussion_cone *solver, unsigned int max_iterations,
                               double seconds);

/* Solves a problem. On entry p, and status unless null, are the warm start; p of zeros is a cold
   start. On return p, u, status (n_contacts) and result hold the solution; the latter three may be
   null. */
int percussion_cone_solve(percussion_cone *solver, const percussion_cone_problem *problem,
                          double *p, double *u, int *status, percussion_cone_result *result);
/* Solves a global problem likewise; v (n_velocities), also part of the warm start, must not be
   null. */
int percussion_cone_solve_global(percussion_cone *solver,
                                 const percussion_cone_global_problem *problem, double *v,
                                 double *p, double *u, int *status, percussion_cone_result *result);

/* Returns the error of the last call, or "": the argument, its value, the allowed values. */
const char *percussion_cone_message(const percussion_cone *solver);

#ifdef __cplusplus
}
#endif

#endif
