import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CogOptions } from '@swath/raster'
import type { Figure } from '../figure.ts'
import type { Cost } from './compare.ts'
import { figureOf } from './limits.ts'
import type { LimitName } from './limits.ts'
import type { Setting } from './setting.ts'

interface WriteRow {
  readonly figure: LimitName
  readonly source: string
  readonly ours: CogOptions
  readonly theirs: readonly string[]
}

const ROWS: readonly WriteRow[] = [
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

const ALIKE = ['BLOCKSIZE=512', 'OVERVIEW_RESAMPLING=AVERAGE', 'NUM_THREADS=2', 'BIGTIFF=IF_SAFER']

type WriteCost = Cost & { readonly rss_mib: number }

/** Writes whole scenes, each in a process of its own, start-up included; ours also computes statistics. */
export async function measureWriting(setting: Setting): Promise<Figure[]> {
  const figures: Figure[] = []
  let most_mib = 0
  for (const row of ROWS) {
    let [ours_ms, theirs_ms] = [Infinity, Infinity]
    for (let round = 0; round < setting.rounds; round++) {
      const own = await writeOurs(setting, row)
      const other = await writeTheirs(setting, row)
      ours_ms = Math.min(ours_ms, own.cpu_ms)
      theirs_ms = Math.min(theirs_ms, other.cpu_ms)
      most_mib = Math.max(most_mib, own.rss_mib)
      console.log(`${row.figure}, round ${round + 1}: ours ${describe(own)}, gdal_translate ${describe(other)}`)
    }
    figures.push(figureOf(row.figure, theirs_ms / ours_ms))
  }
  return [...figures, figureOf('COG, most memory in MiB', most_mib)]
}

async function writeOurs(setting: Setting, row: WriteRow): Promise<WriteCost> {
  const target = join(setting.folder, 'ours.tif')
  const side = setting.startOurs()
  try {
    const cost = await side.ask<WriteCost>({
      do: 'write',
      source: setting.scene(row.source),
      target,
      options: { ...row.ours, block: 512, overviews: 'average' },
    })
    return { ...cost, bytes: (await stat(target)).size }
  } finally {
    await side.end()
    await rm(target, { force: true })
  }
}

async function writeTheirs(setting: Setting, row: WriteRow): Promise<WriteCost> {
  const target = join(setting.folder, 'theirs.tif')
  const options = [...row.theirs, ...ALIKE]
  try {
    return await setting.gdal.ask<WriteCost>({ do: 'write', source: setting.scene(row.source), target, options })
  } finally {
    await rm(target, { force: true })
  }
}

function describe({ cpu_ms, wall_ms, rss_mib, bytes }: WriteCost): string {
  const seconds = (ms: number): string => (ms / 1000).toFixed(1)
  return `${seconds(cpu_ms)} s (wall ${seconds(wall_ms)}, ${rss_mib.toFixed(0)} MiB, writes ${(bytes / 1e6).toFixed(0)} MB)`
}
