// The right of two bars of 10 x 2 that meet at x = 0, `gap` apart: triangles, 3n/2 over the height.
// gmsh -2 two_bars_right.geo -format msh41
DefineConstant[ n = 4 ]; // an even number
DefineConstant[ gap = 0.004 ]; // less than the way of a step, so that the first closes it
Point(1) = {gap, 0, 0};
Point(2) = {10 + gap, 0, 0};
Point(3) = {10 + gap, 2, 0};
Point(4) = {gap, 2, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 15*n/2 + 1;
Transfinite Curve {2, 4} = 3*n/2 + 1;
Transfinite Surface {1} Alternate;
Physical Curve("left end") = {4};
Physical Surface("right bar") = {1};
