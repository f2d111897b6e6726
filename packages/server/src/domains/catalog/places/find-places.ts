import type { PlaceResult } from '@swath/contract/schemas/catalog.ts'
import { findNames, type NameQuery } from './find-names.ts'
import { foldName } from './fold-name.ts'
import { readPlace, type NamedPlace, type PlaceTable } from './place-file.ts'
import { toPlaceJson } from './place-json.ts'

const acceptAll = (): boolean => true

/** Places with the text as a name or its beginning; after a comma, in the country or region of that name. */
export function findPlaces(table: PlaceTable, query: string, limit: number): PlaceResult[] {
  const placeOf = (rank: number): NamedPlace => readPlace(table.places[rank]!)
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
  return found && foldName(found.name) === foldName(name) ? placeOf(found.rank) : null
}

function isWithin({ country_code, lon, lat }: NamedPlace, area: NamedPlace): boolean {
  const [west, south, east, north] = area.bbox!
  if (country_code !== area.country_code) return false
  return area.kind === 'country' || (lon >= west && lon <= east && lat >= south && lat <= north)
}
