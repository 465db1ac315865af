// The right of two bars of 10 x 2 x 2, which begins at x = gap: tetrahedra, six to each of 3/2 n
// cubes over the height.
// gmsh -3 bars_in_space_right.geo -format msh41
DefineConstant[ n = 4 ];       // an even number
DefineConstant[ gap = 0.004 ]; // to the other
m = 3*n/2;
Point(1) = {gap, 0, 0};
Point(2) = {gap, 2, 0};
Point(3) = {gap, 2, 2};
Point(4) = {gap, 0, 2};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1 : 4} = m + 1;
Transfinite Surface {1} Alternate;
bar[] = Extrude {10, 0, 0} { Surface{1}; Layers{5*m}; };
Physical Surface("left end") = {1};
Physical Volume("right bar") = {bar[1]};
