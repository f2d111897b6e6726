import type { OutputOf } from '@swath/client/operations.ts'
import { LngLat, type Map as MapLibreMap } from 'maplibre-gl'
import type { MapView } from './map-view.ts'

/** A place that the platform found. */
export type FoundPlace = OutputOf<'catalog.places.search'>['places'][number]

/** The zoom level at which a settlement fills the map: half a level less for each doubling of its people. */
const village_zoom = 14
const metropolis_zoom = 9.5
const village_people = 1000

const fit_padding = 24
const max_fit_zoom = 9

/** The zoom level at which a place without an extent is shown. */
export const zoomOfPlace = ({ kind, population }: Pick<FoundPlace, 'kind' | 'population'>): number =>
  kind === 'position'
    ? village_zoom
    : Math.max(
        metropolis_zoom,
        village_zoom - Math.log2(Math.max(population ?? 0, village_people) / village_people) / 2,
      )

/** Marks the events of a move to a place, after which a search of the new view is offered. */
export interface PlaceMove {
  readonly isToPlace?: boolean
}

/** The view of the map that shows all of a box; null if the map is too small for it. */
export function viewOfBounds(map: MapLibreMap, bounds: readonly number[], max_zoom = village_zoom): MapView | null {
  const camera = map.cameraForBounds(bounds as [number, number, number, number], {
    padding: fit_padding,
    maxZoom: max_zoom,
  })
  if (!camera?.center || camera.zoom === undefined) return null
  const center = LngLat.convert(camera.center)
  return { lon: center.lng, lat: center.lat, zoom: camera.zoom }
}

/** The view of the map that shows a place. */
export const viewOfPlace = (map: MapLibreMap, place: FoundPlace): MapView =>
  (place.bbox && viewOfBounds(map, place.bbox, max_fit_zoom)) ?? {
    lon: place.lon,
    lat: place.lat,
    zoom: zoomOfPlace(place),
  }

/** Moves the map to a view; without an animation where the system says so. */
export function flyToPlace(map: MapLibreMap, { lon, lat, zoom }: MapView): void {
  const mark: PlaceMove = { isToPlace: true }
  void map.flyTo({ center: [lon, lat], zoom }, mark)
}

const numbers = new Intl.NumberFormat('en', { notation: 'compact' })

/** Describes how a place differs from others of its name: the name that was found, the country, the population. */
export const describePlace = ({ matched_name, country, population, kind, reading, lon, lat }: FoundPlace): string =>
  kind === 'position'
    ? `${reading}: ${lat.toFixed(4)}°, ${lon.toFixed(4)}°`
    : [matched_name, kind === 'country' ? null : country, population ? numbers.format(population) : null]
        .filter((part) => part !== null)
        .join(' · ')
