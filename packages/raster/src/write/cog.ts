import { rm } from 'node:fs/promises'
import { RasterFailure } from '../failures.ts'
import { SAMPLE_TYPES } from '../sample-types.ts'
import { assemble } from './assemble.ts'
import type { CogInput, CogOptions, CogResult } from './cog-types.ts'
import type { CogPlan } from './layout.ts'
import { fillSpools } from './pyramid.ts'
import { discardSpool, openSpool } from './spool.ts'
import type { Spool } from './spool.ts'

const STRIP_BYTES = 134_217_728
const LARGEST_STRIP_BYTES = 268_435_456
const TILE_BYTES = 16_777_216

/**
 * Writes a cloud optimized GeoTIFF: one pass over the image, whose blocks wait in one spool file a level (beside the
 * output, named after it) until all sizes are known. Memory grows with the width of the image, not with its height. The
 * output appears under its name only when it is whole. The same image and options give the same bytes.
 *
 * @throws RasterFailure `request` for an image that cannot be, `budget` when a row of blocks would not fit in memory,
 * `cancelled`, `write` when the disk fails; what `input.readRows` throws passes through.
 */
export async function writeCog(input: CogInput, outputPath: string, options: CogOptions = {}): Promise<CogResult> {
  const plan = planCog(input, options)
  const spools: Spool[] = []
  try {
    for (const index of plan.levels.keys()) spools.push(await openSpool(`${outputPath}.level-${index}`))
    const statistics = await fillSpools(input, plan, spools, options)
    return await assemble(plan, statistics, spools, outputPath, options)
  } catch (cause) {
    await rm(`${outputPath}.partial`, { force: true }).catch(() => undefined)
    if (cause instanceof Error && 'syscall' in cause)
      throw new RasterFailure('write', `the file could not be written: ${cause.message}`, { cause })
    throw cause
  } finally {
    for (const spool of spools) await discardSpool(spool).catch(() => undefined)
  }
}

function planCog(input: CogInput, options: CogOptions): CogPlan {
  const { width, height, bands, sampleType } = input
  if (![width, height].every((side) => Number.isSafeInteger(side) && side > 0 && side <= 2_147_483_647))
    throw new RasterFailure('request', `an image of ${width}×${height} pixels cannot be written`)
  if (bands.length < 1 || bands.length > 65_535)
    throw new RasterFailure('request', `an image of ${bands.length} bands cannot be written`)
  const palette = bands.length === 1 && ['uint8', 'uint16'].includes(sampleType) ? (input.palette ?? null) : null
  const pixelBytes = (SAMPLE_TYPES[sampleType].bits / 8) * bands.length
  const block = chooseBlock(width, pixelBytes, options.block ?? 512)
  const predicts = options.predictor ?? palette === null
  return {
    sampleType,
    bands,
    nodata: input.nodata,
    masked: input.masked,
    palette,
    whiteIsZero: input.whiteIsZero ?? false,
    placement: input.placement,
    metadata: input.metadata ?? {},
    compression: options.compression ?? 'deflate',
    predictor: !predicts ? 1 : SAMPLE_TYPES[sampleType].format === 3 ? 3 : 2,
    block,
    levels: planLevels(width, height, block),
  }
}

function chooseBlock(width: number, pixelBytes: number, wanted: number): number {
  let block = wanted
  while (block > 128 && (width * block * pixelBytes > STRIP_BYTES || block * block * pixelBytes > TILE_BYTES))
    block /= 2
  if (width * block * pixelBytes > LARGEST_STRIP_BYTES)
    throw new RasterFailure(
      'budget',
      `rows of ${width} pixels with ${pixelBytes} bytes each are too long to be written`,
    )
  return block
}

/** Halves, rounding up, until the image fits in one block. */
function planLevels(width: number, height: number, block: number): { width: number; height: number }[] {
  const levels = [{ width, height }]
  for (let last = levels[0]!; last.width > block || last.height > block; last = levels.at(-1)!)
    levels.push({ width: Math.ceil(last.width / 2), height: Math.ceil(last.height / 2) })
  return levels
}
