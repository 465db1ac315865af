// A disc of radius 0.1 m that stands on the ground y = 0 with one of its nodes. Along its rim the
// nodes are close to each other; inwards the elements grow.
DefineConstant[ around = 160 ]; // nodes along the rim
DefineConstant[ growth = 0.6 ]; // of the size of the elements per distance from the rim
R = 0.1;

For i In {0 : around - 1}
  angle = 2*Pi*i/around; // from the lowest point
  Point(1 + i) = {R*Sin(angle), R*(1 - Cos(angle)), 0};
EndFor
For i In {0 : around - 1}
  Line(1 + i) = {1 + i, 1 + (i + 1) % around};
EndFor
Transfinite Curve {1 : around} = 2;
Curve Loop(1) = {1 : around};
Plane Surface(1) = {1};
Field[1] = MathEval;
Field[1].F = Sprintf("%g + %g*(%g - Sqrt(x^2 + (y - %g)^2))", 2*Pi*R/around, growth, R, R);
Background Field = 1;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
Physical Curve("rim") = {1 : around};
Physical Surface("disc") = {1};
