import type { Config } from '../platform/config.ts'
import type { PasswordHasher } from '../platform/crypto/passwords.ts'
import { createFairQueue, getCallerFairQueueOwner, type FairQueue } from './fair-queue.ts'
import type { OperationHandler } from './handler.ts'

/** Expensive operations by kind of work, beside those on pixels, which wait for raster threads. */
const workloadOfOperation: Readonly<Record<string, 'search' | 'statistics'>> = {
  'items.search': 'search',
  'items.search_org': 'search',
  'stac.search': 'search',
  'stac.items.list': 'search',
  'stac.items.search': 'search',
  'stac.aggregate': 'search',
  'items.tile.statistics': 'statistics',
  'items.tile.histogram': 'statistics',
  'cog.statistics': 'statistics',
  'analytics.execute': 'statistics',
  'analytics.band_math': 'statistics',
  'analytics.calculate_index': 'statistics',
  'alerts.test_rule': 'statistics',
  'alerts.backtest_rule': 'statistics',
}

/** Statistics of organizations that compute none, for each that runs concurrently. */
const extra_statistics = 3

const queueLimits = { max_waiting: 1000, max_waiting_per_organization: 200 }

type ConcurrencyLimits = Pick<Config, 'max_wait_ms' | 'search_concurrency' | 'statistics_concurrency'>

/** The handler of each operation; expensive ones run in fair queues with a maximum number at once in this process. */
export function limitHandlerConcurrency(
  handlers: ReadonlyMap<string, OperationHandler>,
  { max_wait_ms, search_concurrency, statistics_concurrency }: ConcurrencyLimits,
): ReadonlyMap<string, OperationHandler> {
  const commonLimits = { ...queueLimits, max_wait_ms }
  const queues = {
    search: createFairQueue({ subject: 'searches', max_running: search_concurrency, ...commonLimits }),
    statistics: createFairQueue({
      subject: 'statistics',
      max_running: statistics_concurrency,
      // They take seconds, for which no other organization waits; raster threads have the same.
      extra: extra_statistics * statistics_concurrency,
      ...commonLimits,
    }),
  }
  return new Map(
    [...handlers].map(([id, { operation, handle }]) => {
      const workload = workloadOfOperation[id]
      return [id, { operation, handle: workload ? runInQueue(queues[workload], handle) : handle }]
    }),
  )
}

const runInQueue =
  (queue: FairQueue, handle: OperationHandler['handle']): OperationHandler['handle'] =>
  (call, input) =>
    queue.run(getCallerFairQueueOwner(call), async () => handle(call, input), call.signal)

/** The same hasher with a maximum number of hashes at once; client addresses take turns. */
export function limitPasswordHashing(
  passwordHasher: PasswordHasher,
  { max_wait_ms, password_concurrency }: Pick<Config, 'max_wait_ms' | 'password_concurrency'>,
): PasswordHasher {
  const limits = { max_waiting: 400, max_waiting_per_organization: 100, max_wait_ms }
  const queue = createFairQueue({ subject: 'passwords', max_running: password_concurrency, ...limits })
  const queueOwnerOfSender = (sender = 'the platform') => ({ organization: sender })
  return {
    hash: (password, sender) => queue.run(queueOwnerOfSender(sender), () => passwordHasher.hash(password)),
    verify: (password, stored, sender) =>
      queue.run(queueOwnerOfSender(sender), () => passwordHasher.verify(password, stored)),
    needsNewHash: (stored) => passwordHasher.needsNewHash(stored),
  }
}
