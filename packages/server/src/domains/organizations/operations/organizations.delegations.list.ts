import { organizationsDelegationsListOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { pageOf } from '../../../engine/page.ts'
import { toDelegation } from '../delegations.ts'
import { listDelegations } from '../store.delegations.ts'

export const handler = defineHandler(organizationsDelegationsListOperation, async (call, input) => {
  const { db, organization, clock } = call
  const { rows, total } = await listDelegations(db, { ...input, organization, now: clock.now() })
  return pageOf('delegations', { rows: rows.map(toDelegation), total }, input)
})
