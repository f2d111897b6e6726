import { defineService } from '../../engine/process-services.ts'
import type { Call } from '../../engine/call.ts'
import { createBoundedCache, type BoundedCache } from '../../platform/bounded-cache.ts'
import type { Clock } from '../../platform/clock.ts'
import type { RateLimiter } from '../../platform/rate-limits/rate-limit.ts'
import { createFailureThrottle, type FailureThrottle } from '../identity/failure-throttle.ts'
import { updateFreeShareTileCount } from './store.counters.ts'

const max_cached_passwords = 10_000
const password_cache_ms = 300_000

/** Free tiles of a link that are counted and not yet written. */
interface PendingTileCount {
  readonly call: Call
  readonly link: string
  tiles: number
}

/** The state of one process about the visitors of share links. */
export interface ShareVisitorState {
  /** Passwords verified in the last five minutes, by a keyed hash. */
  readonly verifiedPasswords: BoundedCache<string, true>
  readonly pendingTileCounts: Map<string, PendingTileCount>
  isWriting: boolean
  /** The rate limits of wrong passwords. */
  readonly throttle: FailureThrottle
}

export const shareVisitorsServiceKey = defineService<ShareVisitorState>('shareVisitors')

export const createShareVisitorState = (rateLimiter: RateLimiter, clock: Clock): ShareVisitorState => ({
  verifiedPasswords: createBoundedCache({
    max_entries: max_cached_passwords,
    max_age: { ms: password_cache_ms, now_ms: () => clock.now().getTime() },
  }),
  pendingTileCounts: new Map(),
  isWriting: false,
  throttle: createFailureThrottle(rateLimiter),
})

/** The keyed hash of a password of a link. */
const passwordCacheKey = (call: Call, link: { id: string; password_version: number }, password: string): string =>
  call.signer.sign('share-passwords', [link.id, String(link.password_version), password])

/** True for a password that was verified in the last five minutes, so that it is not hashed for every tile. */
export function isSharePasswordVerified(
  call: Call,
  link: { id: string; password_version: number },
  password: string,
): boolean {
  return (
    call.processServices.get(shareVisitorsServiceKey).verifiedPasswords.get(passwordCacheKey(call, link, password)) ??
    false
  )
}

export function cacheVerifiedSharePassword(
  call: Call,
  link: { id: string; password_version: number },
  password: string,
): void {
  call.processServices.get(shareVisitorsServiceKey).verifiedPasswords.set(passwordCacheKey(call, link, password), true)
}

/** Counts a free tile; the counts are written in batches, and no request waits for it. */
export function countFreeShareTile(call: Call, link: string): void {
  const state = call.processServices.get(shareVisitorsServiceKey)
  const existing = state.pendingTileCounts.get(link)
  if (existing) existing.tiles += 1
  else state.pendingTileCounts.set(link, { call, link, tiles: 1 })
  if (!state.isWriting) void flushTileCounts(state)
}

async function flushTileCounts(state: ShareVisitorState): Promise<void> {
  state.isWriting = true
  try {
    while (state.pendingTileCounts.size > 0) {
      const batch = [...state.pendingTileCounts.values()]
      state.pendingTileCounts.clear()
      for (const { call, link, tiles } of batch) {
        await updateFreeShareTileCount(call.db, {
          organization: call.organization,
          id: link,
          tiles,
          now: call.clock.now(),
        })
      }
    }
  } catch {
    // A count that cannot be written is lost: these tiles are free of charge and were sent.
  } finally {
    state.isWriting = false
  }
}
