import { hash } from 'node:crypto'
import type { Principal } from '../../engine/call.ts'

/** A token that was verified, with everything that could end it. */
export interface Verified {
  readonly principal: Principal
  readonly expires_at: Date
  /** `session:…`, `key:…`, `user:…`: a change of any of them forgets the token. */
  readonly subjects: readonly string[]
}

/** Tokens that were verified, by their hash, until they expire or something about them changes. */
export interface Remembered {
  find(token: string, now: Date): Principal | null
  /** Taken before the look-up: what is looked up is kept only when nothing changed meanwhile. */
  open(): { keep(token: string, verified: Verified): void }
  forget(subject: string): void
  clear(): void
}

const nameOf = (token: string): string => hash('sha256', token, 'base64url')

/**
 * At most `capacity` tokens; the one that was used longest ago makes room. Nothing is remembered while `isInformed`
 * says that changes of other processes may have been missed.
 */
export function rememberTokens(capacity: number, isInformed: () => boolean): Remembered {
  const tokens = new Map<string, Verified>()
  const bySubject = new Map<string, Set<string>>()
  let changes = 0

  const drop = (name: string): void => {
    const known = tokens.get(name)
    if (!known) return
    tokens.delete(name)
    for (const subject of known.subjects) {
      const names = bySubject.get(subject)
      names?.delete(name)
      if (names?.size === 0) bySubject.delete(subject)
    }
  }
  const keep = (token: string, verified: Verified): void => {
    const name = nameOf(token)
    drop(name)
    const [oldest] = tokens.keys()
    if (tokens.size >= capacity && oldest !== undefined) drop(oldest)
    tokens.set(name, verified)
    for (const subject of verified.subjects) {
      const names = bySubject.get(subject) ?? new Set()
      bySubject.set(subject, names.add(name))
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
      if (!known) return null
      if (known.expires_at <= now) {
        drop(name)
        return null
      }
      // Used now, so it becomes the youngest.
      tokens.delete(name)
      tokens.set(name, known)
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
