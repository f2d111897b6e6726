import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { readOrganization } from '../../organizations/organization.ts'
import type { Issuer } from '../documents/issue-document.ts'
import { monthOf, monthSpan } from './months.ts'
import { runMonth } from './run-month.ts'
import { putDeadline } from '../store.deadlines.ts'

/** The start of the next month. */
export const nextMonthEnd = (now: OrganizationTime): Date => monthSpan(monthOf(now)).end

/** Due at once for an organization that was created before this month, otherwise at the end of this month. */
export const firstMonthEnd = (now: OrganizationTime, created_at: Date): Date => {
  const { start, end } = monthSpan(monthOf(now))
  return created_at < start ? start : end
}

/** Closes the ended month by the clock of the organization, and sets the deadline of the next one. */
export async function endMonth(tx: Tx, actor: Issuer): Promise<void> {
  const { organization } = actor
  const found = await readOrganization(tx, organization)
  if (!found || found.status === 'deleted') return
  await runMonth(tx, actor)
  await putDeadline(tx, organization, 'month-end', organization, nextMonthEnd(actor.clock.now()))
}
