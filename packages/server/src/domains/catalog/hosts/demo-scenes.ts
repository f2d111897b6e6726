import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isValidBounds } from '@swath/geo/bbox.ts'
import { validateAreaGeometry } from '@swath/geo/geojson.ts'
import type { Polygon } from '@swath/geo/geojson.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import type { HostBand, HostScene } from '../../../platform/integrations/imagery-host.ts'

export interface DemoSceneFile {
  /** Relative to the scenes folder. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  readonly bands: readonly HostBand[]
}

/** Files on one grid, which are combined into one GeoTIFF. */
export interface DemoSceneAsset {
  readonly key: string
  /** If the files themselves declare none. */
  readonly nodata?: number
  readonly files: readonly DemoSceneFile[]
}

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
  readonly assets: readonly DemoSceneAsset[]
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

interface SceneOrderKey {
  readonly datetime: string
  readonly id: string
}

/** Sort order of catalogue lists: latest time first, then by id. */
export function compareNewestFirst(left: SceneOrderKey, right: SceneOrderKey): number {
  const difference_ms = Date.parse(right.datetime) - Date.parse(left.datetime)
  if (difference_ms !== 0) return difference_ms
  return left.id < right.id ? -1 : Number(left.id > right.id)
}

/** Converts an entry of `scenes.json` to a catalogue scene. */
export function toHostScene(scene: DemoScene): HostScene {
  const { id, collection, geometry, bbox, datetime, note, assets, host: _, ...properties } = scene
  const titleDate = scene.start_datetime ? `${scene.start_datetime.slice(0, 10)}` : datetime.slice(0, 10)
  return {
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
  }
}

const toEoBand = ({ name, common_name }: HostBand): Record<string, string> =>
  common_name === null ? { name } : { name, common_name }
