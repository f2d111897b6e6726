import type { OutputOf } from '@swath/client/operations.ts'

/** A scene of a catalogue with its price. */
export type Scene = OutputOf<'catalog.search'>['features'][number]

/** Two hosts may have a scene of the same id. */
export const sceneKey = ({ id, properties }: Pick<Scene, 'id' | 'properties'>): string =>
  `${String(properties['host_name'] ?? '')} ${id}`

export const toFootprints = (scenes: readonly Scene[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: scenes
    .filter(({ geometry }) => geometry !== null)
    .map((scene) => ({
      type: 'Feature',
      properties: { id: sceneKey(scene) },
      geometry: scene.geometry as unknown as GeoJSON.Geometry,
    })),
})
