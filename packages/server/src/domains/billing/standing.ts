import type { BillingStatus } from '@swath/contract/shapes/billing.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { readOrganization } from '../organizations/organization.ts'
import { findOverdueSince, hasDefaultCard } from './store.standing.ts'

export type Standing = BillingStatus['status']

/** The status of an organization as operators set it. */
type OrganizationState = 'active' | 'suspended' | 'deleted'

/** The account status that follows from the organization's status; an active one may still be past due. */
const standings: Readonly<Record<OrganizationState, Standing>> = {
  active: 'active',
  suspended: 'suspended',
  deleted: 'closed',
}

/** The account status; a suspended or deleted organization is not reported as past due. */
export function standingOf(status: OrganizationState, overdue_since: Date | null): Standing {
  const standing = standings[status]
  return standing === 'active' && overdue_since !== null ? 'past_due' : standing
}

/** Since when an organization has an overdue debt; null if it has none. */
export const overdueSince = (db: Queryable, organization: string, now: OrganizationTime): Promise<Date | null> =>
  findOverdueSince(db, organization, now)

type Asking = Pick<Call, 'db' | 'organization' | 'clock' | 'outside'>

/** The billing status of the caller's organization. */
export async function readBillingStatus(call: Asking): Promise<BillingStatus> {
  const { db, organization: id } = call
  const organization = await readOrganization(db, id)
  if (organization === null) throw new Problem('not-found', `No organization has the id "${id}".`)
  const overdue_since = await findOverdueSince(db, id, call.clock.now())
  return {
    organization_id: id,
    status: standingOf(organization.status, overdue_since),
    plan: organization.plan,
    enterprise_billing: organization.enterprise_billing,
    has_default_payment_method: await hasDefaultCard(db, id, call.outside.payments.env),
    past_due_since: overdue_since?.toISOString() ?? null,
  }
}

const refusals: Readonly<Record<Exclude<Standing, 'active' | 'past_due'>, string>> = {
  suspended: 'The organization is suspended and cannot make purchases.',
  closed: 'The organization is closed.',
}

/** Throws `past-due` if the organization is suspended or closed. */
export function requireSpender(status: OrganizationState): void {
  const standing = standings[status]
  if (standing === 'suspended' || standing === 'closed') throw new Problem('past-due', refusals[standing])
}

/** Throws `past-due` if the organization has an overdue debt or is closed. */
export async function requireDownloader(call: Pick<Call, 'db' | 'organization' | 'clock'>): Promise<void> {
  const { db, organization: id } = call
  const overdue_since = await findOverdueSince(db, id, call.clock.now())
  if (overdue_since !== null) {
    const sentence = `The organization has an overdue payment that was due on ${overdue_since.toISOString().slice(0, 10)}.`
    throw new Problem('past-due', sentence, { past_due_since: overdue_since.toISOString() })
  }
  if ((await readOrganization(db, id))?.status === 'deleted') throw new Problem('past-due', refusals.closed)
}
