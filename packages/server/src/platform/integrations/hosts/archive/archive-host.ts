import { basename, join } from 'node:path'
import { createBoundedCache } from '../../../bounded-cache.ts'
import { withWorkFolder } from '../../../work-folder.ts'
import {
  HostRefusal,
  type HostBand,
  type HostFile,
  type HostQuicklook,
  type HostSceneFile,
  type ImageryHost,
} from '../../imagery-host.ts'
import { encodeDeliveryReference, decodeDeliveryReference } from '../delivery-reference.ts'
import { searchScenes } from '../search-scenes.ts'
import { findQuicklookGrids } from '../stac-grid.ts'
import { detectImageMediaType } from '../stac-item.ts'
import type { ArchiveHostAsset, ArchiveIndex, ArchiveScene } from './archive-index.ts'
import type { ArchiveHostStorage } from './archive-source.ts'

/** The metadata of a host and its offers, without its methods. */
export type HostMetadata = Pick<
  ImageryHost,
  | 'name'
  | 'title'
  | 'description'
  | 'access_model'
  | 'scope'
  | 'countries'
  | 'attribution'
  | 'license'
  | 'license_url'
  | 'providers'
  | 'eulas'
  | 'eula'
>

/** A file of a scene on this machine, with its bands in file order. */
export interface LocalBandFile {
  readonly path: string
  readonly bands: readonly HostBand[]
}

/** The files of one asset, which share a grid, and the longest side of their image. */
export interface QuicklookRequest {
  readonly files: readonly LocalBandFile[]
  /** If the files declare none. */
  readonly nodata: number | undefined
  readonly max_pixels: number
}

/** Renders a PNG. */
export type RenderQuicklook = (request: QuicklookRequest) => Promise<Uint8Array>

export interface ArchiveHostOptions {
  readonly metadata: HostMetadata & Pick<ImageryHost, 'collections'>
  readonly source: ArchiveHostStorage
  readonly index: ArchiveIndex
  readonly renderQuicklook: RenderQuicklook
}

const max_preview_bytes = 8 * 1024 * 1024
/** A file of a bucket is copied to make a quicklook from it, if it is not longer. */
const max_rendered_bytes = 256 * 1024 * 1024
const max_quicklooks = 1000
/** The longest sides; a smaller scene is not enlarged. */
const quicklook_pixels = 512
const thumbnail_pixels = 160

/**
 * A host over files that the operator owns. It delivers unchanged copies of them at once and keeps no orders: the order
 * reference contains the ordered scenes.
 */
export function createArchiveHost({ metadata, source, index, renderQuicklook }: ArchiveHostOptions): ImageryHost {
  const quicklooks = createBoundedCache<string, Promise<HostQuicklook | null>>({ max_entries: max_quicklooks })
  const findScenes = async (ids: readonly string[]): Promise<(ArchiveScene | undefined)[]> => {
    const scenes = await index.scenes()
    const wanted = new Set(ids)
    const byId = new Map(scenes.flatMap((one) => (wanted.has(one.scene.id) ? [[one.scene.id, one] as const] : [])))
    return ids.map((id) => byId.get(id))
  }

  /** Made once; failures are not cached. Shared by all waiting callers, so no single caller's signal aborts it. */
  const getImage = (scene: ArchiveScene, max_pixels: number): Promise<HostQuicklook | null> => {
    const key = `${max_pixels} ${scene.scene.id}`
    const found = quicklooks.get(key)
    if (found) return found
    const making = makeQuicklook(scene, source, (asset) => renderQuicklook({ ...asset, max_pixels }))
    quicklooks.set(key, making)
    making.catch(() => quicklooks.delete(key))
    return making
  }
  const findImage = async (id: string, max_pixels: number): Promise<HostQuicklook | null> => {
    const [scene] = await findScenes([id])
    return scene ? getImage(scene, max_pixels) : null
  }

  return {
    ...metadata,
    delivers_later: false,
    check: async () => void (await index.scenes()),
    search: async (search) =>
      searchScenes(
        (await index.scenes()).map(({ scene }) => scene),
        search,
      ),
    quicklook: (id) => findImage(id, quicklook_pixels),
    thumbnail: (id) => findImage(id, thumbnail_pixels),
    async sceneFiles(id) {
      const [found] = await findScenes([id])
      if (!found) return null
      const has_made_quicklook = found.previews.length === 0
      return { scene: found.scene, files: await locateSceneFiles(found, source), has_made_quicklook }
    },
    async place({ id, scenes: sceneIds }) {
      const found = await findScenes(sceneIds)
      const missing = found.indexOf(undefined)
      if (missing >= 0) throw new HostRefusal(`The host has no scene "${sceneIds[missing]}".`)
      return { reference: encodeDeliveryReference(id, sceneIds) }
    },
    async deliveries(reference) {
      const sceneIds = decodeDeliveryReference(reference)
      const found = await findScenes(sceneIds)
      const missing = found.indexOf(undefined)
      if (missing >= 0) return { state: 'refused', reason: `The host no longer has the scene "${sceneIds[missing]}".` }
      return { state: 'ready', files: found.flatMap((scene) => (scene ? listHostFiles(scene, source) : [])) }
    },
  }
}

