import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CogOptions } from '@swath/raster'
import type { Figure } from '../figure.ts'
import type { TileCost } from './compare.ts'
import { createFigure } from './figure-bounds.ts'
import type { FigureName } from './figure-bounds.ts'
import type { RasterBenchContext } from './context.ts'

interface WriteCase {
  readonly figure: FigureName
  readonly source: string
  readonly ours: CogOptions
  readonly theirs: readonly string[]
}

const cases: readonly WriteCase[] = [
  {
    figure: 'COG of integers, deflate',
    source: 's2_raw.tif',
    ours: { compression: 'deflate', level: 3 },
    theirs: ['COMPRESS=DEFLATE', 'LEVEL=3', 'PREDICTOR=STANDARD'],
  },
  {
    figure: 'COG of integers, zstd',
    source: 's2_raw.tif',
    ours: { compression: 'zstd', level: 3 },
    theirs: ['COMPRESS=ZSTD', 'LEVEL=3', 'PREDICTOR=STANDARD'],
  },
  {
    figure: 'COG of float32, predictor 3',
    source: 'dem_raw.tif',
    ours: { compression: 'zstd', level: 3 },
    theirs: ['COMPRESS=ZSTD', 'LEVEL=3', 'PREDICTOR=FLOATING_POINT'],
  },
]

const commonOptions = ['BLOCKSIZE=512', 'OVERVIEW_RESAMPLING=AVERAGE', 'NUM_THREADS=2', 'BIGTIFF=IF_SAFER']

type WriteCost = TileCost & { readonly rss_mib: number }

/** Writes whole scenes, each in a process of its own, start-up included; ours also computes statistics. */
export async function measureWriting(context: RasterBenchContext): Promise<Figure[]> {
  const figures: Figure[] = []
  let max_mib = 0
  for (const benchCase of cases) {
    let [ours_ms, theirs_ms] = [Infinity, Infinity]
    for (let round = 0; round < context.rounds; round++) {
      const ownCost = await writeOwn(context, benchCase)
      const peerCost = await writeWithGdal(context, benchCase)
      ours_ms = Math.min(ours_ms, ownCost.cpu_ms)
      theirs_ms = Math.min(theirs_ms, peerCost.cpu_ms)
      max_mib = Math.max(max_mib, ownCost.rss_mib)
      console.log(
        `${benchCase.figure}, round ${round + 1}: ours ${describe(ownCost)}, gdal_translate ${describe(peerCost)}`,
      )
    }
    figures.push(createFigure(benchCase.figure, theirs_ms / ours_ms))
  }
  return [...figures, createFigure('COG, most memory in MiB', max_mib)]
}

async function writeOwn(context: RasterBenchContext, benchCase: WriteCase): Promise<WriteCost> {
  const target = join(context.folder, 'ours.tif')
  const process = context.startOurs()
  try {
    const cost = await process.request<WriteCost>({
      do: 'write',
      source: context.scene(benchCase.source),
      target,
      options: { ...benchCase.ours, block: 512, overviews: 'average' },
    })
    return { ...cost, bytes: (await stat(target)).size }
  } finally {
    await process.stop()
    await rm(target, { force: true })
  }
}

async function writeWithGdal(context: RasterBenchContext, benchCase: WriteCase): Promise<WriteCost> {
  const target = join(context.folder, 'theirs.tif')
  const options = [...benchCase.theirs, ...commonOptions]
  try {
    return await context.gdal.request<WriteCost>({
      do: 'write',
      source: context.scene(benchCase.source),
      target,
      options,
    })
  } finally {
    await rm(target, { force: true })
  }
}

function describe({ cpu_ms, wall_ms, rss_mib, bytes }: WriteCost): string {
  const seconds = (ms: number): string => (ms / 1000).toFixed(1)
  return `${seconds(cpu_ms)} s (wall ${seconds(wall_ms)}, ${rss_mib.toFixed(0)} MiB, writes ${(bytes / 1e6).toFixed(0)} MB)`
}
