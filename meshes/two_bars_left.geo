// The left of two bars of 10 x 2 that meet at x = 0: quadrilaterals, n over the height.
// gmsh -2 two_bars_left.geo -format msh41
DefineConstant[ n = 4 ]; // an even number
DefineConstant[ gap = 0.004 ]; // to the other
Point(1) = {-10, 0, 0};
Point(2) = {0, 0, 0};
Point(3) = {0, 2, 0};
Point(4) = {-10, 2, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 5*n + 1;
Transfinite Curve {2, 4} = n + 1;
Transfinite Surface {1};
Recombine Surface {1};
Physical Curve("right end") = {2};
Physical Surface("left bar") = {1};
