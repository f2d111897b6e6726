import { posix } from 'node:path'
import { monotonic_ms } from '../../../clock.ts'
import type { HostBand, HostGrid, HostScene } from '../../imagery-host.ts'
import { compareNewestFirst } from '../search-scenes.ts'
import {
  asArray,
  asObject,
  listDataAssets,
  listPreviewAssets,
  readStacItem,
  toUniqueAssetKeys,
  type HostItemAsset,
} from '../stac-item.ts'
import type { ArchiveHostFile, ArchiveHostStorage } from './archive-source.ts'

export interface ArchiveFile {
  /** Below the root of the archive. */
  readonly path: string
  /** Null if the item does not state it. */
  readonly bytes: number | null
  readonly sha256: string | null
  readonly bands: readonly HostBand[]
}

/** Files on one grid, which are combined into one GeoTIFF. */
export interface ArchiveHostAsset {
  readonly key: string
  /** If the files themselves declare none. */
  readonly nodata?: number
  readonly files: readonly ArchiveFile[]
}

export interface ArchiveScene {
  readonly scene: HostScene
  readonly assets: readonly ArchiveHostAsset[]
  /** The best first; without one, a quicklook is made from the pixels. */
  readonly previews: readonly ArchiveHostPreview[]
  /** The grid of the files, if the item states it. */
  readonly grid?: HostGrid | null
}

/** An image in the archive. */
export interface ArchiveHostPreview {
  readonly path: string
  /** The grid by fields of the asset in the item; null if they do not state it. */
  readonly grid: HostGrid | null
}

/** The scenes of an archive, newest first. */
export interface ArchiveIndex {
  scenes(signal?: AbortSignal): Promise<readonly ArchiveScene[]>
}

export interface ArchiveIndexOptions {
  readonly source: ArchiveHostStorage
  /** Items of other collections are not offered. */
  readonly collections: ReadonlySet<string>
  /** Only these assets are delivered; null delivers the GeoTIFF files with data. */
  readonly asset_keys: readonly string[] | null
  readonly refresh_ms: number
  /** Called with the number of invalid items, and an example. */
  readonly onInvalidItems?: (count: number, example: string) => void
}

const max_entries = 500_000
const max_scenes = 100_000
const max_json_bytes = 16 * 1024 * 1024

interface IndexedFile {
  readonly version: string
  readonly scenes: readonly ArchiveScene[]
  readonly invalid: number
}

/**
 * Reads all STAC items below the root: an item in a file of its own, as static catalogues have them, or many in a
 * feature collection. After `refresh_ms`, the next search lists the files again and reads those that changed; until
 * that is done, the scenes read so far are searched.
 */
export function createArchiveIndex(options: ArchiveIndexOptions): ArchiveIndex {
  let files: ReadonlyMap<string, IndexedFile> = new Map()
  let scenes: readonly ArchiveScene[] | null = null
  let read_at_ms = Number.NEGATIVE_INFINITY
  let reading: Promise<readonly ArchiveScene[]> | null = null

  const read = async (): Promise<readonly ArchiveScene[]> => {
    const entries = await options.source.list(max_entries)
    const next = await readFiles(options, entries, files)
    const isChanged =
      scenes === null || next.size !== files.size || [...next].some(([path, file]) => files.get(path) !== file)
    files = next
    if (isChanged || scenes === null) scenes = joinFiles(options, next)
    read_at_ms = monotonic_ms()
    return scenes
  }
  const refresh = (): Promise<readonly ArchiveScene[]> => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
  return {
    scenes: async () => {
      if (scenes === null) return refresh()
      // A failed refresh is tried again by the next search; the known scenes stay.
      if (monotonic_ms() - read_at_ms > options.refresh_ms) refresh().catch(() => undefined)
      return scenes
    },
  }
}

async function readFiles(
  options: ArchiveIndexOptions,
  entries: readonly ArchiveHostFile[],
  known: ReadonlyMap<string, IndexedFile>,
): Promise<Map<string, IndexedFile>> {
  const files = new Map<string, IndexedFile>()
  for (const { path, size, version } of entries) {
    if (!/\.(geo)?json$/i.test(path)) continue
    const old = known.get(path)
    if (old?.version === version) files.set(path, old)
    else files.set(path, await readItems(options, path, { size, version }))
  }
  return files
}

