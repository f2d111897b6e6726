import { billingDeletionsPendingOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { listOrganizations } from '../../organizations/store.ts'

export const handler = defineHandler(billingDeletionsPendingOperation, async (call) => {
  const organizations = (await listOrganizations(call.unscoped)).flatMap(
    ({ id, name, status, created_at, delete_after }) =>
      delete_after === null || status === 'deleted'
        ? []
        : [
            {
              organization_id: id,
              name,
              created_at: created_at.toISOString(),
              delete_at: delete_after.toISOString(),
            },
          ],
  )
  return toCompleteList('organizations', organizations)
})
