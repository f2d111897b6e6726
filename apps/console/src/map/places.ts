import type { GeoJSONSource, Map as MapLibreMap } from 'maplibre-gl'

/** A country or a large city of the base map. */
export interface NamedPlace {
  readonly name: string
  readonly kind: 'country' | 'city'
  readonly lon: number
  readonly lat: number
  readonly zoom: number
}

interface PlaceProperties {
  readonly name: string
  readonly kind: NamedPlace['kind']
  readonly rank: number
}

const city_zoom = 9
/** Countries of a higher rank are smaller. */
const country_zoom = 3

/** Reads the names that the base map shows, by name; it has loaded them already. */
export async function readPlaces(map: MapLibreMap): Promise<readonly NamedPlace[]> {
  const data = await map.getSource<GeoJSONSource>('places')?.getData()
  if (data?.type !== 'FeatureCollection') return []
  return data.features
    .map(({ properties, geometry }): NamedPlace => {
      const { name, kind, rank } = properties as PlaceProperties
      const [lon = 0, lat = 0] = (geometry as GeoJSON.Point).coordinates
      return { name, kind, lon, lat, zoom: kind === 'city' ? city_zoom : country_zoom + rank }
    })
    .toSorted((left, right) => left.name.localeCompare(right.name))
}

/** Letters without their accents, in lower case. */
const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()

/** The place of this name, else the first whose name begins with the text, else one that has it; null for none. */
export function findPlace(places: readonly NamedPlace[], text: string): NamedPlace | null {
  const wanted = fold(text)
  if (wanted === '') return null
  const tests: readonly ((name: string) => boolean)[] = [
    (name) => name === wanted,
    (name) => name.startsWith(wanted),
    (name) => name.includes(wanted),
  ]
  for (const test of tests) {
    const place = places.find(({ name }) => test(fold(name)))
    if (place) return place
  }
  return null
}

/** Marks the events of a move to a place: what is searched there may be asked for. */
export interface PlaceMove {
  readonly isToPlace?: boolean
}

/** Moves the map to a place; without an animation where the system says so. */
export function flyToPlace(map: MapLibreMap, { lon, lat, zoom }: NamedPlace): void {
  const mark: PlaceMove = { isToPlace: true }
  void map.flyTo({ center: [lon, lat], zoom }, mark)
}
