import { join } from 'node:path'
import { applyAffine } from '@swath/geo/affine.ts'
import { solveInverseGeodesic } from '@swath/geo/geodesic.ts'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import {
  computeLonLatBounds,
  computeRasterFootprint,
  openRasterFile,
  crsToLonLat,
  createCrsTransform,
  type CogResult,
  type Raster,
} from '@swath/raster'
import { Problem } from '../../engine/problem.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { AssetToAdd } from '../items/add-item.ts'
import type { RasterMetadata } from '../items/assets/raster-metadata.ts'
import { readRasterMetadata } from '../items/assets/read-raster-metadata.ts'
import { convertRasterFailures } from '../tiles/failures.ts'
import { storeCog } from '../tiles/store-cog.ts'
import type { OrganizationRasterJobRunner } from '../tiles/raster-pool.ts'

/** A local raster file to be converted to a COG in the object store. */
export interface RasterConversion {
  readonly jobs: OrganizationRasterJobRunner
  readonly blobs: BlobStore
  readonly path: string
  readonly size_bytes: number
  /** The file name of its sender. */
  readonly file_name: string
  readonly is_categorical: boolean
  readonly asset_key: string
  /** False if the item has a thumbnail already. */
  readonly thumbnail: boolean
  /** The local directory for temporary files. */
  readonly folder: string
  /** The prefix in the object store. */
  readonly blob_folder: string
  readonly signal: AbortSignal
  /** True where an attempt may have ended the process: this one works in another. */
  readonly isolated: boolean
}

export interface ConvertedRaster {
  readonly assets: readonly AssetToAdd[]
  readonly geometry: Geometry
  /** Metres; null if the grid does not define it. */
  readonly gsd: number | null
  /** The metadata of the file. */
  readonly metadata: Readonly<Record<string, string>>
  /** What was changed, as sentences for the sender. */
  readonly notes: readonly string[]
}

/** The decoded bytes that a file of any size may have, and those allowed in addition for each of its bytes. */
const min_decoded_allowance_bytes = 4 * 2 ** 30
const max_decoded_ratio = 250

/**
 * Converts a raster to a cloud-optimized GeoTIFF with overviews, statistics and a thumbnail, and stores it. Throws the
 * problems of unusable rasters: `unsupported-raster`, `budget-exceeded`.
 */
export async function convertRaster(conversion: RasterConversion): Promise<ConvertedRaster> {
  const { signal, isolated } = conversion
  const raster = await openFile(conversion.path, signal)
  try {
    await convertRasterFailures(async () => checkRasterBeforeConversion(raster, conversion.size_bytes))
    const path = join(conversion.folder, 'data.tif')
    const mode = { overview: 'mode' } as const
    const plan = conversion.is_categorical ? raster.bands.map((_, band) => ({ raster: 0, band, ...mode })) : null
    const cogResult = await conversion.jobs.run('copyToCog', [raster], { path, bands: plan }, { signal, isolated })
    return await storeConverted(conversion, raster, cogResult)
  } finally {
    await raster.source.close()
  }
}

const openFile = (path: string, signal: AbortSignal): Promise<Raster> =>
  convertRasterFailures(() => openRasterFile(path, { signal }))

const sampleBytes: Readonly<Record<Raster['sampleType'], number>> = {
  uint8: 1,
  int8: 1,
  uint16: 2,
  int16: 2,
  uint32: 4,
  int32: 4,
  float32: 4,
  float64: 8,
}

/**
 * Rejects early what would fail after long work: a raster without georeferencing, and one that claims far more pixels than
 * it can contain.
 */
