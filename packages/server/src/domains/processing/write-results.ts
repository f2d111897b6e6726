import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import {
  computeRasterFootprint,
  openRasterFile,
  type BandStatistics,
  type CogResult,
  type Raster,
  type RasterProcess,
} from '@swath/raster'
import { Problem } from '../../engine/problem.ts'
import type { AssetToAdd } from '../items/add-item.ts'
import { readRasterMetadata } from '../items/assets/read-raster-metadata.ts'
import { convertRasterFailures } from '../tiles/failures.ts'
import { storeCog } from '../tiles/store-cog.ts'
import { measurePixelSize } from '../uploads/convert-raster.ts'
import {
  isRasterPlanAsset,
  isVectorPlanAsset,
  getRunFolder,
  type JobPlanItem,
  type RasterPlanAsset,
} from './job-plan.ts'
import type { JobResultWriter } from './jobs/result-writer.ts'
import { writeExportAsset } from './jobs/write-export.ts'
import { writeFeatureAsset } from './jobs/write-features.ts'

/** An item whose files are in blob storage. */
export interface WrittenItem {
  readonly plan: JobPlanItem
  readonly geometry: Geometry
  /** Metres; null if the grid does not define it. */
  readonly gsd: number | null
  readonly assets: readonly AssetToAdd[]
  /** What its user should know about the files, in sentences. */
  readonly notes: readonly string[]
}

/** Computes the files of an item and stores them. Throws `validation` for a result without any valid pixel. */
export async function computeAndStoreItemFiles(writer: JobResultWriter, plan: JobPlanItem): Promise<WrittenItem> {
  const assets: AssetToAdd[] = []
  const notes: string[] = []
  let geometry: Geometry | null = null
  let gsd: number | null = null
  for (const [index, asset] of plan.assets.entries()) {
    if (!isRasterPlanAsset(asset)) {
      const written = isVectorPlanAsset(asset)
        ? await writeFeatureAsset(writer, plan, asset)
        : await writeExportAsset(writer, plan, asset)
      assets.push(...written.assets)
      geometry ??= written.geometry
      continue
    }
    const path = join(writer.folder, `${plan.id}-${index}.tif`)
    const cogResult = await writer.createCog(asset, path)
    requireValidPixels(asset, cogResult.statistics)
    notes.push(...cogResult.notes)
    const cog = await convertRasterFailures(() => openRasterFile(path, { signal: writer.signal }))
    try {
      assets.push(...(await storeAsset(writer, { plan, asset, cogResult, cog, isFirst: index === 0 })))
      geometry ??= await resultGeometry(writer, cog, asset.process)
      gsd ??= measurePixelSize(cog)
    } finally {
      await cog.source.close()
    }
  }
  if (geometry === null) throw new Error('a planned item has at least one asset')
  return { plan, geometry, gsd, assets, notes }
}

function requireValidPixels({ key }: RasterPlanAsset, statistics: readonly BandStatistics[]): void {
  if (statistics.some(({ valid_percent }) => valid_percent > 0)) return
  throw new Problem(
    'unsupported-raster',
    `The result "${key}" has no valid pixel: the sources have no data there, or the formula gives no number anywhere.`,
  )
}

async function storeAsset(
  { organization, run, blobs, jobs, signal }: JobResultWriter,
  {
    plan,
    asset,
    cogResult,
    cog,
    isFirst,
  }: {
    readonly plan: JobPlanItem
    readonly asset: RasterPlanAsset
    readonly cogResult: CogResult
    readonly cog: Raster
    readonly isFirst: boolean
  },
): Promise<AssetToAdd[]> {
  const metadata = readRasterMetadata(cog, asset.bands, cogResult.statistics)
  const bands = asset.is_categorical ? metadata.bands.map((band) => ({ ...band, categorical: true })) : metadata.bands
  const folder = getRunFolder(organization, plan.id, run)
  const { dataAsset, thumbnailAssets } = await storeCog({
    jobs,
    blobs,
    cogResult,
    cog,
    asset: {
      key: asset.key,
      title: asset.title,
      blob_path: `${folder}/${buildAssetBlobName(asset.key, isFirst)}.tif`,
      raster: { ...metadata, bands },
    },
    thumbnail: isFirst ? 'optional' : 'none',
    thumbnail_blob_path: `${folder}/thumbnail.jpg`,
    signal,
  })
  return [dataAsset, ...thumbnailAssets]
}

const max_slug_length = 60

/**
 * The name of the file of an asset, without its ending. Keys of assets may have any characters and any length; the
 * start of the SHA-256 of the whole key distinguishes those whose letters and digits are the same.
 */
export const buildAssetBlobName = (key: string, isFirst: boolean): string => {
  if (isFirst) return 'data'
  const words = key.toLowerCase().split(/[^a-z0-9]+/)
  const slug = words.filter((word) => word !== '').join('-')
  const digest = createHash('sha256').update(key).digest('hex')
  return `asset-${slug.slice(0, max_slug_length) || 'file'}-${digest.slice(0, 16)}`
}

const outline_timeout_ms = 20_000

/**
 * The footprint of the image, within the area that it was clipped to. Computed in a thread, because it grows with the square of the
 * positions; where it takes too long or too much memory, the footprint alone.
 */
async function resultGeometry(
  { jobs, signal }: JobResultWriter,
  cog: Raster,
  process: RasterProcess,
): Promise<Geometry> {
  const outline = computeRasterFootprint(cog) as unknown as Geometry
  const area = 'area' in process ? process.area : undefined
  if (!area) return outline
  const timeout = AbortSignal.timeout(outline_timeout_ms)
  try {
    const limited = { signal: AbortSignal.any([signal, timeout]) }
    const within = await jobs.run('footprintWithin', [cog], { area }, limited)
    return (within ?? outline) as unknown as Geometry
  } catch (error) {
    const isTooCostly = timeout.aborted || (error instanceof Problem && error.problem === 'budget-exceeded')
    if (signal.aborted || !isTooCostly) throw error
    return outline
  }
}
