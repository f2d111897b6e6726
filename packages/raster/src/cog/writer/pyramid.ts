import { checkCancelled, RasterFailure } from '../../failures.ts'
import { startImageRowStatistics } from '../../compute/statistics/statistics.ts'
import { computeNodataRange, sampleTypeProperties, getSampleTypeOfArray } from '../../sample-types.ts'
import type { BandStatistics, PixelRows } from '../../types.ts'
import { createBlockQueue } from './block-queue.ts'
import type { CompressedBlockQueue } from './block-queue.ts'
import type { CogPlan } from './cog-plan.ts'
import type { CogInput } from './cog-types.ts'
import { createBlockCompressor } from './compress.ts'
import { downsampleStrip } from './downsample.ts'
import type { DownsamplingRules } from './downsample.ts'
import type { BlockCompressor, BlockCompression } from './packing.ts'
import type { SpillFile } from './spill-file.ts'
import { createImageStrip } from './strip.ts'
import type { ImageStrip } from './strip.ts'
import { cutMaskTile, cutTileFromStrip, isEmptyTile } from './tile.ts'
import type { TileShape } from './tile.ts'

interface LevelWork {
  readonly height: number
  readonly spool: SpillFile
  /** Rows gathered for the next row of blocks; the full resolution brings its own. */
  readonly strip: ImageStrip
  filled: number
  written: number
}

interface Work {
  readonly plan: CogPlan
  readonly rules: DownsamplingRules
  readonly levels: readonly LevelWork[]
  readonly queue: CompressedBlockQueue
  readonly shape: TileShape
  /** A row of a tile that holds nothing, where such tiles are left out. */
  readonly empty: Buffer | null
  readonly pack: BlockCompressor
  readonly packMask: BlockCompressor
  /** Tiles that were packed, to be cut into again. */
  readonly spare: Uint8Array[]
  readonly tileBytes: number
  readonly signal: AbortSignal | undefined
}

/** Bytes of tiles that are on their way to the spools, and how many tiles at least and at most. */
const bytes_in_flight = 8_388_608
const tilesInFlight = { least: 3, most: 16 }

/** Reads the image once, top to bottom, fills the spool of every level with its blocks and answers the statistics. */
export async function fillSpillFiles(
  input: CogInput,
  plan: CogPlan,
  spools: readonly SpillFile[],
  signal: AbortSignal | undefined,
): Promise<BandStatistics[]> {
  const work = startWork(plan, spools, signal)
  const { sampleType, nodata, alphaBand } = work.rules
  const statistics = startImageRowStatistics(sampleType, plan.bands.length, nodata, alphaBand)
  try {
    for (let top = 0; top < input.height; top += plan.block) {
      checkCancelled(signal)
      const rows = Math.min(plan.block, input.height - top)
      const read = await input.readRows(top, rows)
      checkRows(input, read, rows)
      const strip = { ...read, mask: maskOf(read, work) }
      statistics.add(strip)
      await writeStrip(work, 0, strip)
    }
    await work.queue.finish()
  } finally {
    await work.queue.settle()
  }
  return statistics.finish()
}

