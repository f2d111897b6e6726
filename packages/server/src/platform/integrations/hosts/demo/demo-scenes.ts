import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isValidBounds } from '@swath/geo/bbox.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import type { Polygon } from '@swath/geo/geojson.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import { toEoBand, type ArchiveHostAsset, type ArchiveScene } from '../archive/archive-index.ts'
import { compareNewestFirst } from '../search-scenes.ts'

/** An entry of `scenes.json`. */
export interface DemoScene {
  readonly id: string
  readonly host: string
  readonly collection: string
  readonly place: string
  readonly datetime: string
  /** Both or neither: set if only a day, a year or an interval is known. */
  readonly start_datetime?: string
  readonly end_datetime?: string
  readonly platform: string
  readonly constellation?: string
  readonly instruments?: readonly string[]
  readonly gsd: number
  readonly 'eo:cloud_cover'?: number
  readonly note: string
  readonly bbox: Bounds
  readonly geometry: Polygon
  readonly assets: readonly ArchiveHostAsset[]
}

/** All scenes in the demonstration folder, newest first. Throws if an entry is invalid. */
export async function readDemoScenes(folder: string): Promise<readonly DemoScene[]> {
  const { scenes } = JSON.parse(await readFile(join(folder, 'scenes.json'), 'utf8')) as { scenes: DemoScene[] }
  for (const { id, bbox, geometry, datetime } of scenes) {
    const { error } = validateAreaGeometry(geometry)
    if (error) throw new Error(`the footprint of the demonstration scene ${id}: ${error.reason}`)
    if (!isValidBounds(bbox)) throw new Error(`the bbox of the demonstration scene ${id} is invalid`)
    if (Number.isNaN(Date.parse(datetime))) throw new Error(`the datetime of the demonstration scene ${id} is invalid`)
  }
  return scenes.toSorted(compareNewestFirst)
}

/** The scene as an archive lists it. */
export function toArchiveScene(scene: DemoScene): ArchiveScene {
  const { id, collection, geometry, bbox, datetime, note, assets, host: _, ...properties } = scene
  const titleDate = scene.start_datetime ? `${scene.start_datetime.slice(0, 10)}` : datetime.slice(0, 10)
  return {
    scene: {
      id,
      collection,
      geometry,
      bbox,
      datetime,
      properties: {
        title: `${properties.place}, ${titleDate}`,
        description: note,
        ...properties,
        'eo:bands': assets.flatMap(({ files }) => files.flatMap(({ bands }) => bands.map(toEoBand))),
      },
    },
    assets,
    previews: [],
  }
}
