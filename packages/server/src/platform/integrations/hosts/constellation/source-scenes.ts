import { join } from 'node:path'
import { solveInverseGeodesic } from '@swath/geo/geodesic.ts'
import type { HostBand } from '../../imagery-host.ts'
import type { DemoScene } from '../demo/demo-scenes.ts'
import type { TaskingBand } from '../../tasking-host.ts'

/** A real scene from whose pixels simulated ones are made. */
export interface SimulationSourceScene {
  readonly id: string
  /** `host/scene`, for the provenance of images made from it. */
  readonly reference: string
  readonly path: string
  readonly gsd: number
  readonly bands: readonly HostBand[]
  readonly center: readonly [longitude: number, latitude: number]
  readonly cloud_pct: number
  readonly datetime: string
}

/** Coarser pixels show no landscape at the scale of an order. */
const max_gsd_m = 30
const needed = ['blue', 'green', 'red', 'nir']

/** The scenes of the demonstration that have the bands of the constellation in one file. */
export const listSimulationSourceScenes = (folder: string, scenes: readonly DemoScene[]): SimulationSourceScene[] =>
  scenes.flatMap((scene) => {
    const file = scene.assets[0]?.files[0]
    const names = file?.bands.map(({ common_name }) => common_name) ?? []
    if (!file || scene.gsd > max_gsd_m || !needed.every((name) => names.includes(name))) return []
    const [west, south, east, north] = scene.bbox
    return [
      {
        id: scene.id,
        reference: `${scene.host}/${scene.id}`,
        path: join(folder, 'scenes', file.path),
        gsd: scene.gsd,
        bands: file.bands,
        center: [(west + east) / 2, (south + north) / 2],
        cloud_pct: scene['eo:cloud_cover'] ?? 0,
        datetime: scene.datetime,
      },
    ]
  })

/** Scenes whose distances differ by less show the same place. */
const same_place_m = 20_000
const half_circumference_m = 20_003_931

/** The scene nearest to a place; of several of one place, that with the most similar cloud cover, then the newest. */
export function findNearestSourceScene(
  scenes: readonly SimulationSourceScene[],
  place: { readonly longitude: number; readonly latitude: number },
  cloud_pct: number,
): SimulationSourceScene {
  const ranked = scenes
    .map((scene) => {
      // No solution: the places are nearly antipodal.
      const geodesic = solveInverseGeodesic(place.longitude, place.latitude, ...scene.center)
      return { scene, metres: geodesic?.metres ?? half_circumference_m }
    })
    .toSorted((left, right) => left.metres - right.metres)
  const nearest = ranked[0]
  if (!nearest) throw new Error('the demonstration has no scene to make others from')
  const difference = ({ cloud_pct: cover }: SimulationSourceScene): number => Math.abs(cover - cloud_pct)
  return ranked
    .filter(({ metres }) => metres - nearest.metres < same_place_m)
    .map(({ scene }) => scene)
    .toSorted(
      (left, right) => difference(left) - difference(right) || Date.parse(right.datetime) - Date.parse(left.datetime),
    )[0]!
}

/** The bands of a scene that stand for those of a sensor; a panchromatic band is shown by red. */
export const matchSensorBands = (scene: SimulationSourceScene, bands: readonly TaskingBand[]): number[] =>
  bands.map(({ common_name }) => {
    const wanted = common_name === 'pan' ? 'red' : common_name
    return scene.bands.findIndex((band) => band.common_name === wanted)
  })
