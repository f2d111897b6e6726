import { checkCancelled, RasterFailure } from '../failures.ts'
import { addSamples, finishStatistics, startStatistics } from '../math/running-statistics.ts'
import type { RunningStatistics } from '../math/running-statistics.ts'
import { comparableNodata, SAMPLE_TYPES, sampleTypeOf } from '../sample-types.ts'
import type { BandStatistics, PixelBlock } from '../types.ts'
import type { CogInput, CogOptions } from './cog-types.ts'
import { createCompressor } from './compress.ts'
import type { Compressor } from './compress.ts'
import type { CogPlan } from './layout.ts'
import { halveStrip } from './overview.ts'
import type { HalvingRules } from './overview.ts'
import { applyPredictor } from './predictor.ts'
import { appendBlock } from './spool.ts'
import type { Spool } from './spool.ts'
import { cutMaskTile, cutTile } from './strip.ts'
import type { Strip } from './strip.ts'

interface LevelWork {
  readonly height: number
  readonly spool: Spool
  /** Rows gathered for the next row of blocks; the full resolution brings its own. */
  readonly strip: Strip
  filled: number
  written: number
}

interface Work {
  readonly plan: CogPlan
  readonly rules: HalvingRules
  readonly levels: readonly LevelWork[]
  readonly compress: Compressor
  readonly compressMask: Compressor
  readonly signal: AbortSignal | undefined
}

const TILES_IN_FLIGHT = 4

/** Reads the image once, top to bottom, fills the spool of every level with its blocks and answers the statistics. */
export async function fillSpools(
  input: CogInput,
  plan: CogPlan,
  spools: readonly Spool[],
  options: CogOptions,
): Promise<BandStatistics[]> {
  const work = startWork(plan, spools, options)
  const { rules } = work
  const statistics = plan.bands.map(() => startStatistics(plan.sampleType))
  for (let top = 0; top < input.height; top += plan.block) {
    checkCancelled(options.signal)
    const rows = Math.min(plan.block, input.height - top)
    const block = await input.readRows(top, rows)
    checkRows(input, block, rows)
    const mask = plan.masked || rules.alphaBand >= 0 ? block.mask : null
    const bandStride = input.width * rows
    countSamples(statistics, block, mask, rules)
    await writeStrip(work, 0, { width: input.width, rows, bands: block.bands, data: block.data, bandStride, mask })
  }
  return statistics.map(finishStatistics)
}

function startWork(plan: CogPlan, spools: readonly Spool[], options: CogOptions): Work {
  const alphaBand = plan.bands.findIndex((band) => band.colour === 'alpha')
  const withMask = plan.masked || alphaBand >= 0
  const overviews = options.overviews ?? (plan.palette ? 'mode' : 'average')
  const levels = plan.levels.map(({ width, height }, index) => {
    // The full resolution is compressed straight from what is read.
    const rows = index === 0 ? 0 : Math.min(plan.block, height)
    const data = SAMPLE_TYPES[plan.sampleType].allocate(width * rows * plan.bands.length)
    const mask = withMask ? new Uint8Array(width * rows) : null
    const strip: Strip = { width, rows, bands: plan.bands.length, data, bandStride: width * rows, mask }
    return { height, spool: spools[index]!, strip, filled: 0, written: 0 }
  })
  const level = options.level ?? 3
  const runs = plan.sampleType === 'uint8' && plan.predictor === 2 && plan.bands.length >= 3
  return {
    plan,
    rules: {
      sampleType: plan.sampleType,
      nodata: comparableNodata(plan.nodata, plan.sampleType),
      resampling: typeof overviews === 'string' ? plan.bands.map(() => overviews) : overviews,
      alphaBand,
    },
    levels,
    compress: createCompressor(plan.compression, level, runs),
    compressMask: createCompressor('deflate', 6, false),
    signal: options.signal,
  }
}

function countSamples(
  statistics: readonly RunningStatistics[],
  block: PixelBlock,
  mask: Uint8Array | null,
  rules: HalvingRules,
): void {
  const count = block.width * block.height
  for (const [band, state] of statistics.entries()) {
    const alpha = band === rules.alphaBand
    addSamples(state, block.data, band * count, count, alpha ? null : mask, alpha ? null : rules.nodata)
  }
}

function checkRows(input: CogInput, block: PixelBlock, rows: number): void {
  const fits =
    block.width === input.width &&
    block.height === rows &&
    block.bands === input.bands.length &&
    block.data.length === block.width * block.height * block.bands &&
    sampleTypeOf(block.data) === input.sampleType
  if (!fits) throw new RasterFailure('request', 'the rows that were read do not have the shape of the image')
}

/** Writes one row of blocks of a level and passes its half on to the next level, which does likewise once it is full. */
async function writeStrip(work: Work, index: number, strip: Strip): Promise<void> {
  await writeTiles(work, work.levels[index]!.spool, strip)
  const next = work.levels[index + 1]
  if (!next) return
  halveStrip(strip, next.strip, next.filled, work.rules)
  next.filled += (strip.rows + 1) >> 1
  if (next.filled < work.plan.block && next.written + next.filled < next.height) return
  next.strip.rows = next.filled
  next.written += next.filled
  next.filled = 0
  await writeStrip(work, index + 1, next.strip)
}

async function writeTiles(work: Work, spool: Spool, strip: Strip): Promise<void> {
  const { block, sampleType, predictor, masked } = work.plan
  const columns = Math.ceil(strip.width / block)
  const pending: Promise<Uint8Array>[] = []
  const pressTile = (column: number): Promise<Uint8Array> =>
    work.compress(applyPredictor(cutTile(strip, sampleType, column, block), block, strip.bands, predictor))
  const start = (pressed: Promise<Uint8Array>): void => {
    // Awaited in order below; a failure before its turn must not count as unhandled.
    pressed.catch(() => undefined)
    pending.push(pressed)
  }
  try {
    for (let column = 0; column < columns; column++) {
      checkCancelled(work.signal)
      start(pressTile(column))
      if (masked) start(work.compressMask(cutMaskTile(strip, column, block)))
      while (pending.length >= TILES_IN_FLIGHT) await appendBlock(spool, await pending.shift()!)
    }
    while (pending.length > 0) await appendBlock(spool, await pending.shift()!)
  } finally {
    await Promise.allSettled(pending)
  }
}