function startWork(plan: CogPlan, spools: readonly SpillFile[], signal: AbortSignal | undefined): Work {
  const { block, bands, sampleType } = plan
  const alphaBand = bands.findIndex((band) => band.colour === 'alpha')
  const sampleBytes = (sampleTypeProperties[sampleType].bits / 8) as 1 | 2 | 4 | 8
  const tileBytes = block * block * bands.length * sampleBytes
  const flying = Math.ceil(bytes_in_flight / tileBytes)
  const levels = plan.levels.map(({ width, height }, index) => {
    const rows = index === 0 ? 0 : Math.min(block, height)
    const strip = createImageStrip(sampleType, width, rows, bands.length, plan.masked || alphaBand >= 0)
    return { height, spool: spools[index]!, strip, filled: 0, written: 0 }
  })
  const { compression, level, quality, lossless } = plan
  const packing: BlockCompression = {
    compression,
    level,
    quality,
    lossless,
    block,
    channels: bands.length,
    rowBytes: tileBytes / block,
    predicted: plan.predictor !== 1,
  }
  return {
    plan,
    rules: {
      sampleType,
      // The mask of a file decides alone, for the file that is written as for any other.
      nodata: plan.masked ? null : computeNodataRange(plan.nodata, sampleType),
      resampling: plan.overviews,
      alphaBand,
    },
    levels,
    queue: createBlockQueue(Math.min(tilesInFlight.most, Math.max(tilesInFlight.least, flying))),
    shape: { block, sampleBytes, predictor: plan.predictor, repeatsEdge: plan.compression === 'jpeg' },
    empty: plan.sparse ? emptyRow(plan) : null,
    pack: createBlockCompressor(packing),
    packMask: createBlockCompressor({ ...packing, compression: 'deflate', level: 6, predicted: false }),
    spare: [],
    tileBytes,
    signal,
  }
}

function emptyRow({ sampleType, block, bands, nodata }: CogPlan): Buffer {
  const { buffer } = sampleTypeProperties[sampleType].allocate(block * bands.length).fill(nodata ?? 0)
  return Buffer.from(buffer)
}

/** The mask beside nodata, from a mask or the alpha band; null if there is neither. */
function maskOf({ data, bands, mask }: PixelRows, { plan, rules }: Work): Uint8Array | null {
  if (!plan.masked && rules.alphaBand < 0) return null
  if (mask !== null || rules.alphaBand < 0) return mask
  const alpha = new Uint8Array(data.length / bands)
  for (let pixel = 0; pixel < alpha.length; pixel++)
    alpha[pixel] = data[pixel * bands + rules.alphaBand] === 0 ? 0 : 255
  return alpha
}

function checkRows(input: CogInput, read: PixelRows, rows: number): void {
  const fits =
    read.width === input.width &&
    read.rows === rows &&
    read.bands === input.bands.length &&
    read.data.length === read.width * rows * read.bands &&
    getSampleTypeOfArray(read.data) === input.sampleType
  if (!fits) throw new RasterFailure('request', 'the rows that were read do not have the shape of the image')
}

/** Writes one row of blocks of a level and passes its half on to the next level, which does likewise once it is full. */
async function writeStrip(work: Work, index: number, strip: ImageStrip): Promise<void> {
  await writeTiles(work, work.levels[index]!.spool, strip)
  const next = work.levels[index + 1]
  if (!next) return
  downsampleStrip(strip, next.strip, next.filled, work.rules)
  next.filled += (strip.rows + 1) >> 1
  if (next.filled < work.plan.block && next.written + next.filled < next.height) return
  next.strip.rows = next.filled
  next.written += next.filled
  next.filled = 0
  await writeStrip(work, index + 1, next.strip)
}

async function writeTiles(work: Work, spool: SpillFile, strip: ImageStrip): Promise<void> {
  const { queue, plan, empty } = work
  const columns = Math.ceil(strip.width / plan.block)
  for (let column = 0; column < columns; column++) {
    checkCancelled(work.signal)
    const isEmpty =
      empty !== null && isEmptyTile(plan.masked ? strip : { ...strip, mask: null }, column, plan.block, empty)
    await queue.add(spool, isEmpty ? null : packTile(work, strip, column))
    if (plan.masked) await queue.add(spool, isEmpty ? null : work.packMask(cutMaskTile(strip, column, plan.block)))
  }
}

async function packTile(work: Work, strip: ImageStrip, column: number): Promise<readonly Uint8Array[]> {
  const tile = work.spare.pop() ?? new Uint8Array(Buffer.allocUnsafeSlow(work.tileBytes).buffer)
  cutTileFromStrip(strip, column, work.shape, tile)
  const packed = await work.pack(tile)
  work.spare.push(tile)
  return packed
}
