import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { RasterFailure } from '../failures.ts'
import { sampleTypeProperties } from '../sample-types.ts'
import type { Raster } from '../types.ts'
import { computeRasterStatistics } from '../compute/statistics/raster-statistics.ts'
import type { RasterStatistics, RasterStatisticsOptions } from '../compute/statistics/measures.ts'
import { computeZonalStatistics } from '../compute/statistics/zonal-statistics.ts'
import type { ExportProcess } from './exports/export-process.ts'
import { isVectorProcess, type VectorProcess } from './features/vector-process.ts'
import type { RasterProcess } from './process.ts'

/** Pixels of an overview that are read first: where one of them has a value, nothing else is read. */
const max_overview_pixels = 65_536
const max_overview_bytes = 64 * 2 ** 20
/** Samples of the full image that are read; of more the process itself will find out. */
const max_read_samples = 16_000_000
/** Sources whose overviews are read while a user waits for a short job: together a second. */
const max_overview_sources = 4

export interface SourceValuesRequest {
  readonly process: RasterProcess | VectorProcess | ExportProcess
  readonly signal?: AbortSignal
}

/** The pixels that a process reads of each of its sources. */
interface ReadPart {
  readonly area: AreaGeometry | null
  /** Undefined for all. */
  readonly bands: readonly number[] | undefined
  readonly signal: AbortSignal | undefined
}

const findReadPart = ({ process, signal }: SourceValuesRequest): ReadPart => ({
  area: 'area' in process ? (process.area ?? null) : null,
  bands: isVectorProcess(process) || process.name === 'sieve' ? [process.band] : undefined,
  signal,
})

/**
 * Says whether an overview of one of the first sources shows that a process has values to read. False says
 * nothing yet (`requireSourceValues`). Reads pixels only of files that can have pixels without a value.
 */
export async function findValuesInOverviews(
  rasters: readonly Raster[],
  request: SourceValuesRequest,
): Promise<boolean> {
  if (request.process.name === 'rasterize' || rasters.some((raster) => !canLackValues(raster))) return true
  const part = findReadPart(request)
  for (const raster of rasters.slice(0, max_overview_sources))
    if (await trueIfUnreadable(async () => holdsValues(await measureOverview(raster, part)))) return true
  return false
}

/**
 * Refuses a process whose sources have no value where it reads them, before it is paid for and runs. Reads pixels only of files
 * that can have pixels without a value; a file that cannot be read is left to the process.
 *
 * @throws RasterFailure `outside` for an area, a band or an image without values.
 */
export async function requireSourceValues(rasters: readonly Raster[], request: SourceValuesRequest): Promise<void> {
  // Its values are those of the areas.
  if (request.process.name === 'rasterize') return
  const part = findReadPart(request)
  for (const raster of rasters) if (await trueIfUnreadable(() => mayHoldValues(raster, part))) return
  if (part.area !== null)
    throw new RasterFailure(
      'outside',
      'the image has no data in the area: all of its pixels there are nodata; choose an area with data',
    )
  const what = part.bands === undefined ? 'the image' : 'the band'
  throw new RasterFailure('outside', `${what} has no data: all of its pixels are nodata; choose another one`)
}

/** False only if no pixel has a value. */
async function mayHoldValues(raster: Raster, part: ReadPart): Promise<boolean> {
  if (!canLackValues(raster)) return true
  const first = await measureOverview(raster, part)
  if (holdsValues(first)) return true
  if (!first.approximate) return false
  const [left, top, right, bottom] = first.window
  const level = raster.levels[first.level]!
  const shrunk = (raster.width / level.width) * (raster.height / level.height)
  const samples = (right - left) * (bottom - top) * shrunk * (part.bands ?? raster.bands).length
  return samples > max_read_samples || holdsValues(await measure(raster, part, { level: 0 }))
}

const measureOverview = (raster: Raster, part: ReadPart): Promise<RasterStatistics> =>
  measure(raster, part, { approximate_pixels: max_overview_pixels, max_decoded_bytes: max_overview_bytes })

function measure(
  raster: Raster,
  { area, bands, signal }: ReadPart,
  options: RasterStatisticsOptions,
): Promise<RasterStatistics> {
  const request = { ...options, bands, percentiles: [], signal }
  return area === null
    ? computeRasterStatistics(raster, request)
    : computeZonalStatistics(raster, area, { ...request, coverage: false })
}

async function trueIfUnreadable(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof RasterFailure && error.kind !== 'cancelled') return true
    throw error
  }
}

const holdsValues = ({ bands }: RasterStatistics): boolean => bands.some(({ valid_percent }) => valid_percent > 0)

/** True for a file whose pixels may have no value. */
const canLackValues = (raster: Raster): boolean =>
  raster.nodata !== null ||
  raster.alphaBand !== null ||
  raster.levels[0]!.mask !== null ||
  sampleTypeProperties[raster.sampleType].format === 3
