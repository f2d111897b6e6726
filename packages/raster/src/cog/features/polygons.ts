import { applyAffine } from '@swath/geo/affine.ts'
import { requireGeoreferenced } from '../../formats/crs/require-georeferenced.ts'
import { crsToLonLat } from '../../formats/crs/crs.ts'
import { checkCancelled, RasterFailure } from '../../failures.ts'
import { isNodataSample, emptyNodataRange } from '../../sample-types.ts'
import { findNodataRange } from '../../compute/window/validity.ts'
import type { PixelRows, Raster } from '../../types.ts'
import { createRowReader } from '../sources/row-reader.ts'
import type { FeatureFile, FeatureWriteOptions } from './feature-file.ts'
import { TooManyBoundaryVertices } from './boundary-vertices.ts'
import { createPolygonTracer, type PixelAreaFeature } from './polygon-tracer.ts'
import { roundUpToNiceNumber } from './suggest-interval.ts'
import type { PixelRing } from './split-ring.ts'

export interface PolygonizeOptions {
  /** 0-based. */
  readonly band: number
  /** 4: pixels touch at their sides; 8: also at their corners. */
  readonly connectedness: 4 | 8
}

/** Rows of pixels that are traced between two looks at the signal. */
const rows_at_once = 64
/** The limits of a vector item: a file with more is not useful as a map. */
const polygonLimits = { features: 1_000_000, positions: 5_000_000, feature_positions: 1_000_000 }
/** An area of few pixels has up to two corners for each of them, and boundaries belong to two areas. */
const sieve_safety = 4
/** Sides get a position at every column and row that this divides, because they are no straight lines in degrees. */
const pixels_per_position = 64

/**
 * Writes the areas of equal samples of a band as polygons with their `value`, in degrees, as gdal_polygonize does. Samples are
 * taken as they are stored; pixels without a value have no polygon. Positions are corners of pixels, and neighbours share them.
 *
 * @throws RasterFailure `request` for a band that is not there, `no_georeference`, `budget` for more than a million features,
 * five million positions, or a million positions of one feature.
 */
export async function writePolygonizedRaster(
  raster: Raster,
  file: FeatureFile,
  { band, connectedness }: PolygonizeOptions,
  { signal, progress }: FeatureWriteOptions,
): Promise<void> {
  validatePolygonizeRequest(raster, { band, connectedness })
  const { width, height } = raster
  const add = createFeatureAdder(raster, file)
  const tracer = createPolygonTracer(width, { connectedness, max_vertices: polygonLimits.positions }, add)
  const read = createRowReader(raster, [band], [0, 0, width, height], signal)
  const toValues = createValueReader(raster)
  try {
    for (let top = 0; top < height; top += rows_at_once) {
      checkCancelled(signal)
      const rows = Math.min(rows_at_once, height - top)
      const values = toValues(await read(top, rows))
      for (let row = 0; row < rows; row++) tracer.add(values.subarray(row * width, (row + 1) * width))
      await file.flush()
      progress(Math.floor((1000 * (top + rows)) / height))
    }
    tracer.finish()
  } catch (error) {
    throw error instanceof TooManyBoundaryVertices ? nameSieve(raster, band) : error
  }
}

/** Throws what `writePolygonizedRaster` throws before it reads. */
export function validatePolygonizeRequest(raster: Raster, { band }: PolygonizeOptions): void {
  requireGeoreferenced(raster)
  if (!raster.bands[band]) throw new RasterFailure('request', `the file has no band ${band + 1}`)
}

/** Samples of one band as numbers; NaN where there is none. */
function createValueReader(raster: Raster): (rows: PixelRows) => Float64Array {
  const missing = findNodataRange(raster) ?? emptyNodataRange
  return ({ data, mask }) => {
    const values = new Float64Array(data.length)
    for (let at = 0; at < data.length; at++)
      values[at] = (mask !== null && mask[at] === 0) || isNodataSample(data[at]!, missing) ? Number.NaN : data[at]!
    return values
  }
}

/** Adds features of pixels to a file, and counts them. */
function createFeatureAdder(raster: Raster, file: FeatureFile): (feature: PixelAreaFeature) => void {
  const toRing = createRingConverter(raster)
  let [features, positions] = [0, 0]
  return ({ value, polygons }) => {
    const coordinates = polygons.map((polygon) => polygon.map(toRing))
    const added = coordinates.flat().reduce((sum, ring) => sum + ring.length, 0)
    features++
    positions += added
    if (
      features > polygonLimits.features ||
      positions > polygonLimits.positions ||
      added > polygonLimits.feature_positions
    )
      throw new TooManyBoundaryVertices()
    const [first, ...others] = coordinates
    file.add(others.length === 0 ? { type: 'Polygon', coordinates: first! } : { type: 'MultiPolygon', coordinates }, {
      value,
    })
  }
}

/**
 * Returns a failure that suggests a sieve: sieved areas have at least `min_pixels` pixels, except those whose
 * neighbours are all small.
 */
function nameSieve({ width, height }: Raster, band: number): RasterFailure {
  const min_pixels = Math.max(2, roundUpToNiceNumber((sieve_safety * width * height) / polygonLimits.positions))
  const limits = `${polygonLimits.features} areas or ${polygonLimits.positions} corners of them`
  return new RasterFailure(
    'budget',
    `the band ${band + 1} has more than ${limits}; name a band of classes, or sieve it first with min_pixels of ${min_pixels} or more`,
  )
}

/** Rings of pixels as closed rings in degrees: outer ones against the clock (RFC 7946), also of an image that is mirrored. */
function createRingConverter({ affine, crs }: Raster): (ring: PixelRing) => (readonly [number, number])[] {
  const isMirrored = affine[1] * affine[5] - affine[2] * affine[4] > 0
  return (ring) => {
    const corners = isMirrored ? ring.toReversed() : ring
    const positions: (readonly [number, number])[] = []
    const add = (x: number, y: number): void => void positions.push(crsToLonLat(crs, ...applyAffine(affine, x, y)))
    for (const [at, corner] of corners.entries()) {
      add(corner.x, corner.y)
      const next = corners[(at + 1) % corners.length]!
      if (!crs.geographic) for (const [x, y] of positionsBetween(corner, next)) add(x, y)
    }
    positions.push(positions[0]!)
    return positions
  }
}

/** Positions on a side between two corners of a ring, without them. */
function* positionsBetween(from: PixelRing[number], to: PixelRing[number]): Generator<[x: number, y: number]> {
  const isAcross = from.y === to.y
  const [begin, end] = isAcross ? [from.x, to.x] : [from.y, to.y]
  const step = begin < end ? pixels_per_position : -pixels_per_position
  const round = begin < end ? Math.floor : Math.ceil
  for (let at = round(begin / pixels_per_position) * pixels_per_position + step; (end - at) * step > 0; at += step)
    yield isAcross ? [at, from.y] : [from.x, at]
}
