import { itemsExpireBatch } from '@swath/contract/operations/items.ts'
import { handler } from '../../engine/handler.ts'
import { actorIn } from '../events/emit.ts'
import { sweepRetention, type Sweeper } from './sweep-retention.ts'

export const expireItems = handler(itemsExpireBatch, async (call) => {
  const sweeper: Sweeper = {
    across: call.across,
    actorIn: (organization) => actorIn(call, organization),
    times: call.clocks.times(),
    signal: call.signal,
    failed: (error, organization) => call.log.set({ [`failure_${organization}`]: String(error) }),
  }
  return { expired_count: await sweepRetention(sweeper, 'expired') }
})
