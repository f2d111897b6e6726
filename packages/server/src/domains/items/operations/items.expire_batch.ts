import { itemsExpireBatchOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { actorInOrganization } from '../../../engine/actor.ts'
import { sweepRetention, type RetentionSweepDependencies } from '../retention/sweep-retention.ts'

export const handler = defineHandler(itemsExpireBatchOperation, async (call) => {
  const sweep: RetentionSweepDependencies = {
    across: call.unscoped,
    actorIn: (organization) => actorInOrganization(call, organization),
    times: call.clocks.times(),
    signal: call.signal,
    onError: (error, organization) => call.log.set({ [`failure_${organization}`]: String(error) }),
  }
  return { expired_count: await sweepRetention(sweep, 'expired') }
})
