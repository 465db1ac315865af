// A quarter of a ball about (0, 0, R) in tetrahedra, fine at its lowest point, where it may touch.
SetFactory("OpenCASCADE");
DefineConstant[ R = 10 ];      // mm
DefineConstant[ size = 0.06 ]; // mm, of edges within the distance `core` from the lowest point
DefineConstant[ core = 0.5 ];  // mm
DefineConstant[ growth = 0.1 ]; // of the size per distance from there on
Sphere(1) = {0, 0, R, R};
Box(2) = {0, 0, -R, 2*R, 2*R, 1.05*R};
Box(3) = {0, 0, 0.05*R, 2*R, 2*R, 2*R};
low[] = BooleanIntersection{ Volume{1}; }{ Volume{2}; Delete; };
high[] = BooleanIntersection{ Volume{1}; Delete; }{ Volume{3}; Delete; };
parts[] = BooleanFragments{ Volume{low[]}; Delete; }{ Volume{high[]}; Delete; };
Field[1] = MathEval;
Field[1].F = Sprintf("%g + %g * (Sqrt(x*x + y*y + z*z) - %g + Fabs(Sqrt(x*x + y*y + z*z) - %g)) / 2", size, growth, core, core);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
e = 1e-6*R;
plane_x[] = Surface In BoundingBox{-e, -e, -e, e, 2*R, 2*R + e};
plane_y[] = Surface In BoundingBox{-e, -e, -e, 2*R, e, 2*R + e};
below[] = Surface In BoundingBox{-e, -e, -e, 2*R, 2*R, 0.05*R + e};
level[] = Surface In BoundingBox{-e, -e, 0.05*R - e, 2*R, 2*R, 0.05*R + e};
below[] -= plane_x[];
below[] -= plane_y[];
below[] -= level[];
Physical Surface("plane x = 0") = {plane_x[]};
Physical Surface("plane y = 0") = {plane_y[]};
Physical Surface("cap") = {below[]};
Physical Volume("ball") = {parts[]};
