/* The same in C: two contacts of unit mass, of which one is pushed sideways and slides and the other
   is thrown up. W is sparse here. */

#include <percussion/cone/percussion_cone.h>

#include <math.h>
#include <stdio.h>

int main(void) {
  const int row_start[] = {0, 1, 2, 3, 4}, column[] = {0, 1, 2, 3};
  const double value[] = {1., 1., 1., 1.}, q[] = {-1., 0.5, 2., 0.}, mu[] = {0.3, 0.3};
  const double expected[] = {1., -0.3, 0., 0.};
  const percussion_cone_problem problem = {2, 2, {value, row_start, column}, q, mu};
  double p[4] = {0., 0., 0., 0.}, u[4]; /* p of zeros: no warm start */
  percussion_cone_result result;

  percussion_cone *solver = percussion_cone_new();
  int status = percussion_cone_set_method(solver, "newton");
  if (status == PERCUSSION_SOLVED)
    status = percussion_cone_solve(solver, &problem, p, u, NULL, &result);
  if (status >= PERCUSSION_BAD_INPUT) {
    fprintf(stderr, "%s\n", percussion_cone_message(solver));
  } else {
    for (int i = 0; i < 4; ++i) {
      printf("p = %4.1f   u = %4.1f\n", p[i], u[i]);
      if (fabs(p[i] - expected[i]) > 1e-12)
        status = PERCUSSION_NOT_SOLVED;
    }
    printf("%s by %s, residual %.0e\n", result.outcome, result.method, result.residual);
  }
  percussion_cone_free(solver);
  return status;
}
