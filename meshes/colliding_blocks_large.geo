// The block of 0.12 m x 0.06 m below y = 0 that is held at its lower edge: quadrilaterals, of which
// 5n/2 are along its upper edge.
// gmsh -2 colliding_blocks_large.geo -format msh41
DefineConstant[ n = 10 ];       // an even number
DefineConstant[ gap = 0.0001 ]; // m; of the other block
Point(1) = {0, -0.06, 0};
Point(2) = {0.12, -0.06, 0};
Point(3) = {0.12, 0, 0};
Point(4) = {0, 0, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 5*n/2 + 1;
Transfinite Curve {2, 4} = 5*n/4 + 1;
Transfinite Surface {1};
Recombine Surface {1};
Physical Curve("held") = {1};
Physical Curve("top") = {3};
Physical Surface("large block") = {1};
