#!/usr/bin/env python3
"""Solves steps of params/box_slide.prm in contact with GetFEM, for comparison.

    peer_getfem.py SIZE STEPS FIRST

The block without preload, in hexahedra of SIZE [mm], by the same discretisation: trilinear elements, consistent
mass, theta = 1/2, contacts at the nodes that touch the ground at the start of a step, Fremond's law with e = 1. The
displacement d in a step solves

    (4/h^2 M + K) d = 4/h M v + f(t) + f(t + h) - 2 K u + 2 r,   0 <= d_n/h, r_n >= 0, d_n r_n = 0,

with Coulomb's law for d_t and r_t. GetFEM's brick of contact with friction poses it as an augmented Lagrangian with
multipliers (Alart and Curnier), and solves it by Newton's method with MUMPS, to a residual of 1e-13. With its other
linear solvers steps take longer, or fail. Prints a line of JSON: processor time of a step after the step FIRST,
numbers of unknowns, contacts and corrections, energies and sliding contacts after each step.
Needs python3-getfem and python3-scipy.
"""

import json
import sys
import time

import getfem as gf
import numpy as np
from scipy import sparse

YOUNG, POISSON, DENSITY, FRICTION = 5750.0, 0.358, 1.17e-3, 0.5  # MPa, 1, g/mm^3, 1
LENGTHS = (40, 15, 25)  # mm
DROP = -0.005           # of the top [mm]
STEP = 5e-4             # ms
GAP_TOLERANCE = 1e-9    # over the size of an element
FRONT, LEFT = 1, 2      # regions


class Block:
    """Matrices, loads and free degrees of freedom."""

    def __init__(self, size):
        mesh = gf.Mesh("cartesian", *(np.linspace(0, length, int(np.ceil(length / size - 1e-6)) + 1)
                                      for length in LENGTHS))
        for region, axis in ((FRONT, 1), (LEFT, 0)):
            mesh.set_region(region, mesh.faces_from_pid(np.flatnonzero(mesh.pts()[axis] < 1e-9)))
        space = gf.MeshFem(mesh, 3)
        space.set_fem(gf.Fem("FEM_QK(3,1)"))
        integration = gf.MeshIm(mesh, gf.Integ("IM_GAUSS_PARALLELEPIPED(3,3)"))
        model = gf.Model("real")
        model.add_fem_variable("u", space)
        model.add_initialized_data("first", [YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))])
        model.add_initialized_data("second", [YOUNG / (2 * (1 + POISSON))])

        def assemble(order, form, region=-1):
            return gf.asm_generic(integration, order, form, region, model)

        stiffness = assemble(2, "first*Trace(Grad_u)*Trace(Grad_Test_u) + second*(Grad_u + Grad_u'):Grad_Test_u")
        mass = assemble(2, f"{DENSITY}*u.Test_u")
        self.stiffness, self.mass = (as_sparse(matrix) for matrix in (stiffness, mass))
        self.gravity = assemble(1, f"{DENSITY}*[0,0,-1e-3].Test_u")
        self.front = assemble(1, "[0,1,0].Test_u", FRONT)
        self.left = assemble(1, "[1,0,0].Test_u", LEFT)
        points = space.basic_dof_nodes()
        vertical = np.arange(points.shape[1]) % 3 == 2
        self.top = np.flatnonzero(vertical & (points[2] > LENGTHS[2] - 1e-9))
        self.ground = np.flatnonzero(vertical & (points[2] < 1e-9))
        self.free = np.setdiff1d(np.arange(points.shape[1]), self.top)
        mass.scale(4 / STEP**2)
        self.matrix = gf.Spmat("copy", gf.Spmat("add", stiffness, mass), self.free, self.free)

    def load(self, time_of_load):
        """Gravity, and the tractions that drive the block round in circles."""
        angle = 4 * np.pi * time_of_load
        return self.gravity + 2 * np.sin(angle) * self.left + 2 * np.cos(angle) * self.front

    def energy(self, u, v):
        """Kinetic and strain energy."""
        return (v @ (self.mass @ v) + u @ (self.stiffness @ u)) / 2


def as_sparse(matrix):
    """Returns a matrix of GetFEM as one of scipy."""
    pointers, indices = matrix.csc_ind()
    return sparse.csc_matrix((matrix.csc_val(), indices, pointers), shape=matrix.size()).tocsr()


def selection(columns, n_columns, value):
    """Returns the matrix with one value in each row."""
    matrix = gf.Spmat("empty", len(columns), n_columns)
    for row, column in enumerate(columns):
        matrix.assign(row, int(column), value)
    return matrix


def pose(block):
    """Returns GetFEM's model of a step, and the brick of its loads."""
    number = np.full(block.mass.shape[0], -1)
    number[block.free] = np.arange(len(block.free))
    normals = number[block.ground]
    tangents = number[np.stack([block.ground - 2, block.ground - 1], axis=1).ravel()]
    model = gf.Model("real")
    for name, length in (("d", len(block.free)), ("normal", len(normals)), ("tangential", len(tangents))):
        model.add_variable(name, length)
    model.add_initialized_data("augmentation", [float(block.matrix.diag()[normals].mean())])
    model.add_initialized_data("friction", [FRICTION])
    model.add_initialized_data("gap", np.zeros(len(normals)))
    model.add_initialized_data("alpha", [1.0])
    model.add_explicit_matrix("d", "d", block.matrix, 1, 1)
    load = model.add_explicit_rhs("d", np.zeros(len(block.free)))
    model.add_basic_contact_brick("d", "normal", "tangential", "augmentation",
                                  selection(normals, len(block.free), -1.0),
                                  selection(tangents, len(block.free), 1.0), "friction", "gap", "alpha", 1)
    return model, load


def main():
    """See the top of this file."""
    size, n_steps, first = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    block = Block(size)
    model, load = pose(block)
    u, v = np.zeros((2, block.mass.shape[0]))
    u[block.top] = DROP
    energies, sliding, corrections, clock = [], [], [], [time.process_time()]
    for step in range(n_steps):
        force = (4 / STEP * (block.mass @ v) - 2 * (block.stiffness @ u)
                 + block.load(step * STEP) + block.load((step + 1) * STEP))[block.free]
        model.set_private_rhs(load, force)
        closed = u[block.ground] <= GAP_TOLERANCE * size
        model.set_variable("gap", np.where(closed, 0, LENGTHS[0]))  # an open one stays so in a step
        n_corrections, converged = model.solve("max_res", 1e-13 * np.linalg.norm(force), "max_iter", 60,
                                               "lsolver", "mumps")
        if not converged:
            sys.exit(f"step {step + 1} did not converge")
        d = np.zeros(len(u))
        d[block.free] = model.variable("d")
        u, v = u + d, 2 / STEP * d - v
        normal = -model.variable("normal")
        friction = np.linalg.norm(model.variable("tangential").reshape(-1, 2), axis=1)
        sliding.append(int(np.sum((normal > 0) & (friction >= FRICTION * normal * (1 - 1e-9)))))
        corrections.append(int(n_corrections))
        energies.append(float(block.energy(u, v)))
        clock.append(time.process_time())
    print(json.dumps({"seconds": (clock[-1] - clock[first]) / (n_steps - first), "unknowns": len(u),
                      "contacts": len(block.ground), "corrections": corrections, "sliding": sliding,
                      "energies": energies}))


if __name__ == "__main__":
    main()
