import { RasterFailure, checkCancelled } from '../../failures.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import { checkBandIndexes } from '../window/window.ts'
import type { RasterLevel, Raster, SampleType } from '../../types.ts'
import { createAccumulator } from './create-accumulator.ts'
import { type RasterFormula, createRasterFormula } from './formula.ts'
import type { MeasuredBandStatistics, RasterStatisticsOptions } from './measures.ts'
import type { AccumulatorOptions, MeasuredPiece } from './accumulator.ts'
import { type WindowPiecePlan, type PieceReadRequest, readWindowPieces } from './read-pieces.ts'
import type { ValidValueRules } from './value-chunk.ts'
import { findValidValueRules } from './value-rules.ts'
import { readWindow } from '../window/read-window.ts'

/** Evaluates a formula over pieces, one after the other, and visits the results. Failures are those of readWindow. */
async function readFormula(
  raster: Raster,
  formula: RasterFormula,
  plans: Iterable<WindowPiecePlan>,
  { level, budget_bytes, signal }: PieceReadRequest,
  visit: (piece: MeasuredPiece, place: number) => void,
): Promise<void> {
  for (const { window, runs, weights } of plans) {
    checkCancelled(signal)
    const block = await readWindow(raster, { level: level.index, window, bands: formula.bands, budget_bytes, signal })
    const { data, mask } = formula.apply(block)
    visit({ data, stride: 1, mask, runs: runs ?? Int32Array.of(0, data.length), weights }, 0)
  }
}

const default_budget_bytes = 268_435_456
/** Pixels that are worked on at a time: from a disk as fit the processor's cache, over a network as make few requests. */
const pieceBytes = { local: 4_194_304, remote: 16_777_216 }
/** Bytes of the accumulators of one band, and the most that its stored values may take. */
const accumulator_bytes = 4_194_304
const sample_bytes = 33_554_432
const max_counters = 2 ** 20
const max_percentiles = 1000
const max_bins = 65_536

/** The pixels of one level that are measured. */
export interface MeasuredWindow {
  readonly level: RasterLevel
  /** True where its pixels come with weights. */
  readonly weighted: boolean
  /** The most pixels that its pieces have together. */
  readonly size: number
  /** Its pieces, of at most that many pixels each; asked again for every pass. */
  readonly pieces: (pixels: number) => Iterable<WindowPiecePlan>
}

/** One band, or the formula, as it is measured. */
interface Subject {
  readonly band: number | null
  readonly type: SampleType
  readonly rules: ValidValueRules
}

/** Bands that are measured together. */
interface Group {
  readonly subjects: readonly Subject[]
  readonly formula: RasterFormula | null
  readonly budget: number
}

/** Checks what does not need the file; anything that cannot be is a `request` failure. */
export function checkMeasurementRequest(raster: Raster, request: RasterStatisticsOptions): void {
  const { bands, expression, percentiles = [], histogram, approximate_pixels: least, max_decoded_bytes: most } = request
  const refuse = (reason: string): never => {
    throw new RasterFailure('request', reason)
  }
  if (expression && bands) refuse('either bands or a formula can be measured')
  if (bands) checkBandIndexes(raster, bands)
  if (percentiles.length > max_percentiles) refuse(`at most ${max_percentiles} percentiles can be asked for`)
  if (!percentiles.every((percentile) => percentile >= 0 && percentile <= 100)) refuse('a percentile is 0 to 100')
  if (least !== undefined && !(least >= 1)) refuse('an approximate answer needs at least one pixel')
  if (most !== undefined && request.level !== undefined)
    refuse('either an overview or what it may cost can be asked for')
  if (!histogram) return
  const { bins, range } = histogram
  if (!Number.isInteger(bins) || bins < 1 || bins > max_bins) refuse(`a histogram has 1 to ${max_bins} bins`)
  if (range && !(range.every(Number.isFinite) && range[0] <= range[1])) refuse('the range of a histogram runs upwards')
}

/**
 * Measures all bands, or a formula, over some pixels of a raster, reading them piece by piece. Memory: the budget, however
 * large the image. 8- and 16-bit samples are read once; wider ones again where percentiles ask for it.
 */
