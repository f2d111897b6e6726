import { billingCleanupDeletedOrgs } from '@swath/contract/operations/billing.admin.ts'
import { handler } from '../../engine/handler.ts'
import { listOrganizations } from '../organizations/named.ts'
import { closeDeleted } from './months/close-organization.ts'
import { forEachOrganization } from './months/each-organization.ts'

export const cleanUpDeleted = handler(billingCleanupDeletedOrgs, async (call) => {
  const due = (await listOrganizations(call.across))
    .filter(
      ({ id, status, delete_after }) =>
        status !== 'deleted' && delete_after && delete_after <= call.clocks.of(id).now(),
    )
    .map(({ id }) => id)
  const { done, failures } = await forEachOrganization(call, due, async (tx, actor) => {
    const expired = await closeDeleted(tx, actor)
    return { id: actor.organization, expired }
  })
  const closed = done.filter(({ expired }) => expired !== null)
  return {
    organization_ids: closed.map(({ id }) => id),
    expired_credits: closed.reduce((sum, { expired }) => sum + (expired ?? 0), 0),
    failures: [...failures],
  }
})
