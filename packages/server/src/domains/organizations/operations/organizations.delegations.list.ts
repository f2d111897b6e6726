import { organizationsDelegationsListOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { readDelegationTimes, toDelegation } from '../delegations.ts'
import { listDelegationRows } from '../store.delegations.ts'

export const handler = defineHandler(organizationsDelegationsListOperation, async (call, input) => {
  const { db, organization, clock } = call
  const { rows, total } = await listDelegationRows(db, { ...input, organization, ...readDelegationTimes(clock) })
  return toListPage('delegations', { rows: rows.map(toDelegation), total }, input)
})
