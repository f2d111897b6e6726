import { open, rename, rm } from 'node:fs/promises'
import { RasterFailure, checkCancelled } from '../../failures.ts'
import { type CogPlan, planCog } from './cog-plan.ts'
import type { CogInput, CogOptions, CogResult } from './cog-types.ts'
import { fillSpillFiles } from './pyramid.ts'
import { type SpillFile, computeBlockOffsets, discardSpillFile, openSpillFile, readSpillFile } from './spill-file.ts'
import { createHash } from 'node:crypto'
import type { BandStatistics } from '../../types.ts'
import { type LevelBlockLocations, buildTiffHeader } from './layout.ts'

const classic_limit = 4_294_967_295

/** Joins header, directories and the spools, the smallest overview first, and names the file once it is whole. */
async function assemble(
  plan: CogPlan,
  statistics: readonly BandStatistics[],
  spools: readonly SpillFile[],
  outputPath: string,
  options: CogOptions,
): Promise<Omit<CogResult, 'notes'>> {
  const dataSize = spools.reduce((sum, spool) => sum + spool.size, 0)
  const atZero = spools.map((spool) => describeBlocks(spool, 0, plan.masked))
  // Offsets change no lengths, so a first header with too small ones measures the space.
  const classicSize = buildTiffHeader(plan, statistics, emptyOffsets(atZero), false).length + dataSize
  const bigTiff = (options.bigTiff ?? false) || classicSize > classic_limit
  let start = buildTiffHeader(plan, statistics, emptyOffsets(atZero), bigTiff).length
  const blocks: LevelBlockLocations[] = []
  for (const spool of spools.toReversed()) {
    blocks.unshift(describeBlocks(spool, start, plan.masked))
    start += spool.size
  }
  const partial = `${outputPath}.partial`
  const hash = createHash('sha256')
  const file = await open(partial, 'w')
  try {
    const put = async (bytes: Uint8Array): Promise<void> => {
      checkCancelled(options.signal)
      hash.update(bytes)
      await file.writeFile(bytes)
    }
    await put(buildTiffHeader(plan, statistics, blocks, bigTiff))
    for (const spool of spools.toReversed()) for await (const chunk of readSpillFile(spool)) await put(chunk)
  } finally {
    await file.close()
  }
  await rename(partial, outputPath)
  const { levels, block } = plan
  return { path: outputPath, size_bytes: start, sha256: hash.digest('hex'), statistics, levels, block, bigTiff }
}

/** In a masked image every block is followed by its mask's. */
function describeBlocks(spool: SpillFile, start: number, masked: boolean): LevelBlockLocations {
  const offsets = computeBlockOffsets(spool, start)
  const counts = spool.counts
  if (!masked) return { offsets, counts, maskOffsets: [], maskCounts: [] }
  const even = (_: number, index: number): boolean => index % 2 === 0
  const odd = (_: number, index: number): boolean => index % 2 === 1
  return {
    offsets: offsets.filter(even),
    counts: counts.filter(even),
    maskOffsets: offsets.filter(odd),
    maskCounts: counts.filter(odd),
  }
}

function emptyOffsets(blocks: readonly LevelBlockLocations[]): LevelBlockLocations[] {
  return blocks.map((level) => ({
    ...level,
    offsets: level.offsets.map(() => 0),
    maskOffsets: level.maskOffsets.map(() => 0),
  }))
}

/**
 * Writes a cloud optimized GeoTIFF: one pass over the image, whose blocks wait in one spill file for each level (beside
 * the output, named after it) until all sizes are known. Memory grows with the width of the image, not with its height.
 * The output appears under its name only when it is whole. The same image and options give the same bytes.
 *
 * @throws RasterFailure `request` for an inconsistent image, `budget` when a row of blocks would not fit in memory,
 * `cancelled`, `write` when the disk fails; errors of `input.readRows` pass through.
 */
export async function writeCog(input: CogInput, outputPath: string, options: CogOptions = {}): Promise<CogResult> {
  const plan = planCog(input, options)
  const spools: SpillFile[] = []
  try {
    for (const index of plan.levels.keys()) spools.push(await openSpillFile(`${outputPath}.level-${index}`))
    const statistics = await fillSpillFiles(input, plan, spools, options.signal)
    return { ...(await assemble(plan, statistics, spools, outputPath, options)), notes: input.notes ?? [] }
  } catch (cause) {
    await rm(`${outputPath}.partial`, { force: true }).catch(() => undefined)
    if (cause instanceof Error && 'syscall' in cause)
      throw new RasterFailure('write', `the file could not be written: ${cause.message}`, { cause })
    throw cause
  } finally {
    for (const spool of spools) await discardSpillFile(spool).catch(() => undefined)
  }
}
