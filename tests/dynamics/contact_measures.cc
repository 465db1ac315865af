// Defects of the contact law: each measure detects its own defect only; and the accounts of the
// contacts sum up to the works of the step.

#include <percussion/dynamics/contact_measures.h>
#include <percussion/dynamics/ledger.h>

#include <gtest/gtest.h>

#include "support/rigid.h"

namespace {

using namespace percussion;
using test::RigidSystem;

constexpr double friction = 0.3;

/// A square of size 1 on the ground with artificial substeps: given motions, and given percussions
/// of its two lower corners, {normal, tangential} each.
struct MadeUp {
  RigidSystem system;
  ContactFinder<2> *finder = nullptr;
  std::unique_ptr<ContactFinder<2>> owned;
  const double size = std::sqrt(2.);

  explicit MadeUp(double height = 0) {
    system.rigid.push_back(test::rectangle("box", 1, 1, 2, dealii::Point<2>(0, 0.5 + height)));
    system.add_contact(ImpactLawKind::newton_coulomb, {}, friction).gap_tolerance = 0.1;
    system.make();
    system.start();
    owned = std::make_unique<ContactFinder<2>>(*system.boundary);
    finder = owned.get();
  }

  /// Returns the record of a substep with this mean velocity of the box, without rotation.
  StepRecord<2> take(const std::array<double, 2> &velocity, const std::vector<double> &p) {
    State<2> &state = system.state;
    const Interval interval{state.time, state.time + system.choices.h, system.choices.h};
    const ContactSetting<2> setting{state, interval, *finder, *system.boundary, system.choices};
    const auto law = pose_law(forecast(setting), nullptr, setting);
    Reaction reaction;
    reaction.p = p;
    reaction.offset = law.offset;
    reaction.status.assign(p.size() / 2, ContactStatus::slip);
    EXPECT_EQ(law.H.n_rows(), p.size());
    TraceField v(3, 0.);
    for (unsigned int d = 0; d < 2; ++d) {
      v[d] = velocity[d];
      state.q[d] += interval.h * velocity[d];
    }
    StepRecord<2> record;
    account_contacts(law, reaction, v, 0, {}, record);
    remember(law, reaction);
    const auto found = std::exchange(
        state.found, finder->find(system.boundary->trace.gather(state.q), interval.t1));
    const std::vector<StoredEnergy> stored;
    measure_contacts<2>({interval, found, law, reaction, v, stored}, *system.boundary, state,
                        record);
    state.time = interval.t1;
    return record;
  }

private:
  void remember(const PosedLaw<2> &law, const Reaction &reaction) {
    ContactHistory<2> last;
    last.memories.swap(system.state.history.memories);
    for (const auto &contact : system.state.found.contacts) {
      const auto *const kept = last.find(contact.key);
      ContactMemory<2> memory = kept ? *kept : ContactMemory<2>{contact.key, contact.gap};
      memory.previous_percussion = memory.percussion;
      memory.percussion = {};
      system.state.history.memories.push_back(memory);
    }
    for (std::size_t i = 0; i < law.active.contacts.size(); ++i)
      system.state.history.find(law.active.contacts[i].key)->percussion = {reaction.p[2 * i],
                                                                           reaction.p[2 * i + 1]};
  }
};

double value(const StepRecord<2> &record, DefectKind kind) {
  return record.defects.defect(kind).value;
}

/// Expects that all kinds except these are zero.
void expect_no_other(const StepRecord<2> &record, const std::vector<DefectKind> &kinds) {
  for (const DefectEntry &entry : defect_entries())
    if (std::find(kinds.begin(), kinds.end(), entry.kind) == kinds.end()) {
      EXPECT_LT(value(record, entry.kind), 1e-14) << entry.name;
    }
}

TEST(ContactDefects, AreNoneWhereTheLawHolds) {
  MadeUp box;
  expect_no_other(box.take({{0, 0}}, {2, 0.1, 1, -0.3}), {}); // sticking contacts
  const auto slips = box.take({{1, 0}}, {2, -0.6, 1, -0.3});
  expect_no_other(slips, {});
  ASSERT_EQ(slips.accounts.size(), 2u);
  EXPECT_DOUBLE_EQ(slips.accounts[0].slip, box.system.choices.h);
  EXPECT_DOUBLE_EQ(slips.accounts[0].tangential_work, -0.6);
  EXPECT_DOUBLE_EQ(slips.accounts[1].tangential_work, -0.3);
  EXPECT_EQ(slips.accounts[0].normal_work, 0);
  expect_no_other(box.take({{0, 1}}, {0, 0, 0, 0}), {}); // opening contacts
}

TEST(ContactDefects, SeeDepthThatNoPercussionHolds) {
  MadeUp box;
  const double h = box.system.choices.h;
  const auto both = box.take({{0, -2}}, {0, 0, 0, 0});
  EXPECT_NEAR(value(both, DefectKind::missed_depth), 2 * h, 1e-15);
  expect_no_other(both, {DefectKind::missed_depth});
  ASSERT_EQ(both.accounts.size(), 2u);
  EXPECT_NEAR(both.accounts[0].missed_depth, 2 * h, 1e-15);
  // A second time the growth of the depth counts, of the corner without percussion.
  const auto one = box.take({{0, -1}}, {3, 0, 0, 0});
  EXPECT_NEAR(value(one, DefectKind::missed_depth), h, 1e-15);
  EXPECT_EQ(one.defects.defect(DefectKind::missed_depth).point, one.contacts[1].point);
  EXPECT_EQ(one.defects.defect(DefectKind::missed_depth).time, box.system.state.time);
  expect_no_other(one, {DefectKind::missed_depth});
  // A contact that has just pressed is counted as a relapse.
  const auto relapse = box.take({{0, -1}}, {0, 0, 0, 0});
  EXPECT_NEAR(value(relapse, DefectKind::relapse_depth), h, 1e-15);
  EXPECT_EQ(relapse.defects.defect(DefectKind::relapse_depth).point, one.contacts[0].point);
  // A decreasing depth is not a defect.
  expect_no_other(box.take({{0, 1}}, {0, 0, 0, 0}), {});
}

TEST(ContactDefects, SeeDepthGainedUnderPressure) {
  MadeUp box;
  const double h = box.system.choices.h;
  expect_no_other(box.take({{0, -3}}, {2, 0, 2, 0}), {}); // the substep that closes the contact
  EXPECT_NEAR(value(box.take({{0, -1}}, {2, 0, 2, 0}), DefectKind::drift), h, 1e-15);
  const auto second = box.take({{0, -1}}, {2, 0, 2, 0});
  EXPECT_NEAR(value(second, DefectKind::drift), 2 * h, 1e-15);
  EXPECT_NEAR(second.accounts[0].drift, 2 * h, 1e-15);
  // An opened contact begins a new account.
  box.take({{0, 0}}, {0, 0, 0, 0});
  expect_no_other(box.take({{0, -1}}, {2, 0, 2, 0}), {});
  EXPECT_NEAR(value(box.take({{0, -1}}, {2, 0, 2, 0}), DefectKind::drift), h, 1e-15);
}

/// The smaller gap of both ends counts: a contact that closes in the substep may press.
TEST(ContactDefects, SeeForcesAtADistance) {
  MadeUp box(0.05);
  const double h = box.system.choices.h;
  const auto nearing = box.take({{0, -1}}, {2, 0, 2, 0});
  EXPECT_NEAR(value(nearing, DefectKind::pressing_gap), (0.05 - h) / box.size, 1e-15);
  expect_no_other(nearing, {DefectKind::pressing_gap});
  expect_no_other(box.take({{0, -0.05 / h}}, {2, 0, 2, 0}), {DefectKind::drift});
}

TEST(ContactDefects, SeeFrictionOutsideOfTheConeOrAlongTheSlip) {
  const auto error = [](double tangential) {
    MadeUp box;
    return box.take({{1, 0}}, {2, tangential, 1, -friction});
  };
  const auto outside = error(-1);
  EXPECT_NEAR(value(outside, DefectKind::cone_violation), (1 - 2 * friction) / 2, 1e-15);
  const auto along = error(2 * friction);
  EXPECT_NEAR(value(along, DefectKind::slip_direction_error), 2, 1e-15);
  expect_no_other(along, {DefectKind::slip_direction_error});
  const auto stuck = error(0); // it slips, with too little friction
  EXPECT_NEAR(value(stuck, DefectKind::slip_direction_error), 1, 1e-15);
  MadeUp box;
  const auto pulled = box.take({{0, 0}}, {2, 0, -1, 0});
  EXPECT_NEAR(value(pulled, DefectKind::cone_violation), 0.5, 1e-15);
  // Round-off also has a direction of slip.
  MadeUp resting;
  expect_no_other(resting.take({{1e-13, 0}}, {2, 0.1, 1, 0}), {});
}

TEST(ContactDefects, OfARunKeepTheLargest) {
  ContactDefects all;
  all.add(DefectKind::drift, {1, 0.1, 2, 3});
  ContactDefects later;
  later.add(DefectKind::drift, {0.5, 0.2, 4, 5});
  later.add(DefectKind::resting_work, {0.25, 0.2, 4, 6});
  all.add(later);
  EXPECT_EQ(all.defect(DefectKind::drift).point, 3u);
  EXPECT_EQ(all.defect(DefectKind::resting_work).point, 6u);
  for (std::size_t k = 0; k < n_defect_kinds; ++k)
    EXPECT_EQ(static_cast<std::size_t>(defect_entries()[k].kind), k);
}

// ---- accounts ----

ContactAccount<2> account(unsigned int number, double work, double drift) {
  ContactAccount<2> a;
  a.key.first = number;
  a.point = number;
  a.normal_work = work;
  a.tangential_work = 2 * work;
  a.slip = 3 * work;
  a.missed_depth = 4 * work;
  a.drift = drift;
  return a;
}

TEST(ContactAccounts, AddUpByContact) {
  std::vector<ContactAccount<2>> all;
  add_accounts({account(2, 1, 5), account(7, 10, 1)}, all);
  add_accounts({account(1, 100, 0), account(7, 1000, 4), account(9, 1, 1)}, all);
  add_accounts({account(2, 1, 3)}, all);
  ASSERT_EQ(all.size(), 4u);
  const unsigned int keys[] = {1, 2, 7, 9};
  const double works[] = {100, 2, 1010, 1}, drifts[] = {0, 5, 4, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(all[i].key.first, keys[i]);
    EXPECT_EQ(all[i].normal_work, works[i]);
    EXPECT_EQ(all[i].tangential_work, 2 * works[i]);
    EXPECT_EQ(all[i].slip, 3 * works[i]);
    EXPECT_EQ(all[i].missed_depth, 4 * works[i]);
    EXPECT_EQ(all[i].drift, drifts[i]);
  }
}

/// A rotating box hits the ground obliquely. Springs store a fraction of the works.
TEST(ContactAccounts, SumUpToTheWorksOfEveryScheme) {
  for (const Scheme &scheme : schemes()) {
    if (scheme.formulation != Formulation::collocated || scheme.redistributes_inertia)
      continue; // these schemes are for elastic bodies
    SCOPED_TRACE(scheme.name);
    RigidSystem system;
    system.rigid.push_back(test::rectangle("box", 1, 0.7, 2, dealii::Point<2>(0, 0.5), 0.3));
    auto &pair = system.add_contact(scheme.law, {}, friction);
    pair.penalty_stiffness = scheme.penalty == Penalty::none ? 0. : 2e4;
    system.gravity[1] = -9.81;
    system.choices.use(scheme);
    system.cone.method = scheme.method;
    system.make();
    system.v(0)[0] = 2;
    system.v(0)[1] = -3;
    system.v(0)[2] = 4;
    system.start();
    double normal = 0, tangential = 0, size = 0, slip = 0;
    std::vector<ContactAccount<2>> all;
    for (unsigned int k = 0; k < 300; ++k) {
      const StepRecord<2> &record = system.advance();
      normal += record.works.contact_normal;
      tangential += record.works.contact_tangential;
      for (const auto &a : record.accounts)
        size += std::abs(a.normal_work) + std::abs(a.tangential_work);
      add_accounts(record.accounts, all);
    }
    for (const auto &a : all) {
      normal -= a.normal_work;
      tangential -= a.tangential_work;
      slip += a.slip;
    }
    EXPECT_GT(size, 0.1);
    EXPECT_GT(slip, 1e-4);
    EXPECT_NEAR(normal, 0, 1e-14 * size);
    EXPECT_NEAR(tangential, 0, 1e-14 * size);
  }
}

} // namespace
