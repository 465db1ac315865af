"""Certificate of a run: all checks, and the hashes of the files."""

from . import contacts, fields, tables
from .checks import Check, worse
from .evidence import READ_ERRORS, Moment, NotApplicable, text_of

# Name of the check, and its function of the whole run.
RUN_CHECKS = (
    ("files are readable", tables.readable),
    ("steps and times increase", tables.order),
    ("no row is missing", tables.no_gaps),
    ("times of the steps", tables.times),
    ("times agree in all files", tables.same_times),
    ("version and scheme agree", tables.version),
    ("sum of the energies", tables.sums),
    ("balance of each row", tables.balance),
    ("balance since the start", tables.drift),
    ("column balance_residual", tables.residual_column),
    ("viscosity and scheme dissipate", tables.dissipation),
    ("contacts create no energy", tables.contact_works),
    ("friction of one contact creates none", tables.friction_of_one),
    ("range of the works of friction", tables.friction_range),
    ("open contacts do nothing", tables.idle),
    ("counts of contacts", tables.counts),
    ("signs of the columns", tables.signs),
    ("summary of the tables", tables.summary),
    ("sizes", tables.sizes),
    ("motion of rigid bodies", tables.rigid_motion),
    ("momenta and mean velocities", tables.elastic_motion),
)
# The same, of each written instant.
MOMENT_CHECKS = (
    ("times in the files of instants", contacts.times),
    ("kinetic energy from velocities", fields.kinetic),
    ("strain energy from displacements", fields.strain),
    ("work of gravity from displacements", fields.gravity_work),
    ("momenta of elastic bodies", fields.elastic_momenta),
    ("balance of momentum", fields.momentum_balance),
    ("von Mises stress", fields.von_mises),
    ("stress at the nodes", fields.nodal_stress),
    ("von Mises stress at the nodes", fields.nodal_von_mises),
    ("works at the nodes", fields.nodal_works),
    ("probes", fields.probes),
    ("contacts push", contacts.percussion_sign),
    ("friction is in the cone", contacts.cone),
    ("status of the contacts", contacts.statuses),
    ("only closed contacts press", contacts.pressing_gap),
    ("pressing contacts stay closed", contacts.pressing_velocity),
    ("friction of one contact, by accounts", contacts.friction_works),
    ("accounts of contacts grow", contacts.growing_accounts),
    ("penetration", contacts.penetration),
    ("column penetration_max", contacts.listed_penetration),
    ("columns of contact works", contacts.work_sums),
    ("column percussion_normal", contacts.percussion_sums),
    ("columns of contact counts", contacts.counts),
    ("frames of the contacts", contacts.frames),
    ("pressures", contacts.pressures),
)


def merged(name, checks):
    """Returns the worst of several results of a check."""
    found = Check(name)
    for check in checks:
        check.name = name
        found = worse(found, check)
    return found


def result(name, function, subject):
    """Returns the worst result of a check. Files that cannot be read fail it."""
    try:
        found = function(subject)
        return merged(name, [found] if isinstance(found, Check) else found)
    except NotApplicable as reason:
        return Check(name, remark=str(reason))
    except READ_ERRORS as error:
        return Check(name, remark=text_of(error), failed=True)


def examine(evidence):
    """Returns the results of all checks of a run."""
    found = [result(name, function, evidence) for name, function in RUN_CHECKS]
    of_instants, previous = {name: Check(name, remark="the run has written no instants")
                             for name, _ in MOMENT_CHECKS}, None
    for number in range(len(evidence.series)):
        moment = Moment(evidence, number, previous)
        for name, function in MOMENT_CHECKS:
            check, last = result(name, function, moment), of_instants[name]
            is_first = last.value is None and not last.failed
            of_instants[name] = check if is_first else worse(last, check)
        previous = moment
    return found + list(of_instants.values())
