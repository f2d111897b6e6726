import type { Call } from '../../engine/call.ts'
import type { RateLimiter } from '../../platform/rate-limits/rate-limit.ts'
import { createThrottle, type Throttle } from '../identity/throttle.ts'
import { incrementTiles } from './store.counters.ts'

const max_cached_passwords = 10_000
const password_cache_ms = 300_000

/** Free tiles of a link that are counted and not yet written. */
interface PendingTileCount {
  readonly call: Call
  readonly link: string
  tiles: number
}

/** What one process remembers of the visitors of share links. */
export interface ShareVisitors {
  /** The time until which a password counts as verified, by a keyed hash. */
  readonly passwords: Map<string, number>
  readonly pendingTileCounts: Map<string, PendingTileCount>
  isWriting: boolean
  /** The rate limits of wrong passwords. */
  readonly throttle: Throttle
}

declare module '../../engine/process-services.ts' {
  interface ProcessServices {
    readonly shareVisitors: ShareVisitors
  }
}

export const createShareVisitors = (rateLimiter: RateLimiter): ShareVisitors => ({
  passwords: new Map(),
  pendingTileCounts: new Map(),
  isWriting: false,
  throttle: createThrottle(rateLimiter),
})

/** The keyed hash of a password of a link. */
const passwordCacheKey = (call: Call, link: { id: string; password_version: number }, password: string): string =>
  call.signer.sign('share-passwords', [link.id, String(link.password_version), password])

/** True for a password that was verified in the last five minutes, so that it is not hashed for every tile. */
export function isPasswordVerified(
  call: Call,
  link: { id: string; password_version: number },
  password: string,
): boolean {
  const until = call.services.shareVisitors.passwords.get(passwordCacheKey(call, link, password))
  return until !== undefined && until > call.clocks.process.now().getTime()
}

export function cacheVerifiedPassword(
  call: Call,
  link: { id: string; password_version: number },
  password: string,
): void {
  const { passwords } = call.services.shareVisitors
  const oldest = passwords.size >= max_cached_passwords ? passwords.keys().next().value : undefined
  if (oldest !== undefined) passwords.delete(oldest)
  passwords.set(passwordCacheKey(call, link, password), call.clocks.process.now().getTime() + password_cache_ms)
}

/** Counts a free tile; the counts are written in batches, and no request waits for it. */
export function countFreeTile(call: Call, link: string): void {
  const state = call.services.shareVisitors
  const existing = state.pendingTileCounts.get(link)
  if (existing) existing.tiles += 1
  else state.pendingTileCounts.set(link, { call, link, tiles: 1 })
  if (!state.isWriting) void flushTileCounts(state)
}

async function flushTileCounts(state: ShareVisitors): Promise<void> {
  state.isWriting = true
  try {
    while (state.pendingTileCounts.size > 0) {
      const batch = [...state.pendingTileCounts.values()]
      state.pendingTileCounts.clear()
      for (const { call, link, tiles } of batch) {
        await incrementTiles(call.db, { organization: call.organization, id: link, tiles, now: call.clock.now() })
      }
    }
  } catch {
    // A count that cannot be written is lost: these tiles are free of charge and were sent.
  } finally {
    state.isWriting = false
  }
}
