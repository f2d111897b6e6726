import type { Principal } from '../../engine/call.ts'
import { createBoundedCache } from '../../platform/bounded-cache.ts'
import type { OrganizationClocks } from '../../platform/clock.ts'

/** A verified token with everything that could end it. */
export interface VerifiedToken {
  readonly principal: Principal
  readonly expires_at: Date
  /** Its expiry by the clock of the principal's organization, which may be moved while it is cached; null for never. */
  readonly ends_at: Date | null
  /** `session:…`, `key:…`, `user:…`, `organization:…`: a change of any of them invalidates the token. */
  readonly subjects: readonly string[]
}

/** A cache of verified tokens, until they expire or change. */
export interface TokenCache {
  find(token: string, now: Date): Principal | null
  /** Called before the lookup: its result is cached only if nothing changed meanwhile. */
  beginLookup(): { store(token: string, verified: VerifiedToken): void }
  invalidate(subject: string): void
  clear(): void
}

/** The end of a token is its signature, or most of a key: as distinctive as the whole, and faster to hash. */
const toCacheKey = (token: string): string => token.slice(-64)

/**
 * A cache of at most `capacity` tokens that evicts the least recently used. It is cleared while `isUpToDate` is false
 * because changes of other processes may have been missed.
 */
export function createTokenCache(capacity: number, isUpToDate: () => boolean, clocks: OrganizationClocks): TokenCache {
  const bySubject = new Map<string, Set<string>>()
  const tokens = createBoundedCache<string, VerifiedToken & { readonly token: string }>({
    max_entries: capacity,
    onRemove: ({ subjects }, cacheKey) => {
      for (const subject of subjects) {
        const keys = bySubject.get(subject)
        keys?.delete(cacheKey)
        if (keys?.size === 0) bySubject.delete(subject)
      }
    },
  })
  let changes = 0

  const isExpired = ({ ends_at, principal: { organization } }: VerifiedToken): boolean =>
    ends_at !== null && organization !== null && ends_at <= clocks.forOrganization(organization).now()
  const store = (token: string, verified: VerifiedToken): void => {
    const cacheKey = toCacheKey(token)
    tokens.set(cacheKey, { ...verified, token })
    for (const subject of verified.subjects) {
      const keys = bySubject.get(subject) ?? new Set()
      bySubject.set(subject, keys.add(cacheKey))
    }
  }

  const clear = (): void => {
    changes += 1
    tokens.clear()
  }

  return {
    find: (token, now) => {
      if (!isUpToDate()) clear()
      const cacheKey = toCacheKey(token)
      const entry = tokens.get(cacheKey)
      if (!entry || entry.token !== token) return null
      if (entry.expires_at <= now || isExpired(entry)) {
        tokens.delete(cacheKey)
        return null
      }
      return entry.principal
    },
    beginLookup: () => {
      const changesBefore = changes
      return { store: (token, verified) => void (changesBefore === changes && store(token, verified)) }
    },
    invalidate: (subject) => {
      changes += 1
      for (const cacheKey of bySubject.get(subject) ?? []) tokens.delete(cacheKey)
    },
    clear,
  }
}
