import { adminStuckWorkListOperation } from '@swath/contract/operations/admin.stuck_work.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listStuckWork } from '../stuck-work/stuck-work.ts'

export const handler = defineHandler(adminStuckWorkListOperation, async (call, input) => {
  const { kind = null, min_failures, limit } = input
  const organization = input.organization_id?.toLowerCase() ?? null
  return { stuck_work: await listStuckWork(call, { kind, organization, min_failures, limit }) }
})
