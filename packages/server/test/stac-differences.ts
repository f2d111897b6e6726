import { isDeepStrictEqual } from 'node:util'

/** A difference between the Feature that was sent and the one that was received back. */
export interface StacDifference {
  readonly kind: 'added' | 'lost' | 'changed'
  /** Member names joined by dots; `*` for asset keys, without array indexes: `assets.*.eo:bands`. */
  readonly path: string
  readonly sent: unknown
  readonly received: unknown
}

type JsonObject = Readonly<Record<string, unknown>>

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const pathOf = (path: string, name: string): string =>
  path === '' ? name : path === 'assets' ? 'assets.*' : `${path}.${name}`

const sorted = (list: unknown): unknown => (Array.isArray(list) ? list.toSorted() : list)

/** Compares two values recursively as long as both are objects. */
function compare(sent: unknown, received: unknown, path: string): StacDifference[] {
  if (isDeepStrictEqual(sent, received)) return []
  // A set: the order is not significant.
  if (path === 'stac_extensions' && isDeepStrictEqual(sorted(sent), sorted(received))) return []
  if (isJsonObject(sent) && isJsonObject(received) && path !== 'geometry') {
    const names = [...new Set([...Object.keys(sent), ...Object.keys(received)])]
    return names.flatMap((name) => compare(sent[name], received[name], pathOf(path, name)))
  }
  const kind = sent === undefined ? 'added' : received === undefined ? 'lost' : 'changed'
  return [{ kind, path, sent, received }]
}

/** Compares links one by one, since the server adds links of its own. */
function compareLinks(sent: readonly unknown[], received: readonly unknown[]): StacDifference[] {
  const path = (link: unknown): string => `links.${String((link as { rel?: unknown }).rel)}`
  const without = (list: readonly unknown[], others: readonly unknown[]): unknown[] =>
    list.filter((link) => !others.some((other) => isDeepStrictEqual(link, other)))
  return [
    ...without(sent, received).map((link): StacDifference => ({
      kind: 'lost',
      path: path(link),
      sent: link,
      received: undefined,
    })),
    ...without(received, sent).map((link): StacDifference => ({
      kind: 'added',
      path: path(link),
      sent: undefined,
      received: link,
    })),
  ]
}

/** The differences between the Feature that was stored and the one that is returned for it. */
export function diffStacItems(sent: JsonObject, received: JsonObject): StacDifference[] {
  const { links: sentLinks, ...sentMembers } = sent
  const { links: receivedLinks, ...others } = received
  const lists = [sentLinks, receivedLinks].map((links) => (Array.isArray(links) ? (links as unknown[]) : []))
  return [...compare(sentMembers, others, ''), ...compareLinks(lists[0]!, lists[1]!)]
}
