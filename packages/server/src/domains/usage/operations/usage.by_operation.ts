import { usageByOperationOperation } from '@swath/contract/operations/usage.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { listLastMonths, readUsageByOperation } from '../usage-report.ts'

export const handler = defineHandler(usageByOperationOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  const months = listLastMonths(call.clock.now(), input.months)
  return toListPage('operations', await readUsageByOperation(call.db, call.organization, months, input), input)
})
