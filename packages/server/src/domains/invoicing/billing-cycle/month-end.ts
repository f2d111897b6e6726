import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { findOrganization } from '../../organizations/store.ts'
import type { DocumentIssuer } from '../documents/issue-document.ts'
import { toUtcMonth, toMonthRange } from '../../contracts/months.ts'
import { closeBillingMonth, type AddMonthlyGrant } from './close-billing-month.ts'
import { upsertBillingDeadline } from '../../ledger/store.deadlines.ts'

/** The start of the next month. */
export const computeNextMonthEnd = (now: OrganizationTime): Date => toMonthRange(toUtcMonth(now)).end

/** Due at once for an organization that was created before this month, otherwise at the end of this month. */
export const computeFirstMonthEnd = (now: OrganizationTime, created_at: Date): Date => {
  const { start, end } = toMonthRange(toUtcMonth(now))
  return created_at < start ? start : end
}

/** Closes the ended month by the clock of the organization, and sets the deadline of the next one. */
export async function handleMonthEnd(tx: Tx, actor: DocumentIssuer, addMonthlyGrant: AddMonthlyGrant): Promise<void> {
  const { organization } = actor
  const organizationRow = await findOrganization(tx, organization)
  if (!organizationRow || organizationRow.status === 'deleted') return
  await closeBillingMonth(tx, actor, addMonthlyGrant)
  await upsertBillingDeadline(tx, {
    organization,
    kind: 'month-end',
    subject: organization,
    due_at: computeNextMonthEnd(actor.clock.now()),
  })
}
