import { adminOrgsListOperation } from '@swath/contract/operations/admin.orgs.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listOrganizationPage } from '../../organizations/store.ts'
import { toOrganizationForOperator } from '../organization-for-operator.ts'

export const handler = defineHandler(adminOrgsListOperation, async (call, input) => {
  const { plan = null, status = null, search = null, include_sandboxes: sandboxes, limit, offset } = input
  const filter = { plan, status, search, sandboxes, limit, offset }
  const { rows, total } = await listOrganizationPage(call.unscoped, filter)
  return toListPage('organizations', { rows: rows.map(toOrganizationForOperator), total }, input)
})
