import type { Visit } from './open-link.ts'

/** In this tab only, so that a reload does not ask for the password again. The path holds the token of the link. */
const key = (): string => `swath.share:${location.pathname}`

/** The visit of this tab; null without one, and where storage is blocked. */
export function readStoredVisit(): Visit | null {
  try {
    return JSON.parse(sessionStorage.getItem(key()) ?? 'null') as Visit | null
  } catch {
    return null
  }
}

/** Null forgets the visit. */
export function storeVisit(visit: Visit | null): void {
  try {
    if (visit) sessionStorage.setItem(key(), JSON.stringify(visit))
    else sessionStorage.removeItem(key())
  } catch {
    // Blocked: a reload asks for the password.
  }
}