export function checkRasterBeforeConversion(raster: Raster, size_bytes: number): void {
  // Its failure names the unsupported projection, code or body, which the advice below could not fix.
  if (raster.georeferenced && raster.crs.refusal !== undefined) createCrsTransform(raster.crs)
  if (!raster.georeferenced || raster.crs.proj4 === null) {
    const missing = raster.georeferenced ? 'coordinate reference system' : 'georeferencing'
    const advice = 'Add it, for example with gdal_translate -a_srs and -a_ullr, and upload the result.'
    throw new Problem('unsupported-raster', `The raster has no ${missing}. ${advice}`)
  }
  const decoded = raster.width * raster.height * raster.bands.length * sampleBytes[raster.sampleType]
  if (decoded > min_decoded_allowance_bytes + max_decoded_ratio * size_bytes) {
    const claims = `${raster.width} × ${raster.height} pixels of ${raster.bands.length} bands`
    throw new Problem(
      'budget-exceeded',
      `A file of ${size_bytes} bytes claims ${claims}. Crop it to the area with data.`,
    )
  }
  // For its failures: nothing is stored of a raster that has no place.
  computeRasterFootprint(raster)
  requireValidLatitudes(raster)
}

function requireValidLatitudes(raster: Raster): void {
  const [, south, , north] = computeLonLatBounds(raster)
  const latitude = Math.abs(south) > Math.abs(north) ? south : north
  if (Math.abs(latitude) <= 90) return
  const why = 'its coordinates are not those of its coordinate reference system.'
  throw new Problem(
    'unsupported-raster',
    `The raster reaches a latitude of ${Number(latitude.toFixed(3))} degrees: ${why} Set the right one, for example with gdal_translate -a_srs, and upload the result.`,
  )
}

async function storeConverted(
  conversion: RasterConversion,
  source: Raster,
  cogResult: CogResult,
): Promise<ConvertedRaster> {
  const cog = await openFile(cogResult.path, conversion.signal)
  try {
    const rasterMetadata = markCategorical(readRasterMetadata(cog, [], cogResult.statistics), conversion.is_categorical)
    const geometry = computeRasterFootprint(cog) as unknown as Geometry
    const gsd = measurePixelSize(cog)
    const { dataAsset, thumbnailAssets } = await storeCog({
      jobs: conversion.jobs,
      blobs: conversion.blobs,
      cogResult,
      cog,
      asset: {
        key: conversion.asset_key,
        title: conversion.file_name.slice(-200),
        blob_path: `${conversion.blob_folder}/data.tif`,
        raster: rasterMetadata,
      },
      thumbnail: conversion.thumbnail ? 'optional' : 'none',
      thumbnail_blob_path: `${conversion.blob_folder}/thumbnail.jpg`,
      signal: conversion.signal,
    })
    const assets = [dataAsset, ...thumbnailAssets]
    return { assets, geometry, gsd, metadata: source.metadata, notes: describeRenamedBands(source, rasterMetadata) }
  } finally {
    await cog.source.close()
  }
}

const describeRenamedBands = ({ bands }: Raster, stored: RasterMetadata): string[] =>
  bands.flatMap(({ name }, index) => {
    const unique = stored.bands[index]?.name ?? null
    return name === null || name === unique
      ? []
      : [`Two bands are called "${name.slice(0, 100)}"; band ${index + 1} is now "${unique?.slice(0, 110)}".`]
  })

const markCategorical = (rasterMetadata: RasterMetadata, is_categorical: boolean): RasterMetadata =>
  is_categorical
    ? { ...rasterMetadata, bands: rasterMetadata.bands.map((band) => ({ ...band, categorical: true })) }
    : rasterMetadata

/** The height of the center pixel in metres on the ground, to three digits. */
export function measurePixelSize(raster: Raster): number | null {
  const [column, row] = [raster.width / 2, raster.height / 2]
  const toPosition = (rowAt: number) => crsToLonLat(raster.crs, ...applyAffine(raster.affine, column, rowAt))
  const metres = solveInverseGeodesic(...toPosition(row - 0.5), ...toPosition(row + 0.5))?.metres
  return metres !== undefined && metres > 0 ? Number(metres.toPrecision(3)) : null
}
