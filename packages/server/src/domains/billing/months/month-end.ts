import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { readOrganization } from '../../organizations/organization.ts'
import type { Issuer } from '../documents/issue-document.ts'
import { monthOf, monthSpan } from './months.ts'
import { runMonth } from './run-month.ts'
import { putDeadline } from '../store.deadlines.ts'

/** The first moment of the next month. */
export const nextMonthEnd = (now: OrganizationTime): Date => monthSpan(monthOf(now)).end

/** Due at once for an organization that was there before this month; one that was founded in it waits for its end. */
export const firstMonthEnd = (now: OrganizationTime, created_at: Date): Date => {
  const { start, end } = monthSpan(monthOf(now))
  return created_at < start ? start : end
}

/** A month has ended by the clock of its organization: it is closed, and the end of the next one is due. */
export async function endMonth(tx: Tx, actor: Issuer): Promise<void> {
  const { organization } = actor
  const found = await readOrganization(tx, organization)
  if (!found || found.status === 'deleted') return
  await runMonth(tx, actor)
  await putDeadline(tx, organization, 'month-end', organization, nextMonthEnd(actor.clock.now()))
}
