import type { Config } from '../platform/config.ts'
import type { PasswordHasher } from '../platform/crypto/passwords.ts'
import { createFairQueue, ownerOf, type FairQueue } from './fair-queue.ts'
import type { Answerer, Handler } from './handler.ts'

/** Expensive operations by kind of work, beside those on pixels, which wait for raster threads. */
const workOfOperation: Readonly<Record<string, 'search' | 'statistics'>> = {
  'items.search': 'search',
  'items.search_org': 'search',
  'stac.search': 'search',
  'stac.items.list': 'search',
  'stac.aggregate': 'search',
  'items.tile.statistics': 'statistics',
  'items.tile.histogram': 'statistics',
  'cog.statistics': 'statistics',
}

const max_waiting = { max_waiting: 1000, max_waiting_per_organization: 200 }

type Bounds = Pick<Config, 'max_wait_ms' | 'search_concurrency' | 'statistics_concurrency'>

/** The handler of each operation; expensive ones run in fair queues with a maximum number at once in this process. */
export function boundAnswers(
  handlers: ReadonlyMap<string, Handler>,
  { max_wait_ms, search_concurrency, statistics_concurrency }: Bounds,
): (id: string) => Answerer<never, unknown> | null {
  const shared = { ...max_waiting, max_wait_ms }
  const queues = {
    search: createFairQueue({ subject: 'searches', max_running: search_concurrency, ...shared }),
    statistics: createFairQueue({ subject: 'statistics', max_running: statistics_concurrency, ...shared }),
  }
  const answers = new Map(
    [...handlers].map(([id, { answer }]) => {
      const work = workOfOperation[id]
      return [id, work ? inTurn(queues[work], answer) : answer]
    }),
  )
  return (id) => answers.get(id) ?? null
}

const inTurn =
  (queue: FairQueue, answer: Handler['answer']): Handler['answer'] =>
  (call, input) =>
    queue.run(ownerOf(call), async () => answer(call, input), call.signal)

/** The same hasher with a maximum number of hashes at once; client addresses take turns. */
export function boundPasswords(
  hasher: PasswordHasher,
  { max_wait_ms, password_concurrency }: Pick<Config, 'max_wait_ms' | 'password_concurrency'>,
): PasswordHasher {
  const limits = { max_waiting: 400, max_waiting_per_organization: 100, max_wait_ms }
  const queue = createFairQueue({ subject: 'passwords', max_running: password_concurrency, ...limits })
  const ownerOfSender = (sender = 'the platform') => ({ organization: sender })
  return {
    hash: (password, sender) => queue.run(ownerOfSender(sender), () => hasher.hash(password)),
    verify: (password, stored, sender) => queue.run(ownerOfSender(sender), () => hasher.verify(password, stored)),
    needsNewHash: (stored) => hasher.needsNewHash(stored),
  }
}
