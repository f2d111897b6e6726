import type { Call } from '../../engine/call.ts'
import type { RateLimiter } from '../../platform/rate-limits/rate-limit.ts'
import { makeThrottle, type Throttle } from '../identity/throttle.ts'
import { addTiles } from './store.visits.ts'

const most_passwords = 10_000
const remembered_ms = 300_000

/** Free tiles of a link that are counted and not yet written. */
interface Seen {
  readonly call: Call
  readonly link: string
  tiles: number
}

/** The state that one process holds about visitors. */
interface Memory {
  /** The time until which a password counts as verified, by a keyed hash. */
  readonly passwords: Map<string, number>
  readonly seen: Map<string, Seen>
  writing: boolean
  readonly throttle: Throttle
}

const memories = new WeakMap<RateLimiter, Memory>()

function memoryOf({ rates }: Pick<Call, 'rates'>): Memory {
  const known = memories.get(rates)
  if (known) return known
  const fresh = { passwords: new Map(), seen: new Map(), writing: false, throttle: makeThrottle(rates) }
  memories.set(rates, fresh)
  return fresh
}

/** The rate limits of wrong passwords. */
export const throttleOf = (call: Call): Throttle => memoryOf(call).throttle

/** The keyed hash of a password of a link. */
const keyOf = (call: Call, link: { id: string; password_version: number }, password: string): string =>
  call.signer.sign('share-passwords', [link.id, String(link.password_version), password])

/** True for a password that was verified in the last five minutes, so that it is not hashed for every tile. */
export function isRemembered(call: Call, link: { id: string; password_version: number }, password: string): boolean {
  const until = memoryOf(call).passwords.get(keyOf(call, link, password))
  return until !== undefined && until > call.clocks.process.now().getTime()
}

export function remember(call: Call, link: { id: string; password_version: number }, password: string): void {
  const { passwords } = memoryOf(call)
  const oldest = passwords.size >= most_passwords ? passwords.keys().next().value : undefined
  if (oldest !== undefined) passwords.delete(oldest)
  passwords.set(keyOf(call, link, password), call.clocks.process.now().getTime() + remembered_ms)
}

/** Counts a free tile; the counts are written in batches, and no request waits for it. */
export function noteTile(call: Call, link: string): void {
  const memory = memoryOf(call)
  const known = memory.seen.get(link)
  if (known) known.tiles += 1
  else memory.seen.set(link, { call, link, tiles: 1 })
  if (!memory.writing) void writeSeen(memory)
}

async function writeSeen(memory: Memory): Promise<void> {
  memory.writing = true
  try {
    while (memory.seen.size > 0) {
      const batch = [...memory.seen.values()]
      memory.seen.clear()
      for (const { call, link, tiles } of batch) {
        await addTiles(call.db, call.organization, link, tiles, call.clock.now())
      }
    }
  } catch {
    // A count that cannot be written is lost: these tiles are free of charge and were sent.
  } finally {
    memory.writing = false
  }
}
