// Half of the section of a round bar in N x M quadrilaterals, finer at its foot: x is the radius.
DefineConstant[ R = 3.2 ];  // mm
DefineConstant[ L = 32.4 ]; // mm
DefineConstant[ N = 3 ];    // cells along the radius
DefineConstant[ M = 12 ];   // layers along the length
For i In {0 : M}
  height = L * (i / M)^1.3;
  axis[i] = newp; Point(axis[i]) = {0, height, 0};
  rim[i] = newp; Point(rim[i]) = {R, height, 0};
  across[i] = newl; Line(across[i]) = {axis[i], rim[i]};
EndFor
For i In {0 : M - 1}
  inner = newl; Line(inner) = {axis[i], axis[i + 1]};
  outer = newl; Line(outer) = {rim[i], rim[i + 1]};
  loop = newll; Curve Loop(loop) = {across[i], outer, -across[i + 1], -inner};
  layer[i] = news; Plane Surface(layer[i]) = {loop};
  Transfinite Curve {inner, outer} = 2;
EndFor
Transfinite Curve {across[]} = N + 1;
Transfinite Surface {layer[]};
Recombine Surface {layer[]};
Physical Curve("foot") = {across[0]};
Physical Curve("end") = {across[M]};
Physical Surface("bar") = {layer[]};
