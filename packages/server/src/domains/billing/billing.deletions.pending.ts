import { billingDeletionsPending } from '@swath/contract/operations/billing.admin.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { listOrganizations } from '../organizations/named.ts'

export const listPendingDeletions = handler(billingDeletionsPending, async (call) => {
  const organizations = (await listOrganizations(call.across)).flatMap(
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
  return { organizations, ...wholeWindow(organizations) }
})
