import type { Principal } from '../../engine/call.ts'
import type { OrganizationClocks } from '../../platform/clock.ts'

/** A token that was verified, with everything that could end it. */
export interface Verified {
  readonly principal: Principal
  readonly expires_at: Date
  /** When it ends by the clock of the principal's organization, which may be moved while it is remembered; null for never. */
  readonly ends_at: Date | null
  /** `session:…`, `key:…`, `user:…`, `organization:…`: a change of any of them forgets the token. */
  readonly subjects: readonly string[]
}

/** Tokens that were verified, until they expire or something about them changes. */
export interface Remembered {
  find(token: string, now: Date): Principal | null
  /** Taken before the look-up: what is looked up is kept only when nothing changed meanwhile. */
  open(): { keep(token: string, verified: Verified): void }
  forget(subject: string): void
  clear(): void
}

/** The end of a token is its signature, or most of a key: as telling as the whole, and quicker to look up. */
const nameOf = (token: string): string => token.slice(-64)

/**
 * At most `capacity` tokens; the one that was used longest ago makes room. Nothing is remembered while `isInformed`
 * says that changes of other processes may have been missed.
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
      // Used now, so it becomes the youngest; the order means nothing while there is plenty of room.
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
