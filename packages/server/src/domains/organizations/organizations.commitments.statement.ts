import { organizationsCommitmentsStatement } from '@swath/contract/operations/organizations.ts'
import { handler } from '../../engine/handler.ts'
import { requireBillingRole } from '../billing/billing-roles.ts'
import { previousMonth } from '../billing/months/months.ts'
import { readStatement } from '../billing/months/month-statement.ts'
import { requireOwnOrganization } from './membership.ts'

export const readOwnStatement = handler(organizationsCommitmentsStatement, async (call, input) => {
  const { db, organization } = call
  requireOwnOrganization(call, input.organization_id)
  await requireBillingRole(call)
  const period = input.period ?? previousMonth(call.clock.now())
  return { statement: await readStatement(db, organization, period) }
})
