import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isBounds } from '@swath/geo/bbox.ts'
import { checkGeometry } from '@swath/geo/geojson.ts'
import type { Polygon } from '@swath/geo/geojson.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import type { HostBand, HostScene } from '../../../platform/outside/imagery-host.ts'

export interface DemoFile {
  /** Within the folder of the scenes. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  readonly bands: readonly HostBand[]
}

/** Files on one grid, which become one GeoTIFF. */
export interface DemoAsset {
  readonly key: string
  /** Where the files themselves do not name theirs. */
  readonly nodata?: number
  readonly files: readonly DemoFile[]
}

/** A scene as `scenes.json` has it. */
export interface DemoScene {
  readonly id: string
  readonly host: string
  readonly collection: string
  readonly place: string
  readonly datetime: string
  /** Both, or neither: where only a day, a year or a span is known. */
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
  readonly assets: readonly DemoAsset[]
}

/** All scenes that the demonstration folder ships, newest first. Throws when the list contradicts itself. */
export async function readDemoScenes(folder: string): Promise<readonly DemoScene[]> {
  const { scenes } = JSON.parse(await readFile(join(folder, 'scenes.json'), 'utf8')) as { scenes: DemoScene[] }
  for (const { id, bbox, geometry, datetime } of scenes) {
    const { fault } = checkGeometry(geometry)
    if (fault) throw new Error(`the footprint of the demonstration scene ${id}: ${fault.reason}`)
    if (!isBounds(bbox)) throw new Error(`the box of the demonstration scene ${id} is none`)
    if (Number.isNaN(Date.parse(datetime))) throw new Error(`the time of the demonstration scene ${id} is none`)
  }
  return scenes.toSorted(newestFirst)
}

interface Placed {
  readonly datetime: string
  readonly id: string
}

/** The order of every catalogue list: latest time first, then by id. */
export function newestFirst(left: Placed, right: Placed): number {
  const later = Date.parse(right.datetime) - Date.parse(left.datetime)
  if (later !== 0) return later
  return left.id < right.id ? -1 : Number(left.id > right.id)
}

/** The scene as a catalogue shows it. */
export function hostSceneOf(scene: DemoScene): HostScene {
  const { id, collection, geometry, bbox, datetime, note, assets, host: _, ...facts } = scene
  const spanned = scene.start_datetime ? `${scene.start_datetime.slice(0, 10)}` : datetime.slice(0, 10)
  return {
    id,
    collection,
    geometry,
    bbox,
    datetime,
    properties: {
      title: `${facts.place}, ${spanned}`,
      description: note,
      ...facts,
      'eo:bands': assets.flatMap(({ files }) => files.flatMap(({ bands }) => bands.map(bandEntry))),
    },
  }
}

const bandEntry = ({ name, common_name }: HostBand): Record<string, string> =>
  common_name === null ? { name } : { name, common_name }
