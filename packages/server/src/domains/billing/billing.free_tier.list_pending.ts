import { billingFreeTierListPending } from '@swath/contract/operations/billing.admin.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { listOrganizations } from '../organizations/named.ts'
import { listDecided } from './months/store.free-tier.ts'

export const listWaitingForFreeTier = handler(billingFreeTierListPending, async (call) => {
  const decided = await listDecided(call.across)
  const organizations = (await listOrganizations(call.across))
    .filter(({ id, plan, status }) => plan === 'free' && status === 'active' && !decided.has(id))
    .map(({ id, name, created_at }) => ({ organization_id: id, name, created_at: created_at.toISOString() }))
  return { organizations, ...wholeWindow(organizations) }
})
