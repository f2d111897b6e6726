import type { PlaceResult } from '@swath/contract/schemas/catalog.ts'
import { foldPlaceName } from './fold-name.ts'
import type { ParsedPosition } from './parse-coordinates.ts'
import type { NamedPlace } from './place-file.ts'

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** A place as the operation returns it, found by one of its names. */
export const toPlaceJson = (
  { kind, name, country_code, population, lon, lat, bbox }: NamedPlace,
  found: string,
): PlaceResult => ({
  kind,
  name,
  // The later words of a name are searched for, and are not a name.
  matched_name: foldPlaceName(name).endsWith(foldPlaceName(found)) ? null : found,
  country_code: country_code || null,
  country: country_code ? (countryNames.of(country_code) ?? null) : null,
  population: population || null,
  lon,
  lat,
  bbox: bbox && [...bbox],
  reading: null,
})

/** A position that was read from a text. */
export const toPositionJson = (text: string, { lon, lat, reading }: ParsedPosition): PlaceResult => ({
  kind: 'position',
  name: text.trim(),
  matched_name: null,
  country_code: null,
  country: null,
  population: null,
  lon,
  lat,
  bbox: null,
  reading,
})
