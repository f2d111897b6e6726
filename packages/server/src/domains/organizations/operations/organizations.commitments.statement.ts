import { organizationsCommitmentsStatementOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { findPreviousMonth } from '../../contracts/months.ts'
import { readMonthlyStatement } from '../../invoicing/billing-cycle/month-statement.ts'
import { requireOwnOrganization } from '../membership.ts'

export const handler = defineHandler(organizationsCommitmentsStatementOperation, async (call, input) => {
  const { db, organization } = call
  requireOwnOrganization(call, input.organization_id)
  const period = input.period ?? findPreviousMonth(call.clock.now())
  return { statement: await readMonthlyStatement(db, organization, period) }
})
