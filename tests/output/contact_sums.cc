// The later of two written instants has the percussions of contacts between them.

#include <percussion/output/contact_table.h>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace percussion;

ContactRecord<2> contact(unsigned int number, double normal, double tangential,
                         ContactStatus status) {
  ContactRecord<2> record;
  record.key.first = number;
  record.point = number;
  record.status = status;
  record.normal[1] = 1;
  record.percussion = {normal, tangential};
  return record;
}

TEST(ContactSums, AreThoseOfAllStepsAndTheWorstStatus) {
  StepRecord<2> first, second, last;
  first.contacts = {contact(1, 2, -1, ContactStatus::slip), contact(3, 5, 0, ContactStatus::stick)};
  second.contacts = {contact(1, 4, 0.5, ContactStatus::stick),
                     contact(2, 0, 0, ContactStatus::stick)}; // without percussion
  last.contacts = {contact(2, 7, 0, ContactStatus::stick)};
  ContactSums<2> sums;
  for (const auto *step : {&first, &second, &last})
    sums.add(*step);
  const auto table = contact_table(State<2>(), last, sums);
  ASSERT_EQ(table.size(), 3u);
  const double normal[] = {6, 7, 5}, tangential[] = {-0.5, 0, 0};
  const ContactStatus worst[] = {ContactStatus::slip, ContactStatus::stick, ContactStatus::stick};
  for (unsigned int i = 0; i < 3; ++i) {
    EXPECT_EQ(table[i].key.first, i + 1);
    EXPECT_EQ(table[i].percussion_sum[0], tangential[i]); // the tangent of +y is +x
    EXPECT_EQ(table[i].percussion_sum[1], normal[i]);
    EXPECT_EQ(table[i].status_max, worst[i]);
    EXPECT_EQ(table[i].participated, i == 1);
    EXPECT_EQ(table[i].carries(), i == 1);
    EXPECT_TRUE(std::isnan(table[i].gap));
  }
  EXPECT_EQ(table[0].status, ContactStatus::open);
}

TEST(ContactSums, AreNothingWithoutSteps) {
  StepRecord<2> record;
  record.contacts = {contact(1, 2, -1, ContactStatus::slip)};
  const auto table = contact_table(State<2>(), record);
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table[0].percussion_sum.norm(), 0.);
  EXPECT_EQ(table[0].status_max, ContactStatus::open);
}

} // namespace