type RenderAsset = (asset: Pick<QuicklookRequest, 'files' | 'nodata'>) => Promise<Uint8Array>

async function makeQuicklook(
  { assets, previews, grid: scene_grid = null }: ArchiveScene,
  source: ArchiveHostStorage,
  renderQuicklook: RenderAsset,
): Promise<HostQuicklook | null> {
  for (const { path, grid } of previews) {
    const bytes = await source.read(path, max_preview_bytes).catch(() => null)
    const media_type = bytes && detectImageMediaType(bytes)
    if (bytes && media_type) return { bytes, media_type, ...findQuicklookGrids({ grid, scene_grid }) }
  }
  const [asset] = assets
  return asset ? renderAsset(asset, source, renderQuicklook) : null
}

async function renderAsset(
  { files, nodata }: ArchiveHostAsset,
  source: ArchiveHostStorage,
  renderQuicklook: RenderAsset,
): Promise<HostQuicklook | null> {
  const local = files.map(({ path, bands }) => ({ path: source.localPath(path), bands }))
  const isLocal = (file: (typeof local)[number]): file is LocalBandFile => file.path !== null
  if (local.every(isLocal)) return toImage(await renderQuicklook({ files: local, nodata }))
  for (const { path } of files) if ((await source.size(path)) > max_rendered_bytes) return null
  return withWorkFolder(async (folder) => {
    const copies: LocalBandFile[] = []
    for (const [index, { path, bands }] of files.entries()) {
      const copy = join(folder, `${index}.tif`)
      await source.download(path, copy, AbortSignal.timeout(60_000))
      copies.push({ path: copy, bands })
    }
    return toImage(await renderQuicklook({ files: copies, nodata }))
  })
}

const toImage = (bytes: Uint8Array): HostQuicklook => ({ bytes, media_type: 'image/png', is_stretched: true })

const listHostFiles = ({ scene, assets }: ArchiveScene, source: ArchiveHostStorage): readonly HostFile[] =>
  assets.flatMap(({ key, nodata, files }) =>
    files.map(({ path, bytes, sha256, bands }): HostFile => ({
      scene: scene.id,
      asset: key,
      file_name: basename(path),
      size: bytes,
      sha256,
      bands,
      ...(nodata === undefined ? {} : { nodata }),
      download: (localPath, signal) => source.download(path, localPath, signal),
    })),
  )

/** The files of a scene, on this machine or in the bucket. */
async function locateSceneFiles({ assets }: ArchiveScene, source: ArchiveHostStorage): Promise<HostSceneFile[]> {
  const files: HostSceneFile[] = []
  for (const { key, nodata, files: listed } of assets) {
    for (const { path, bands } of listed) {
      files.push({ asset: key, bands, nodata: nodata ?? null, location: await source.locate(path) })
    }
  }
  return files
}
