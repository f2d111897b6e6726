import { billingJobsSettleUnsettled } from '@swath/contract/operations/billing.admin.ts'
import { handler } from '../../engine/handler.ts'
import { actIn, everyOrganization } from '../organizations/named.ts'
import { releaseOrphans } from './charges/orphan-holds.ts'

export const settleUnsettled = handler(billingJobsSettleUnsettled, async (call, { limit, organization_id }) => {
  const organizations = organization_id ? [organization_id] : await everyOrganization(call.across)
  const job_ids: string[] = []
  for (const organization of organizations) {
    const actor = await actIn(call, organization)
    const left = limit - job_ids.length
    if (left === 0) break
    job_ids.push(...(await call.across.transaction((tx) => releaseOrphans(tx, actor, left))))
  }
  return { captured_count: 0, released_count: job_ids.length, job_ids }
})
