import type { Boundary } from './store.sort.ts'

const kept = 20_000
const near = 16
const minutes_kept = 15

interface Known {
  readonly boundary: Boundary
  readonly at: number
}

/** Where a page begins: after the boundary, and some rows further on. */
export interface PageStart {
  readonly after: Boundary | null
  readonly offset: number
}

/**
 * Remembers where the pages of searches begin, so that a walk through them reads each page right after the one before:
 * no page costs more than the first, and no row is met twice or missed while others are added. A page that nobody came
 * near to is found by counting. Bounded by the number of pages and by time; what was used longest ago goes first.
 */
export function rememberPages(capacity = kept) {
  const pages = new Map<string, Known>()

  const find = (name: string, now: Date): Boundary | null => {
    const known = pages.get(name)
    if (!known) return null
    pages.delete(name)
    if (now.getTime() - known.at > minutes_kept * 60_000) return null
    pages.set(name, known)
    return known.boundary
  }

  return {
    /** Where the page of a search begins: at its own boundary, or at that of a page a little before it. */
    startOf(search: string, page: number, limit: number, now: Date): PageStart {
      for (let before = page; before > 0 && before > page - near; before--) {
        const after = find(`${search}:${before}`, now)
        if (after) return { after, offset: (page - before) * limit }
      }
      return { after: null, offset: page * limit }
    },
    /** Says where the page begins. */
    note(search: string, page: number, boundary: Boundary, now: Date): void {
      const name = `${search}:${page}`
      pages.delete(name)
      pages.set(name, { boundary, at: now.getTime() })
      const [oldest] = pages.keys()
      if (pages.size > capacity && oldest !== undefined) pages.delete(oldest)
    },
  }
}

export type RememberedPages = ReturnType<typeof rememberPages>
