import { geometryBounds } from '@swath/geo/bbox.ts'
import { footprintOf, sceneKey, timeOf, type Scene } from './scenes.ts'

/** A selected scene and its number, by which the map, its legend and the list name it. */
export interface NumberedScene {
  readonly key: string
  readonly number: number
  readonly scene: Scene
}

/** Selected scenes in the order of their dates, numbered from 1; those without a date come last. */
export const numberScenes = (scenes: readonly Scene[]): readonly NumberedScene[] =>
  scenes
    .map((scene) => ({ scene, key: sceneKey(scene), at: timeOf(scene) ?? '~' }))
    .toSorted((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0))
    .map(({ scene, key }, index) => ({ scene, key, number: index + 1 }))

/** Scenes of one orbit have the same footprint but for some metres: their numbers stand beside each other. */
const place_decimals = 2

/** Positions of the numbers: above the middle of each footprint, so that they do not cover its picture. */
export function toNumberPoints(numbered: readonly NumberedScene[]): GeoJSON.FeatureCollection {
  const points = numbered.flatMap(({ number, scene }) => {
    const footprint = footprintOf(scene)
    if (!footprint) return []
    const [west, , east, north] = geometryBounds(footprint)
    return [{ number, lon: (west + (east < west ? east + 360 : east)) / 2, lat: north }]
  })
  const places = Map.groupBy(points, ({ lon, lat }) => `${lon.toFixed(place_decimals)},${lat.toFixed(place_decimals)}`)
  return {
    type: 'FeatureCollection',
    features: [...places.values()].map((members) => ({
      type: 'Feature',
      properties: { label: members.map(({ number }) => number).join(' · ') },
      geometry: { type: 'Point', coordinates: [members[0]!.lon, members[0]!.lat] },
    })),
  }
}
