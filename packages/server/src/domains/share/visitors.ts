import type { Call } from '../../engine/call.ts'
import type { RateLimiter } from '../../platform/rate-limits/rate-limit.ts'
import { makeThrottle, type Throttle } from '../identity/throttle.ts'
import { addTiles } from './store.visits.ts'

const most_passwords = 10_000
const remembered_ms = 300_000

/** Tiles of links that cost nothing, summed up until they are written. */
interface Seen {
  readonly call: Call
  readonly link: string
  tiles: number
}

/** What a process keeps in mind of visitors. */
interface Memory {
  /** Until when a password is known to fit; by a keyed hash. */
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

/** Counts wrong passwords. */
export const throttleOf = (call: Call): Throttle => memoryOf(call).throttle

/** A password of a link in a form that may be kept. */
const keyOf = (call: Call, link: { id: string; password_version: number }, password: string): string =>
  call.signer.sign('share-passwords', [link.id, String(link.password_version), password])

/** True for a password that fitted in the last five minutes, so that it is not hashed for every tile. */
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

/** Counts a tile that costs nothing; it is written soon, together with what comes meanwhile, and holds up nobody. */
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
    // A count that cannot be written is lost: nothing is paid by it, and the pictures went out.
  } finally {
    memory.writing = false
  }
}