export async function measureRasterWindow(
  raster: Raster,
  area: MeasuredWindow,
  request: RasterStatisticsOptions,
): Promise<MeasuredBandStatistics[]> {
  const budget = request.budget_bytes ?? default_budget_bytes
  if (request.expression) {
    const formula = createRasterFormula(raster, request.expression, request)
    const rules = { masked: true, nodata: null, scale: 1, offset: 0 }
    const subjects: Subject[] = [{ band: null, type: formula.type, rules }]
    return measureGroup(raster, area, request, { subjects, formula, budget })
  }
  const bands = request.bands ?? raster.bands.map((_, index) => index)
  const subjects = bands.map((band): Subject => {
    const rules = findValidValueRules(raster, area.level, band, request.scaled === true)
    return { band, type: raster.sampleType, rules }
  })
  const together = Math.max(1, Math.floor(budget / 4 / accumulator_bytes))
  const measured: MeasuredBandStatistics[] = []
  for (let at = 0; at < subjects.length; at += together) {
    const group = { subjects: subjects.slice(at, at + together), formula: null, budget }
    measured.push(...(await measureGroup(raster, area, request, group)))
  }
  return measured
}

async function measureGroup(
  raster: Raster,
  area: MeasuredWindow,
  request: RasterStatisticsOptions,
  group: Group,
): Promise<MeasuredBandStatistics[]> {
  const { subjects, formula, budget } = group
  const options = optionsOf(area, request, group)
  const meters = subjects.map((subject) => createAccumulator(subject.type, subject.rules, options, area.size))
  let open = [...subjects.keys()]
  let looked = 0
  for (let pass = 0; open.length > 0; pass++) {
    const bands = formula ? formula.bands : open.map((at) => subjects[at]!.band!)
    const plans = area.pieces(piecePixels(raster, bands.length, area.weighted, formula !== null, budget))
    const reading = { level: area.level, bands, budget_bytes: budget / 2, signal: request.signal }
    const visit = (piece: MeasuredPiece, place: number): void => {
      if (pass === 0 && place === 0) looked += massOf(piece)
      meters[open[place]!]!.add(piece)
    }
    await (formula
      ? readFormula(raster, formula, plans, reading, visit)
      : readWindowPieces(raster, plans, reading, visit))
    open = open.filter((at) => meters[at]!.endPass())
  }
  return meters.map((meter, at) => {
    const numbers = meter.finish()
    const valid_percent = looked > 0 ? Math.min(100, (100 * numbers.count) / looked) : 0
    return { band: subjects[at]!.band, valid_percent, ...numbers }
  })
}

function optionsOf(
  area: MeasuredWindow,
  request: RasterStatisticsOptions,
  { subjects, budget }: Group,
): AccumulatorOptions {
  const keptBytes = Math.min(sample_bytes, budget / 8 / subjects.length)
  return {
    percentiles: request.percentiles ?? [2, 98],
    histogram: request.histogram ?? null,
    classes: request.classes === true,
    weighted: area.weighted,
    most_kept: Math.floor(keptBytes / (area.weighted ? 16 : 8)),
    counters: Math.ceil(max_counters / subjects.length),
  }
}

/** Two pieces are held at a time: one is measured while the next is read. */
function piecePixels(raster: Raster, bands: number, weighted: boolean, formula: boolean, budget: number): number {
  const sampleBytes = sampleTypeProperties[raster.sampleType].bits / 8
  const wanted = raster.source.readSync ? pieceBytes.local : pieceBytes.remote
  const pixelBytes = bands * (sampleBytes + (formula ? 12 : 0)) + 1 + (weighted ? 8 : 0)
  return Math.max(1, Math.floor(Math.min(wanted, budget / 4) / pixelBytes))
}

function massOf({ runs, weights }: MeasuredPiece): number {
  let mass = 0
  for (let run = 0; run < runs.length; run += 2) {
    if (!weights) mass += runs[run + 1]!
    else for (let pixel = runs[run]!; pixel < runs[run]! + runs[run + 1]!; pixel++) mass += weights[pixel]!
  }
  return mass
}
