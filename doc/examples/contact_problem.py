"""A row of contacts, each of which acts on its neighbours: solved, and again from that solution."""

import numpy as np
import percussion_cone
from scipy import sparse

n_contacts = 200
n = 3 * n_contacts
W = sparse.diags([-1.0, 2.5, -1.0], [-3, 0, 3], shape=(n, n))
k = np.arange(n_contacts)
q = np.column_stack([np.sin(k) - 0.5, 0.4 * np.cos(k), 0.3 * np.sin(3 * k)])  # normal, tangential
mu = np.full(n_contacts, 0.3)

first = percussion_cone.solve(W, q, mu)
second = percussion_cone.solve(W, 1.01 * q, mu, start=first)
print(first)
print(f"{first.iterations} iterations, then {second.iterations}; "
      f"{(first.status == 2).sum()} of {n_contacts} contacts slip")
residual = W @ first.p.ravel() + q.ravel() - first.u.ravel()
assert first.converged and second.converged and abs(residual).max() < 1e-12
