import type { BillingStatus } from '@swath/contract/schemas/billing.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { findOrganization } from '../organizations/store.ts'
import { findOverdueSince, hasDefaultCard } from './store.account-status.ts'

export type BillingAccountStatus = BillingStatus['status']

/** The status of an organization as operators set it. */
type OrganizationState = 'active' | 'suspended' | 'deleted'

/** The account status that follows from the organization's status; an active one may still be past due. */
const accountStatuses: Readonly<Record<OrganizationState, BillingAccountStatus>> = {
  active: 'active',
  suspended: 'suspended',
  deleted: 'closed',
}

/** The account status; a suspended or deleted organization is not reported as past due. */
export function toAccountStatus(status: OrganizationState, overdue_since: Date | null): BillingAccountStatus {
  const accountStatus = accountStatuses[status]
  return accountStatus === 'active' && overdue_since !== null ? 'past_due' : accountStatus
}

type BillingStatusCall = Pick<Call, 'db' | 'organization' | 'clock' | 'integrations'>

/** The billing status of the caller's organization. */
export async function readBillingStatus(call: BillingStatusCall): Promise<BillingStatus> {
  const { db, organization: id } = call
  const organization = await findOrganization(db, id)
  if (organization === null) throw new Problem('not-found', `No organization has the id "${id}".`)
  const overdue_since = await findOverdueSince(db, id, call.clock.now())
  return {
    organization_id: id,
    status: toAccountStatus(organization.status, overdue_since),
    plan: organization.plan,
    enterprise_billing: organization.enterprise_billing,
    has_default_payment_method: await hasDefaultCard(db, id, call.integrations.payments.env),
    past_due_since: overdue_since?.toISOString() ?? null,
  }
}

const statusMessages: Readonly<Record<Exclude<BillingAccountStatus, 'active' | 'past_due'>, string>> = {
  suspended: 'The organization is suspended and cannot make purchases.',
  closed: 'The organization is closed.',
}

/** Throws `past-due` if the organization is suspended or closed. */
export function requireCanSpend(status: OrganizationState): void {
  const accountStatus = accountStatuses[status]
  if (accountStatus === 'suspended' || accountStatus === 'closed')
    throw new Problem('past-due', statusMessages[accountStatus])
}

/** Throws `past-due` if the organization has an overdue debt or is closed. */
export async function requireCanDownload(call: Pick<Call, 'db' | 'organization' | 'clock'>): Promise<void> {
  const { db, organization: id } = call
  const overdue_since = await findOverdueSince(db, id, call.clock.now())
  if (overdue_since !== null) {
    const detail = `The organization has an overdue payment that was due on ${overdue_since.toISOString().slice(0, 10)}.`
    throw new Problem('past-due', detail, { past_due_since: overdue_since.toISOString() })
  }
  if ((await findOrganization(db, id))?.status === 'deleted') throw new Problem('past-due', statusMessages.closed)
}
