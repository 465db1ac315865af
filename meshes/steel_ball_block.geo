// Half of the section of a round block below y = 0: x is the radius. Quadrilaterals, of size a/n up
// to 2a from the middle of the top, growing by a fifth from layer to layer beyond.
DefineConstant[ H = 150 ]; // mm, height and radius of the block
DefineConstant[ a = 0.8 ]; // mm, expected radius of the contact
DefineConstant[ n = 8 ];   // elements along a
fine = 2*a;
growth = 1.2;
layers = Ceil(Log(1 + (H - fine)*(growth - 1)*n/a)/Log(growth));
Point(1) = {0, 0, 0};
Point(2) = {fine, 0, 0};
Point(3) = {fine, -fine, 0};
Point(4) = {0, -fine, 0};
Point(5) = {H, 0, 0};
Point(6) = {H, -H, 0};
Point(7) = {0, -H, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Line(5) = {2, 5};
Line(6) = {3, 6};
Line(7) = {4, 7};
Line(8) = {5, 6};
Line(9) = {6, 7};
Curve Loop(1) = {-4, -3, -2, -1};
Curve Loop(2) = {2, 6, -8, -5};
Curve Loop(3) = {3, 7, -9, -6};
For i In {1 : 3}
  Plane Surface(i) = {i};
EndFor
Transfinite Curve {1 : 4, 8, 9} = 2*n + 1;
Transfinite Curve {5 : 7} = layers + 1 Using Progression growth;
Transfinite Surface {1 : 3};
Recombine Surface {1 : 3};
Physical Curve("top") = {1, 5};
Physical Curve("base") = {9};
Physical Surface("block") = {1 : 3};
