// The left of two bars of 10 x 2 x 2 that meet at x = 0: hexahedra, n over the height.
// gmsh -3 bars_in_space_left.geo -format msh41
DefineConstant[ n = 4 ];
DefineConstant[ gap = 0.004 ]; // to the other
Point(1) = {-10, 0, 0};
Point(2) = {-10, 2, 0};
Point(3) = {-10, 2, 2};
Point(4) = {-10, 0, 2};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1 : 4} = n + 1;
Transfinite Surface {1};
Recombine Surface {1};
bar[] = Extrude {10, 0, 0} { Surface{1}; Layers{5*n}; Recombine; };
Physical Surface("right end") = {bar[0]};
Physical Volume("left bar") = {bar[1]};
