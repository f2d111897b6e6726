import { billingJobsSettleUnsettledOperation } from '@swath/contract/operations/billing.admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { actorFor, listEveryOrganizationId } from '../../organizations/all-organizations.ts'
import { releaseOrphanHolds } from '../charges/orphan-holds.ts'

export const settleUnsettledJobs = defineHandler(
  billingJobsSettleUnsettledOperation,
  async (call, { limit, organization_id }) => {
    const organizations = organization_id ? [organization_id] : await listEveryOrganizationId(call.unscoped)
    const job_ids: string[] = []
    for (const organization of organizations) {
      const actor = await actorFor(call, organization)
      const remaining = limit - job_ids.length
      if (remaining === 0) break
      job_ids.push(...(await call.unscoped.transaction((tx) => releaseOrphanHolds(tx, actor, remaining))))
    }
    return { captured_count: 0, released_count: job_ids.length, job_ids }
  },
)
