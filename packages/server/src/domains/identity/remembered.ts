import type { Principal } from '../../engine/call.ts'
import type { OrganizationClocks } from '../../platform/clock.ts'

/** A verified token with everything that could end it. */
export interface Verified {
  readonly principal: Principal
  readonly expires_at: Date
  /** Its expiry by the clock of the principal's organization, which may be moved while it is cached; null for never. */
  readonly ends_at: Date | null
  /** `session:…`, `key:…`, `user:…`, `organization:…`: a change of any of them invalidates the token. */
  readonly subjects: readonly string[]
}

/** A cache of verified tokens, until they expire or change. */
export interface Remembered {
  find(token: string, now: Date): Principal | null
  /** Called before the lookup: its result is cached only if nothing changed meanwhile. */
  open(): { keep(token: string, verified: Verified): void }
  forget(subject: string): void
  clear(): void
}

/** The end of a token is its signature, or most of a key: as distinctive as the whole, and faster to hash. */
const nameOf = (token: string): string => token.slice(-64)

/**
 * A cache of at most `capacity` tokens that evicts the least recently used. It is cleared while `isUpToDate` is false
 * because changes of other processes may have been missed.
 */
export function rememberTokens(capacity: number, isInformed: () => boolean, clocks: OrganizationClocks): Remembered {
  const tokens = new Map<string, Verified & { readonly token: string }>()
  const bySubject = new Map<string, Set<string>>()
  let changes = 0

  const hasEnded = ({ ends_at, principal: { organization } }: Verified): boolean =>
    ends_at !== null && organization !== null && ends_at <= clocks.of(organization).now()
  const drop = (name: string): void => {
    const known = tokens.get(name)
    if (!known) return
    tokens.delete(name)
    for (const subject of known.subjects) {
      const held = bySubject.get(subject)
      held?.delete(name)
      if (held?.size === 0) bySubject.delete(subject)
    }
  }
  const keep = (token: string, verified: Verified): void => {
    const name = nameOf(token)
    drop(name)
    const [oldest] = tokens.keys()
    if (tokens.size >= capacity && oldest !== undefined) drop(oldest)
    tokens.set(name, { ...verified, token })
    for (const subject of verified.subjects) {
      const held = bySubject.get(subject) ?? new Set()
      bySubject.set(subject, held.add(name))
    }
  }

  const clear = (): void => {
    changes += 1
    tokens.clear()
    bySubject.clear()
  }

  return {
    find: (token, now) => {
      if (!isInformed()) clear()
      const name = nameOf(token)
      const known = tokens.get(name)
      if (!known || known.token !== token) return null
      if (known.expires_at <= now || hasEnded(known)) {
        drop(name)
        return null
      }
      // Moves the token to the end of the eviction order; not needed while the cache is less than half full.
      if (tokens.size * 2 > capacity) {
        tokens.delete(name)
        tokens.set(name, known)
      }
      return known.principal
    },
    open: () => {
      const before = changes
      return { keep: (token, verified) => void (before === changes && keep(token, verified)) }
    },
    forget: (subject) => {
      changes += 1
      for (const name of bySubject.get(subject) ?? []) drop(name)
    },
    clear,
  }
}
