// The block of 0.04 m x 0.04 m that flies, `gap` above y = 0: quadrilaterals, n along an edge.
// gmsh -2 colliding_blocks_small.geo -format msh41
DefineConstant[ n = 10 ];       // an even number
DefineConstant[ gap = 0.0001 ]; // m
Point(1) = {0.06, gap, 0};
Point(2) = {0.10, gap, 0};
Point(3) = {0.10, gap + 0.04, 0};
Point(4) = {0.06, gap + 0.04, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1 : 4} = n + 1;
Transfinite Surface {1};
Recombine Surface {1};
Physical Curve("faces") = {1 : 4};
Physical Surface("small block") = {1};
