import { billingCleanupDeletedOrgsOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listOrganizations } from '../../organizations/store.ts'
import { closeDeletedOrganization } from '../close-organization.ts'
import { forEachOrganization } from '../for-each-organization.ts'

export const handler = defineHandler(billingCleanupDeletedOrgsOperation, async (call) => {
  const due = (await listOrganizations(call.unscoped))
    .filter(
      ({ id, status, delete_after }) =>
        status !== 'deleted' && delete_after && delete_after <= call.clocks.forOrganization(id).now(),
    )
    .map(({ id }) => id)
  const { results, failures } = await forEachOrganization(call, due, async (actor) => {
    const expired = await call.unscoped.transaction((tx) => closeDeletedOrganization(tx, actor))
    return { id: actor.organization, expired }
  })
  const closed = results.filter(({ expired }) => expired !== null)
  return {
    organization_ids: closed.map(({ id }) => id),
    expired_credits: closed.reduce((sum, { expired }) => sum + (expired ?? 0), 0),
    failures: [...failures],
  }
})
