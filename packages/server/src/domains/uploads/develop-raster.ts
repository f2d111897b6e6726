import { join } from 'node:path'
import { applyAffine } from '@swath/geo/affine.ts'
import { findGeodesic } from '@swath/geo/geodesic.ts'
import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { footprint, openRasterFile, toLonLat, transformOf, type CogResult, type Raster } from '@swath/raster'
import type { WorkOwner } from '../../engine/fair-queue.ts'
import { Problem } from '../../engine/problem.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { AddedAsset } from '../items/add-item.ts'
import type { RasterFacts } from '../items/raster-facts.ts'
import { rasterFactsOf } from '../items/read-raster-facts.ts'
import { develop } from '../rendering/darkroom.ts'
import { withProblems } from '../rendering/failures.ts'
import { drawItemThumbnail, storeCog, storeThumbnail } from '../rendering/store-cog.ts'

/** A local raster file to be converted to a COG in the object store. */
export interface RasterWork {
  readonly owner: WorkOwner
  readonly blobs: Blobs
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
}

export interface DevelopedRaster {
  readonly assets: readonly AddedAsset[]
  readonly geometry: Geometry
  /** Metres; null if the grid does not define it. */
  readonly gsd: number | null
  /** The metadata of the file. */
  readonly metadata: Readonly<Record<string, string>>
}

/** The decoded bytes that a file of any size may have, and those allowed in addition for each of its bytes. */
const free_bytes = 4 * 2 ** 30
const most_ratio = 250

/**
 * Converts a raster to a cloud-optimized GeoTIFF with overviews, statistics and a thumbnail, and stores it. Throws the
 * problems of unusable rasters: `unsupported-raster`, `budget-exceeded`.
 */
export async function developRaster(work: RasterWork): Promise<DevelopedRaster> {
  const { signal } = work
  const raster = await openFile(work.path, signal)
  try {
    await withProblems(async () => checkRaster(raster, work.size_bytes))
    const path = join(work.folder, 'data.tif')
    const mode = { overview: 'mode' } as const
    const plan = work.is_categorical ? raster.bands.map((_, band) => ({ raster: 0, band, ...mode })) : null
    const written = await develop(work.owner, 'copyToCog', [raster], { path, bands: plan }, signal)
    return await keep(work, raster, written)
  } finally {
    await raster.source.close()
  }
}

const openFile = (path: string, signal: AbortSignal): Promise<Raster> =>
  withProblems(() => openRasterFile(path, { signal }))

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
function checkRaster(raster: Raster, size_bytes: number): void {
  // Its failure names the unsupported projection, code or body, which the advice below could not fix.
  if (raster.georeferenced && raster.crs.refusal !== undefined) transformOf(raster.crs)
  if (!raster.georeferenced || raster.crs.proj4 === null) {
    const lacks = raster.georeferenced ? 'coordinate reference system' : 'georeferencing'
    const advice = 'Add it, for example with gdal_translate -a_srs and -a_ullr, and upload the result.'
    throw new Problem('unsupported-raster', `The raster has no ${lacks}. ${advice}`)
  }
  const decoded = raster.width * raster.height * raster.bands.length * sampleBytes[raster.sampleType]
  if (decoded > free_bytes + most_ratio * size_bytes) {
    const claims = `${raster.width} × ${raster.height} pixels of ${raster.bands.length} bands`
    throw new Problem(
      'budget-exceeded',
      `A file of ${size_bytes} bytes claims ${claims}. Crop it to the area with data.`,
    )
  }
  footprint(raster)
}

async function keep(work: RasterWork, source: Raster, written: CogResult): Promise<DevelopedRaster> {
  const cog = await openFile(written.path, work.signal)
  try {
    const facts = withClasses(rasterFactsOf(cog, [], written.statistics), work.is_categorical)
    const picture = work.thumbnail ? await keepThumbnail(work, cog, facts) : []
    const geometry = footprint(cog) as unknown as Geometry
    const gsd = pixelSize(cog)
    const data = await storeCog(work.blobs, written, {
      key: work.asset_key,
      title: work.file_name.slice(-200),
      blob_path: `${work.blob_folder}/data.tif`,
      raster: facts,
    })
    return { assets: [data, ...picture], geometry, gsd, metadata: source.metadata }
  } finally {
    await cog.source.close()
  }
}

const withClasses = (facts: RasterFacts, is_categorical: boolean): RasterFacts =>
  is_categorical ? { ...facts, bands: facts.bands.map((band) => ({ ...band, categorical: true })) } : facts

/** Without a thumbnail if it cannot be rendered in time. */
async function keepThumbnail(work: RasterWork, cog: Raster, facts: RasterFacts): Promise<AddedAsset[]> {
  const bytes = await drawItemThumbnail(work.owner, cog, facts, work.signal).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
  return bytes === null ? [] : [await storeThumbnail(work.blobs, bytes, `${work.blob_folder}/thumbnail.jpg`)]
}

/** The height of the center pixel in metres on the ground, to three digits. */
function pixelSize(raster: Raster): number | null {
  const [column, row] = [raster.width / 2, raster.height / 2]
  const place = (down: number) => toLonLat(raster.crs, ...applyAffine(raster.affine, column, down))
  const metres = findGeodesic(...place(row - 0.5), ...place(row + 0.5))?.metres
  return metres !== undefined && metres > 0 ? Number(metres.toPrecision(3)) : null
}
