// A bar of 10 m x 1 m that stands upright, in a column of quadrilaterals, its lower end `gap` above
// the ground y = 0.
// gmsh -2 bar.geo -format msh41
DefineConstant[ elements = 200 ]; // along the bar
DefineConstant[ gap = 0.00327 ];  // m; no multiple of half the way of a step
Point(1) = {0, gap, 0};
Point(2) = {1, gap, 0};
Point(3) = {1, gap + 10, 0};
Point(4) = {0, gap + 10, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 2;
Transfinite Curve {2, 4} = elements + 1;
Transfinite Surface {1};
Recombine Surface {1};
Physical Curve("contact") = {1};
Physical Surface("body") = {1};
