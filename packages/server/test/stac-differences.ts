import { isDeepStrictEqual } from 'node:util'

/** A difference between the Feature that was sent and the one that was received back. */
export interface Difference {
  readonly kind: 'added' | 'lost' | 'changed'
  /** Member names joined by dots; `*` for asset keys, without array indexes: `assets.*.eo:bands`. */
  readonly path: string
  readonly given: unknown
  readonly back: unknown
}

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const pathOf = (path: string, name: string): string =>
  path === '' ? name : path === 'assets' ? 'assets.*' : `${path}.${name}`

const sorted = (list: unknown): unknown => (Array.isArray(list) ? list.toSorted() : list)

/** Compares two values recursively as long as both are objects. */
function compare(given: unknown, back: unknown, path: string): Difference[] {
  if (isDeepStrictEqual(given, back)) return []
  // A set: the order is not significant.
  if (path === 'stac_extensions' && isDeepStrictEqual(sorted(given), sorted(back))) return []
  if (isMembers(given) && isMembers(back) && path !== 'geometry') {
    const names = [...new Set([...Object.keys(given), ...Object.keys(back)])]
    return names.flatMap((name) => compare(given[name], back[name], pathOf(path, name)))
  }
  const kind = given === undefined ? 'added' : back === undefined ? 'lost' : 'changed'
  return [{ kind, path, given, back }]
}

/** Compares links one by one, since the server adds links of its own. */
function compareLinks(given: readonly unknown[], back: readonly unknown[]): Difference[] {
  const path = (link: unknown): string => `links.${String((link as { rel?: unknown }).rel)}`
  const without = (list: readonly unknown[], others: readonly unknown[]): unknown[] =>
    list.filter((link) => !others.some((other) => isDeepStrictEqual(link, other)))
  return [
    ...without(given, back).map((link): Difference => ({
      kind: 'lost',
      path: path(link),
      given: link,
      back: undefined,
    })),
    ...without(back, given).map((link): Difference => ({
      kind: 'added',
      path: path(link),
      given: undefined,
      back: link,
    })),
  ]
}

/** The differences between the Feature that was stored and the one that is returned for it. */
export function differencesOf(given: Members, back: Members): Difference[] {
  const { links: givenLinks, ...rest } = given
  const { links: backLinks, ...others } = back
  const lists = [givenLinks, backLinks].map((links) => (Array.isArray(links) ? (links as unknown[]) : []))
  return [...compare(rest, others, ''), ...compareLinks(lists[0]!, lists[1]!)]
}
