import type { PlaceResult } from '@swath/contract/schemas/catalog.ts'
import { foldPlaceName } from './fold-name.ts'
import { type PlaceNameTable, type NamedPlace, type PlaceTable, parsePlaceLine } from './place-file.ts'
import { toPlaceJson } from './place-json.ts'

/** A name that was found, and the rank of its place. */
interface FoundName {
  readonly name: string
  readonly rank: number
}

interface NameQuery {
  readonly text: string
  readonly limit: number
  /** False leaves the place of this rank out. */
  readonly accepts: (rank: number) => boolean
}

/** Shorter texts have too many neighbours. */
const min_typo_length = 4
const alphabet = 'abcdefghijklmnopqrstuvwxyz '

/** Positions of names in the table: from the first to before the second. */
type Range = readonly [from: number, to: number]

/**
 * Finds places by name: those that are called so first, then those whose name begins with the text, then those whose name, or
 * its beginning, differs from it by one letter; each in the order of their rank.
 */
function findNames(table: PlaceNameTable, { text, limit, accepts }: NameQuery): FoundName[] {
  const folded = foldPlaceName(text)
  if (folded === '') return []
  const readFolded = createFoldedReader(table)
  const found = new Map<number, number>()
  const take = (ranges: readonly Range[]): void => {
    const isNew = (rank: number): boolean => !found.has(rank) && accepts(rank)
    for (const at of pickBest(table.ranks, ranges, limit - found.size, isNew)) found.set(table.ranks[at]!, at)
  }
  const rangesOf = (texts: readonly string[], end: string): Range[] =>
    texts.map((one): Range => {
      const from = findFirst(readFolded, one, table.count)
      return [from, findFirst(readFolded, one + end, table.count, from)]
    })
  take(rangesOf([folded], '\u0000'))
  take(rangesOf([folded], '\uffff'))
  if (found.size < limit && folded.length >= min_typo_length) {
    const similar = listSimilar(folded)
    take(rangesOf(similar, '\u0000'))
    if (found.size === 0) take(rangesOf(similar, '\uffff'))
  }
  return [...found].map(([rank, at]) => ({ name: readName(table, at), rank }))
}

const readName = ({ text, starts }: PlaceNameTable, at: number): string =>
  text.toString('utf8', starts[at]!, starts[at + 1]!)

/** Reads names in their sorted form, cached for one search, since every search compares the middle of the table. */
function createFoldedReader(table: PlaceNameTable): (at: number) => string {
  const known = new Map<number, string>()
  return (at) => {
    const folded = known.get(at) ?? foldPlaceName(readName(table, at))
    known.set(at, folded)
    return folded
  }
}

/** The first position, not before `low`, whose name is not before the text. */
function findFirst(readFolded: (at: number) => string, text: string, count: number, low = 0): number {
  let [first, high] = [low, count]
  while (first < high) {
    const middle = (first + high) >>> 1
    if (readFolded(middle) < text) first = middle + 1
    else high = middle
  }
  return first
}

/** Texts that differ by one letter: it is missing, too much, another one, or exchanged with the next. The first one is right. */
function listSimilar(text: string): string[] {
  const similar = new Set<string>()
  for (let at = 1; at <= text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)]
    similar.add(before + after.slice(1))
    similar.add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
    for (const letter of alphabet) similar.add(before + letter + after.slice(1)).add(before + letter + after)
  }
  similar.delete(text)
  return [...similar]
}

/** Positions of the names with the smallest ranks, of each place one. */
function pickBest(
  ranks: Uint32Array,
  ranges: readonly Range[],
  limit: number,
  accepts: (rank: number) => boolean,
): number[] {
  const best: number[] = []
  for (const [from, to] of ranges) {
    for (let at = from; at < to && limit > 0; at++) {
      const rank = ranks[at]!
      if (best.length === limit && rank >= ranks[best.at(-1)!]!) continue
      if (best.some((other) => ranks[other] === rank) || !accepts(rank)) continue
      const next = best.findIndex((other) => ranks[other]! > rank)
      best.splice(next === -1 ? best.length : next, 0, at)
      if (best.length > limit) best.pop()
    }
  }
  return best
}

const acceptAll = (): boolean => true

/** Places with the text as a name or its beginning; after a comma, in the country or region of that name. */
export function findPlaces(table: PlaceTable, query: string, limit: number): PlaceResult[] {
  const placeOf = (rank: number): NamedPlace => parsePlaceLine(table.places[rank]!)
  const find = (text: string, accepts: NameQuery['accepts']): PlaceResult[] =>
    findNames(table.names, { text, limit, accepts }).map(({ name, rank }) => toPlaceJson(placeOf(rank), name))
  const comma = query.lastIndexOf(',')
  const [text, areaName] = [query.slice(0, comma), query.slice(comma + 1)]
  const area = comma === -1 ? null : findArea(table, areaName, placeOf)
  return area ? find(text, (rank) => isWithin(placeOf(rank), area)) : find(query, acceptAll)
}

/** The country or region of exactly this name. */
function findArea({ names }: PlaceTable, name: string, placeOf: (rank: number) => NamedPlace): NamedPlace | null {
  const accepts = (rank: number): boolean => placeOf(rank).bbox !== null
  const [found] = findNames(names, { text: name, limit: 1, accepts })
  return found && foldPlaceName(found.name) === foldPlaceName(name) ? placeOf(found.rank) : null
}

function isWithin({ country_code, lon, lat }: NamedPlace, area: NamedPlace): boolean {
  const [west, south, east, north] = area.bbox!
  if (country_code !== area.country_code) return false
  return area.kind === 'country' || (lon >= west && lon <= east && lat >= south && lat <= north)
}
