import { foldPlaceName } from '../../packages/server/src/domains/catalog/places/fold-name.ts'
import { writePlaceFile } from '../../packages/server/src/domains/catalog/places/place-file.ts'
import type { SourcePlace } from './read-places.ts'

/** Words of a name that are not searched for by themselves. */
const min_word_length = 3

/** The later words of a name: `Moresby` of `Port Moresby`. */
const laterWords = (name: string): string[] =>
  [...name.matchAll(/[\s-]+/gu)]
    .map(({ index, 0: gap }) => name.slice(index + gap.length))
    .filter((rest) => foldPlaceName(rest).length >= min_word_length)

/** Of smaller settlements only the whole name is found. */
const min_people_for_words = 5000

/**
 * The population by which a place is ranked: `New York` is more often meant as the city than as the state around it.
 */
const weighPlace = ({ kind, population }: SourcePlace): number => (kind === 'region' ? population / 10 : population)

const searchedNames = (place: SourcePlace): Set<string> =>
  new Set([
    ...place.names,
    ...(place.kind !== 'settlement' || place.population >= min_people_for_words ? laterWords(place.name) : []),
  ])

/** The index of the search for places: countries first, then the others by their population. */
export function writePlaceIndex(places: readonly SourcePlace[]): Buffer {
  const ranked = places.toSorted(
    (one, other) =>
      Number(other.kind === 'country') - Number(one.kind === 'country') || weighPlace(other) - weighPlace(one),
  )
  const names = ranked.flatMap((place, rank) =>
    [...searchedNames(place)].map((one) => ({ one, rank, folded: foldPlaceName(one) })),
  )
  names.sort((a, b) => (a.folded < b.folded ? -1 : a.folded > b.folded ? 1 : a.rank - b.rank))
  return writePlaceFile(
    names.map(({ one, rank }) => [one, rank]),
    ranked,
  )
}
