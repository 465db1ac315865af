// A disc of radius 0.1 m that stands on the ground y = 0 with one of its nodes. Along its rim the
// nodes are close to each other, inside they are not.
DefineConstant[ around = 128 ]; // nodes along the rim
DefineConstant[ inside = 20 ];  // mm, size of the elements in the middle
R = 0.1;

Point(1) = {0, R, 0, inside/1000};
For i In {0 : around - 1}
  angle = 2*Pi*i/around; // from the lowest point
  Point(2 + i) = {R*Sin(angle), R*(1 - Cos(angle)), 0, 2*Pi*R/around};
EndFor
For i In {0 : around - 1}
  Line(1 + i) = {2 + i, 2 + (i + 1) % around};
EndFor
Transfinite Curve {1 : around} = 2;
Curve Loop(1) = {1 : around};
Plane Surface(1) = {1};
Point{1} In Surface{1};
Physical Curve("rim") = {1 : around};
Physical Surface("disc") = {1};
