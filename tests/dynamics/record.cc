// The record of a step computed from the records of its substeps.

#include <percussion/dynamics/record.h>

#include <gtest/gtest.h>

namespace {

using namespace percussion;

ContactRecord<2> contact(unsigned int first, const std::array<double, 2> &percussion,
                         ContactStatus status) {
  ContactRecord<2> record;
  record.key = {0, first, 0, 0};
  record.point = 10 + first;
  record.percussion = percussion;
  record.velocity = {0.1 * percussion[0], 0.2};
  record.status = status;
  return record;
}

StepRecord<2> part(std::vector<ContactRecord<2>> contacts) {
  StepRecord<2> record;
  record.contacts = std::move(contacts);
  return record;
}

TEST(StepRecords, OfPartsHaveTheContactsOfAll) {
  StepRecord<2> all;
  all.n_substeps = 0;
  append(
      part({contact(1, {1, 0.5}, ContactStatus::slip), contact(4, {2, 0.25}, ContactStatus::slip),
            contact(7, {3, 0}, ContactStatus::stick)}),
      all);
  EXPECT_EQ(all.n_sliding, 2u);
  append(part({}), all);
  append(part({contact(0, {4, 0}, ContactStatus::slip), contact(4, {5, -1}, ContactStatus::stick),
               contact(9, {0, 0}, ContactStatus::open)}),
         all);
  EXPECT_EQ(all.n_substeps, 3u);
  ASSERT_EQ(all.contacts.size(), 5u);
  const unsigned int keys[] = {0, 1, 4, 7, 9};
  const std::array<double, 2> percussions[] = {{4, 0}, {1, 0.5}, {7, -0.75}, {3, 0}, {0, 0}};
  for (unsigned int i = 0; i < 5; ++i) {
    EXPECT_EQ(all.contacts[i].key.first, keys[i]);
    EXPECT_EQ(all.contacts[i].point, 10 + keys[i]);
    EXPECT_EQ(all.contacts[i].percussion, percussions[i]);
    EXPECT_EQ(all.contacts[i].carries(), i != 4);
  }
  // For quantities that are not sums, the last substep counts.
  EXPECT_EQ(all.contacts[2].status, ContactStatus::stick);
  EXPECT_EQ(all.contacts[2].velocity[0], 0.5);
  EXPECT_EQ(all.n_sliding, 2u);
}

TEST(StepRecords, OfPartsAreSumsExtremesAndTheLast) {
  StepRecord<2> one, other, all;
  one.works = {1, 2, 3, 4, 5, 6};
  one.balance_residual = 0.5;
  one.normal_work_max = 3;
  one.normal_work_min = -1;
  one.tangential_work_max = 1;
  one.tangential_work_min = -7;
  one.penetration_max = 9;
  one.defects.add(DefectKind::drift, {0.2, 1., 3, 4});
  one.defects.add(DefectKind::missed_depth, {0.5, 1., 3, 5});
  one.accounts.resize(1);
  one.accounts[0].normal_work = -2;
  one.solver_iterations = 4;
  one.solver_residual = 0.1;
  one.momentum_residual = 0.3;
  one.changes = {"a"};
  other = one;
  other.works = {10, 20, 30, 40, 50, 60};
  other.normal_work_max = 2;
  other.normal_work_min = -2;
  other.tangential_work_max = 4;
  other.tangential_work_min = -3;
  other.penetration_max = 8;
  other.defects.add(DefectKind::drift, {0.3, 2., 6, 7});
  other.defects.add(DefectKind::missed_depth, {0.4, 2., 6, 8});
  other.solver_residual = 0.2;
  other.momentum_residual = 0.2;
  other.changes = {"b", "c"};
  all.n_substeps = 0;
  append(one, all);
  append(other, all);
  EXPECT_EQ(all.works.external, 11);
  EXPECT_EQ(all.works.viscous, 22);
  EXPECT_EQ(all.works.numerical, 33);
  EXPECT_EQ(all.works.contact_normal, 44);
  EXPECT_EQ(all.works.contact_tangential, 55);
  EXPECT_EQ(all.works.prescribed, 66);
  EXPECT_EQ(all.works.sum(), 231);
  EXPECT_EQ(all.balance_residual, 1);
  EXPECT_EQ(all.normal_work_max, 3);
  EXPECT_EQ(all.normal_work_min, -2);
  EXPECT_EQ(all.tangential_work_max, 4);
  EXPECT_EQ(all.tangential_work_min, -7);
  EXPECT_EQ(all.penetration_max, 8);
  EXPECT_EQ(all.defects.defect(DefectKind::drift).value, 0.3);
  EXPECT_EQ(all.defects.defect(DefectKind::drift).time, 2.);
  EXPECT_EQ(all.defects.defect(DefectKind::drift).pair, 6u);
  EXPECT_EQ(all.defects.defect(DefectKind::drift).point, 7u);
  EXPECT_EQ(all.defects.defect(DefectKind::missed_depth).value, 0.5);
  EXPECT_EQ(all.defects.defect(DefectKind::missed_depth).point, 5u);
  EXPECT_EQ(all.defects.defect(DefectKind::resting_work).pair, Defect::none);
  ASSERT_EQ(all.accounts.size(), 1u);
  EXPECT_EQ(all.accounts[0].normal_work, -4);
  EXPECT_EQ(all.solver_iterations, 8u);
  EXPECT_EQ(all.solver_residual, 0.2);
  EXPECT_EQ(all.momentum_residual, 0.3);
  EXPECT_EQ(all.changes, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(all.n_substeps, 2u);
}

} // namespace