async function readItems(
  options: ArchiveIndexOptions,
  path: string,
  { size, version }: { readonly size: number; readonly version: string },
): Promise<IndexedFile> {
  if (size > max_json_bytes) return { version, scenes: [], invalid: 1 }
  try {
    const bytes = await options.source.read(path, max_json_bytes)
    const document = asObject(JSON.parse(new TextDecoder().decode(bytes)))
    const isItem = document['type'] === 'Feature'
    const features = isItem ? [document] : document['type'] === 'FeatureCollection' ? asArray(document['features']) : []
    const scenes = features.flatMap((feature) => toArchiveScene(options, path, feature) ?? [])
    return { version, scenes, invalid: features.length - scenes.length }
  } catch {
    return { version, scenes: [], invalid: 1 }
  }
}

/** The scenes of all files by id; of two items with one id the first by path counts. */
function joinFiles(options: ArchiveIndexOptions, files: ReadonlyMap<string, IndexedFile>): ArchiveScene[] {
  const byId = new Map<string, ArchiveScene>()
  const sorted = [...files].toSorted(([left], [right]) => (left < right ? -1 : 1))
  for (const [, file] of sorted)
    for (const scene of file.scenes)
      if (byId.size < max_scenes && !byId.has(scene.scene.id)) byId.set(scene.scene.id, scene)
  const invalid = sorted.filter(([, file]) => file.invalid > 0)
  const count = invalid.reduce((sum, [, file]) => sum + file.invalid, 0)
  if (count > 0) options.onInvalidItems?.(count, invalid[0]![0])
  return [...byId.values()].toSorted((left, right) => compareNewestFirst(left.scene, right.scene))
}

/** Null for an item that is invalid, of another collection, or without a file to deliver. */
function toArchiveScene(
  { source, collections, asset_keys }: ArchiveIndexOptions,
  itemPath: string,
  value: unknown,
): ArchiveScene | null {
  const item = readStacItem(value)
  if (!item || !collections.has(item.scene.collection)) return null
  const located = listDataAssets(item, asset_keys).flatMap((asset) => {
    const path = resolveArchiveFilePath(source.root, itemPath, asset.href)
    return path === null ? [] : [{ asset, path }]
  })
  if (located.length === 0) return null
  const keys = toUniqueAssetKeys(located.map(({ asset }) => asset.key))
  const bands = located.flatMap(({ asset }) => asset.bands.map(toEoBand))
  const { scene } = item
  return {
    scene: bands.length === 0 ? scene : { ...scene, properties: { ...scene.properties, 'eo:bands': bands } },
    assets: located.map(({ asset, path }, index) => toAsset(keys[index]!, asset, path)),
    previews: listPreviewAssets(item).flatMap(({ href, grid }) => {
      const path = resolveArchiveFilePath(source.root, itemPath, href)
      return path === null ? [] : [{ path, grid }]
    }),
    grid: item.grid,
  }
}

const toAsset = (key: string, { nodata, size, sha256, bands }: HostItemAsset, path: string): ArchiveHostAsset => ({
  key,
  ...(nodata === null ? {} : { nodata }),
  files: [{ path, bytes: size, sha256, bands }],
})

export const toEoBand = ({ name, common_name }: HostBand): Record<string, string> =>
  common_name === null ? { name } : { name, common_name }

/** The path below the root that an item refers to: relative to the item, or absolute within the root; else null. */
export function resolveArchiveFilePath(root: string, itemPath: string, href: string): string | null {
  const prefix = root.endsWith('/') ? root : `${root}/`
  const text = href.startsWith('file://') ? href.slice('file://'.length) : href
  const isAbsolute = text.startsWith(prefix)
  if (!isAbsolute && (/^[a-z][a-z0-9+.-]*:/i.test(text) || text.startsWith('/'))) return null
  const path = posix.normalize(isAbsolute ? text.slice(prefix.length) : posix.join(posix.dirname(itemPath), text))
  return path.startsWith('../') || path === '..' || path.startsWith('/') || path.includes('\0') ? null : path
}
