#!/usr/bin/env python3
"""Tests check_size.py: members of classes and lines of functions."""

import unittest

import check_size

CODE = """
namespace a {
/// Text; with a semicolon { and a brace.
template <int dim>
struct Outer : Base<dim> {
  double a = 0, b{1.}, c[2];                 // 3
  std::function<void(int, int)> call = {};   // 4
  std::map<int, std::pair<int, int>> table;  // 5
  static constexpr unsigned int n = 3;
  using Other = int;
  enum class Kind { one, two };
  struct Inner {
    int x;
  };
  explicit Outer(int i) : a(i), b{2.}, call([](int, int) {}) {
    run();
  }
  double f() const { return a; }
  void g();
};

template <int dim>
void Outer<dim>::g() {
  static const int rows[] = {
      1,
      2,
  };
  if (a > 0) {
    run();
  }
}
} // namespace a
"""


class Sizes(unittest.TestCase):
    def test_members(self):
        self.assertEqual(check_size.Sizes(CODE).members, {"Outer": 5, "Outer::Inner": 1})

    def test_lines(self):
        lines = check_size.Sizes(CODE).lines
        self.assertEqual(lines["Outer::f"], 1)
        self.assertEqual(lines["Outer::Outer"], 3)
        # With the line of the template, without the table.
        self.assertEqual(next(size for name, size in lines.items() if name.endswith("g")), 7)


if __name__ == "__main__":
    unittest.main()
