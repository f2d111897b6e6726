import { vectorServiceKey } from '../../vectors/vector-worker/vector-worker.ts'
import { join } from 'node:path'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { openRasterFile, type CogResult, type Raster } from '@swath/raster'
import type { TaskContext } from '../../../engine/task.ts'
import type { HostBand, HostFile, ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { findHostCollection } from '../../catalog/hosts.ts'
import { buildSceneAttribution, buildLicenceLink } from '../../catalog/attribution.ts'
import type { DeliveredAsset, DeliveredItem } from '../../items/deliver.ts'
import { toStacLicence } from '../../items/stac/licence.ts'
import { readRasterMetadata } from '../../items/assets/read-raster-metadata.ts'
import { getItemFolder } from '../../items/item-folder.ts'
import { storeCog } from '../../tiles/store-cog.ts'
import { openHostFile } from './open-host-file.ts'
import { isHostDocumentFile, storeSceneDocuments } from './store-documents.ts'
import type { OrderCaptureRow, OrderRow } from '../store.ts'
import { getBackgroundRasterJobRunner, type OrganizationRasterJobRunner } from '../../tiles/raster-pool.ts'

/** An ordered area that leaves out less of a scene than this is the whole scene. */
const max_left_out = 0.0001

/**
 * The part of a scene to deliver: the ordered area within the footprint, whether the scene is sold by area or free; null for
 * the whole scene. What a provider acquires at a price of its own is delivered as it comes: the order named a target. Computed in
 * the vector worker, because it grows with the square of the positions.
 */
export async function findDeliveryArea(
  { processServices, signal }: Pick<TaskContext, 'processServices' | 'signal'>,
  { type, organization_id: organization }: Pick<OrderRow, 'type' | 'organization_id'>,
  host: ImageryHost,
  { scene, geometry }: OrderCaptureRow,
): Promise<AreaGeometry | null> {
  if (type === 'tasking' && !findHostCollection(host, scene)?.price) return null
  const footprint = scene.geometry as AreaGeometry
  const ordered = { area: geometry as AreaGeometry, footprint, isDelivered: true }
  const vectors = processServices.get(vectorServiceKey).forOwner({ organization, background: true })
  const [measured] = await vectors.measureCoverage([[ordered]], signal)
  const { km2, geometry: area } = measured!.covered
  const isWhole = km2 >= geometryArea_km2(footprint) * (1 - max_left_out)
  return isWhole ? null : area
}

/**
 * Fetches one scene and stores its assets: rasters as cloud-optimized GeoTIFFs with a thumbnail, documents as they are.
 */
export async function fetchOrderedScene(
  context: TaskContext,
  {
    order,
    capture,
    files,
    area,
    folder,
    signal,
  }: {
    readonly order: OrderRow
    readonly capture: OrderCaptureRow
    readonly files: readonly HostFile[]
    /** Null delivers the whole scene. */
    readonly area: AreaGeometry | null
    readonly folder: string
    readonly signal: AbortSignal
  },
): Promise<DeliveredAsset[]> {
  const jobs = getBackgroundRasterJobRunner(context.processServices, order.organization_id)
  const blobPrefix = getItemFolder(order.organization_id, capture.item_id)
  const assets: DeliveredAsset[] = []
  for (const { asset } of files)
    if (!/^[a-z][a-z0-9_]{0,99}$/.test(asset)) throw new Error('The host names an asset with an invalid key.')
  const rasters = files.filter((file) => !isHostDocumentFile(file))
  for (const [key, assetFiles] of Map.groupBy(rasters, (file) => file.asset)) {
    const path = join(folder, `${key}.tif`)
    const cogResult = await convertToCog({ jobs, assetFiles, area, folder, path, signal })
    const cog = await openRasterFile(path, { signal })
    try {
      const rasterMetadata = readRasterMetadata(
        cog,
        assetFiles.flatMap((part) => part.bands),
      )
      const { dataAsset, thumbnailAssets } = await storeCog({
        jobs,
        blobs: context.blobs,
        cogResult,
        cog,
        asset: {
          key,
          title: assetFiles.length === 1 ? (assetFiles[0]?.file_name ?? null) : null,
          blob_path: `${blobPrefix}/${key}.tif`,
          raster: rasterMetadata,
        },
        thumbnail: assets.length === 0 ? 'required' : 'none',
        thumbnail_blob_path: `${blobPrefix}/thumbnail.jpg`,
        signal,
      })
      assets.push(...thumbnailAssets, dataAsset)
    } finally {
      await cog.source.close()
    }
  }
  return [...assets, ...(await storeSceneDocuments(context, { files, blobPrefix, folder, signal }))]
}

async function convertToCog({
  jobs,
  assetFiles,
  area,
  folder,
  path,
  signal,
}: {
  readonly jobs: OrganizationRasterJobRunner
  readonly assetFiles: readonly HostFile[]
  readonly area: AreaGeometry | null
  readonly folder: string
  readonly path: string
  readonly signal: AbortSignal
}): Promise<CogResult> {
  const rasters: Raster[] = []
  try {
    const reading = { extent: area ? 'part' : 'whole', folder, signal } as const
    for (const part of assetFiles) rasters.push(withHostMetadata(await openHostFile(part, reading), part))
    const bandPlan = assetFiles.flatMap((part, raster) =>
      (rasters[raster]?.bands ?? []).map((_, band) => ({ raster, band, ...bandOptions(part.bands[band]) })),
    )
    return await jobs.run('copyToCog', rasters, { path, bands: bandPlan, ...(area ? { area } : {}) }, { signal })
  } finally {
    for (const raster of rasters) await raster.source.close()
  }
}

/** The raster, completed with the nodata value, scales and offsets of its host if the file has none. */
const withHostMetadata = (raster: Raster, part: HostFile): Raster => ({
  ...raster,
  nodata: raster.nodata ?? part.nodata ?? null,
  bands: raster.bands.map((band, index) => {
    const { scale, offset } = part.bands[index] ?? {}
    return band.scale === 1 && band.offset === 0 ? { ...band, scale: scale ?? 1, offset: offset ?? 0 } : band
  }),
})

const rgbNames = new Set(['red', 'green', 'blue'])

/** Options for writing a band: its host's name and color interpretation; categorical bands get nearest overviews. */
const bandOptions = (band: HostBand | undefined) => ({
  ...(band ? { name: band.name } : {}),
  ...(band?.common_name && rgbNames.has(band.common_name) ? { colour: band.common_name } : {}),
  ...(band?.categorical ? { overview: 'nearest' as const } : {}),
})

/** The item that a capture becomes: the metadata of its scene, with licence, attribution and provider. */
export function toDeliveredItem({
  order,
  capture,
  host,
  area,
  collection_id,
  assets,
}: {
  readonly order: OrderRow
  readonly capture: OrderCaptureRow
  readonly host: ImageryHost
  readonly area: AreaGeometry | null
  readonly collection_id: string
  readonly assets: readonly DeliveredAsset[]
}): DeliveredItem {
  const { scene } = capture
  const { datetime: _, start_datetime, end_datetime, 'eo:cloud_cover': cloud, gsd, ...rest } = scene.properties
  const toDate = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null)
  const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)
  return {
    id: capture.item_id,
    project_id: order.project_id,
    collection_id,
    order_id: order.id,
    scene_key: `${capture.host}:${capture.scene_id}`,
    name: scene.id,
    geometry: (area ?? scene.geometry) as Geometry,
    datetime: new Date(scene.datetime),
    start_datetime: toDate(start_datetime),
    end_datetime: toDate(end_datetime),
    cloud_cover: toNumber(cloud),
    gsd: toNumber(gsd),
    properties: {
      ...rest,
      license: toStacLicence(capture.licence),
      attribution: buildSceneAttribution(host, scene),
      providers: host.providers.map((provider) => ({ ...provider, roles: [...provider.roles] })),
      'service:scene_id': scene.id,
      'service:host': host.name,
      'service:licence': capture.licence,
    },
    links: [buildLicenceLink(host, scene, capture.licence)],
    assets,
  }
}
