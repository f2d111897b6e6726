import { scenePicturePath } from '../../api/scene-picture-path.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import type { CartLine } from '../../cart/cart.ts'
import { readTakenTime } from '../../api/read-taken-time.ts'
import { readText } from '../../api/read-text.ts'

/** A scene of a catalogue with its price. */
export type Scene = OutputOf<'catalog.search'>['features'][number]

export const hostOf = ({ properties }: Pick<Scene, 'properties'>): string => String(properties['host'] ?? '')

/** Two hosts may have a scene of the same id. */
export const sceneKey = (scene: Pick<Scene, 'id' | 'properties'>): string => `${hostOf(scene)} ${scene.id}`

const readNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export const timeOf = ({ properties }: Scene): string | null => readTakenTime(properties)
export const cloudOf = ({ properties }: Scene): number | null => readNumber(properties['eo:cloud_cover'])
export const gsdOf = ({ properties }: Scene): number | null => readNumber(properties['gsd'])
export const offNadirOf = ({ properties }: Scene): number | null => readNumber(properties['view:off_nadir'])
export const sunElevationOf = ({ properties }: Scene): number | null => readNumber(properties['view:sun_elevation'])
export const licenceOf = ({ properties }: Scene): string | null => readText(properties['license'])

/** The satellite that took it, or else the instruments. */
export function sensorOf({ properties }: Scene): string | null {
  const { platform, instruments } = properties
  return readText(platform) ?? (Array.isArray(instruments) ? readText(instruments.join(', ')) : null)
}

/** Null if it cannot be ordered. */
export const creditsOf = (scene: Scene): number | null => scene['service:price']?.credits ?? null

/** The name of a scene for people: its place or title, else its id. */
export const titleOf = ({ id, properties }: Scene): string => {
  const { place, title } = properties
  return readText(place ?? title) ?? id
}

/** The footprint, if it is an area. */
export function footprintOf({ geometry }: Scene): AreaGeometry | null {
  return geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon'
    ? (geometry as unknown as AreaGeometry)
    : null
}

export const quicklookPath = (scene: Scene): string => scenePicturePath('quicklook', hostOf(scene), scene.id)

/** Small, for lists. */
export const thumbnailPath = (scene: Scene): string => scenePicturePath('thumbnail', hostOf(scene), scene.id)

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

/** The line of a cart for a scene, or for the part of it in an area. */
export const toCartLine = (scene: Scene, part: AreaGeometry | null): CartLine => ({
  host_name: hostOf(scene),
  id: scene.id,
  datetime: timeOf(scene),
  footprint: scene.geometry,
  area: part as unknown as CartLine['area'],
})
