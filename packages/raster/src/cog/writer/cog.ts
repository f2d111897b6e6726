import { rm } from 'node:fs/promises'
import { RasterFailure } from '../../failures.ts'
import { assemble } from './assemble.ts'
import { planCog } from './cog-plan.ts'
import type { CogInput, CogOptions, CogResult } from './cog-types.ts'
import { fillSpillFiles } from './pyramid.ts'
import { discardSpillFile, openSpillFile } from './spill-file.ts'
import type { SpillFile } from './spill-file.ts'

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
    return await assemble(plan, statistics, spools, outputPath, options)
  } catch (cause) {
    await rm(`${outputPath}.partial`, { force: true }).catch(() => undefined)
    if (cause instanceof Error && 'syscall' in cause)
      throw new RasterFailure('write', `the file could not be written: ${cause.message}`, { cause })
    throw cause
  } finally {
    for (const spool of spools) await discardSpillFile(spool).catch(() => undefined)
  }
}
