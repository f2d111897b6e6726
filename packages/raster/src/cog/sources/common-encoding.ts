import { RasterFailure } from '../../failures.ts'
import { findEffectiveNodata } from '../../compute/window/validity.ts'
import { isNodataSample, computeNodataRange, sampleTypeProperties } from '../../sample-types.ts'
import type { SampleType } from '../../types.ts'
import type { JoinedSource } from './match-bands.ts'

/** How a sample of a file becomes one of the result: sample × factor + shift. */
export interface SampleConversion {
  readonly factor: number
  readonly shift: number
}

/** Samples that mean the same in all files. */
export interface CommonEncoding {
  readonly sampleType: SampleType
  /** Of each band of the result. */
  readonly scales: readonly Readonly<Record<'scale' | 'offset', number>>[]
  readonly nodata: number | null
  /** For each file, one for each band. */
  readonly conversions: readonly (readonly SampleConversion[])[]
}

const bandOf = ({ raster, bands }: JoinedSource, at: number) => raster.bands[bands[at]!]!

/** True if equal samples mean equal values in all files. */
export function haveEqualScales(sources: readonly JoinedSource[]): boolean {
  const first = sources[0]!
  return first.bands.every((_, at) =>
    sources.every(
      (source) =>
        bandOf(source, at).scale === bandOf(first, at).scale && bandOf(source, at).offset === bandOf(first, at).offset,
    ),
  )
}

/**
 * One scale and offset for each band of files that have different ones. Whole numbers stay exact: where all scales are
 * multiples of the smallest one, and all offsets lie whole steps of it apart, samples become whole steps from the smallest
 * offset, in the smallest type that holds all of them and a value for nodata. Else the result has the values themselves,
 * as floating point with NaN as nodata.
 *
 * @throws RasterFailure `request` where that cannot be, because a file has an alpha band.
 */
export function findCommonEncoding(sources: readonly JoinedSource[]): CommonEncoding {
  const whole = findWholeEncoding(sources)
  if (whole) return whole
  if (sources.some(({ raster }) => raster.alphaBand !== null))
    throw new RasterFailure(
      'request',
      'the files have different scales and offsets and an alpha band, so they have no common sample type',
    )
  const isWide = sources.some(({ raster }) => ['uint32', 'int32', 'float64'].includes(raster.sampleType))
  return {
    sampleType: isWide || !keepsDigits(sources) ? 'float64' : 'float32',
    scales: sources[0]!.bands.map(() => ({ scale: 1, offset: 0 })),
    nodata: Number.NaN,
    conversions: sources.map((source) =>
      source.bands.map((_, at) => ({ factor: bandOf(source, at).scale, shift: bandOf(source, at).offset })),
    ),
  }
}

const max_float32_steps = 2 ** 24

/** True if float32 keeps samples of 8 and 16 bits apart although an offset is added. */
const keepsDigits = (sources: readonly JoinedSource[]): boolean =>
  sources.every((source) =>
    source.bands.every((_, at) => {
      const { scale, offset } = bandOf(source, at)
      return Math.abs(offset / scale) + 65_535 <= max_float32_steps
    }),
  )

const scale_tolerance = 1e-9
const step_tolerance = 1e-4

/** The nearest whole number, or null where the value is none. */
function toWhole(value: number, tolerance: number): number | null {
  const near = Math.round(value)
  return Math.abs(value - near) <= tolerance + Math.abs(near) * 1e-14 ? near : null
}

function findWholeEncoding(sources: readonly JoinedSource[]): CommonEncoding | null {
  if (sources.some(({ raster }) => sampleTypeProperties[raster.sampleType].format === 3)) return null
  const bands = sources[0]!.bands.map((_, at) => findWholeSteps(sources, at))
  const scales: { scale: number; offset: number }[] = []
  const conversions = sources.map((): SampleConversion[] => [])
  for (const band of bands) {
    if (!band) return null
    scales.push({ scale: band.scale, offset: band.offset })
    for (const [index, conversion] of band.conversions.entries()) conversions[index]!.push(conversion)
  }
  const type = chooseWholeType(sources, conversions)
  return type && { ...type, scales, conversions }
}

interface WholeSteps {
  readonly scale: number
  readonly offset: number
  readonly conversions: readonly SampleConversion[]
}

function findWholeSteps(sources: readonly JoinedSource[], at: number): WholeSteps | null {
  const infos = sources.map((source) => bandOf(source, at))
  const { scale } = infos.reduce((least, info) => (info.scale < least.scale ? info : least))
  const { offset } = infos.reduce((least, info) => (info.offset < least.offset ? info : least))
  if (!(scale > 0)) return null
  const conversions: SampleConversion[] = []
  for (const info of infos) {
    const factor = toWhole(info.scale / scale, scale_tolerance)
    const shift = toWhole((info.offset - offset) / scale, step_tolerance)
    if (factor === null || shift === null) return null
    conversions.push({ factor, shift })
  }
  return { scale, offset, conversions }
}

const wholeTypes = ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32'] as const

/** The smallest type for all converted samples, with a value for nodata that none of them has; null if there is none. */
function chooseWholeType(
  sources: readonly JoinedSource[],
  conversions: readonly (readonly SampleConversion[])[],
): Pick<CommonEncoding, 'sampleType' | 'nodata'> | null {
  let [lowest, highest] = [Infinity, -Infinity]
  for (const [index, { raster }] of sources.entries()) {
    const ends = sampleTypeProperties[raster.sampleType]
    for (const { factor, shift } of conversions[index]!) {
      lowest = Math.min(lowest, ends.lowest * factor + shift)
      highest = Math.max(highest, ends.highest * factor + shift)
    }
  }
  const known = sources.flatMap(({ raster }) => findEffectiveNodata(raster) ?? [])
  for (const sampleType of wholeTypes) {
    const ends = sampleTypeProperties[sampleType]
    if (ends.lowest > lowest || ends.highest < highest) continue
    if (known.length === 0) return { sampleType, nodata: null }
    const isFree = (value: number): boolean =>
      computeNodataRange(value, sampleType) !== null && !isReached(value, sources, conversions)
    const nodata = [...known, ends.lowest, ends.highest].find(isFree)
    if (nodata !== undefined) return { sampleType, nodata }
  }
  return null
}

/** Whether a value stands for a valid sample of a file. */
const isReached = (
  value: number,
  sources: readonly JoinedSource[],
  conversions: readonly (readonly SampleConversion[])[],
): boolean =>
  sources.some(({ raster }, index) => {
    const { lowest, highest } = sampleTypeProperties[raster.sampleType]
    const range = computeNodataRange(findEffectiveNodata(raster), raster.sampleType)
    return conversions[index]!.some(({ factor, shift }) => {
      const sample = (value - shift) / factor
      return Number.isInteger(sample) && sample >= lowest && sample <= highest && !isNodataSample(sample, range)
    })
  })
