import { join } from 'node:path'
import {
  createRasterPool,
  openFileSource,
  toOutlineRings,
  openRaster,
  writeCog,
  type CogInput,
  type RasterPool,
} from '../../../packages/raster/src/index.ts'
import { blockToPixelRows } from '../../../packages/raster/test/pixel-rows.ts'
import { createZone } from '../../prove/analytics/random-zones.ts'
import { createRandom } from '../../prove/harness/random.ts'
import { createFolder, closeAtEnd } from '../../prove/harness/resources.ts'
import { alternate, type Figure } from '../runner.ts'
import { checkMeans, runExactextract } from './exactextract.ts'

const side = 4096
const zone_count = 1000
const rounds = 3
const seed = 20
const min_ratio = 1.5
const aimed_ratio = 2

const moments = ['count', 'sum', 'mean', 'min', 'max', 'stdev']

/** The measured statistics: moments alone, and with percentiles. */
const rows = [
  { name: 'moments', percentiles: [], operations: moments },
  {
    name: 'moments and percentiles',
    percentiles: [10, 50, 90],
    operations: [...moments, 'quantile(q=0.1)', 'quantile(q=0.5)', 'quantile(q=0.9)'],
  },
] as const

/**
 * Weighted zonal statistics of 1,000 areas of a scene of 4096 × 4096 pixels in one thread, beside exactextract in the same
 * run, on the same file and areas; both alternate, and the shortest processor time of each counts, because other programs may
 * share the machine.
 */
export async function benchAnalytics(): Promise<readonly Figure[]> {
  await using folder = await createFolder('bench-analytics')
  await using pool = closeAtEnd(createRasterPool({ threads: 1, cache_bytes: 256 * 2 ** 20 }))
  const path = join(folder.path, 'scene.tif')
  await writeCog(createScene(), path)
  const raster = await openRaster(await openFileSource(path))
  const random = createRandom(seed)
  const areas = Array.from({ length: zone_count }, () => createZone(raster, random, 60))
  await raster.source.close()
  const figures: Figure[] = []
  for (const row of rows) figures.push(await compareRow(pool, path, areas, row))
  return figures
}

type Areas = ReturnType<typeof createZone>[]

async function compareRow(pool: RasterPool, path: string, areas: Areas, row: (typeof rows)[number]): Promise<Figure> {
  const request = { path, zones: areas, operations: row.operations }
  const [own = [], other = []] = await alternate(
    rounds,
    () => measureOwn(pool, path, areas, row.percentiles),
    () => runExactextract(request),
  )
  for (const [round, { means }] of own.entries()) checkMeans(means, other[round]!.means)
  const [own_ms, other_ms] = [own, other].map((side) => Math.min(...side.map(({ ms }) => ms))) as [number, number]
  console.log(`${row.name}: ${own_ms.toFixed(0)} ms; exactextract ${other_ms.toFixed(0)} ms`)
  const name = `analytics: processor time of exactextract / ${row.name} of ${zone_count} zones`
  return { name, value: other_ms / own_ms, must: min_ratio, aim: aimed_ratio }
}

/** The pool is warm, as that of a server is; the file is opened anew, so that no decoded block is at hand on either side. */
async function measureOwn(
  pool: RasterPool,
  path: string,
  areas: Areas,
  percentiles: readonly number[],
): Promise<{ ms: number; means: (number | null)[] }> {
  const raster = await openRaster(await openFileSource(path))
  const begin = process.cpuUsage()
  const found = await pool.run('areas', [raster], {
    areas: areas.map(toOutlineRings),
    coverage: true,
    percentiles,
    bands: [0],
  })
  const { user, system } = process.cpuUsage(begin)
  await raster.source.close()
  return { ms: (user + system) / 1000, means: found.map((one) => one?.bands[0]!.mean ?? null) }
}

/** Waves and noise of 16 bits on a grid of 10 m, in blocks of 512 pixels. */
const createScene = (): CogInput => {
  const random = createRandom(seed + 1)
  return {
    width: side,
    height: side,
    sampleType: 'uint16',
    bands: [{ name: 'B04', colour: 'gray', scale: 1, offset: 0 }],
    nodata: null,
    masked: false,
    georeferencing: {
      affine: [600_000, 10, 0, 5_600_000, 0, -10],
      crs: {
        epsg: 32632,
        proj4: '+proj=utm +zone=32 +datum=WGS84 +units=m',
        name: 'WGS 84 / UTM zone 32N',
        geographic: false,
      },
      geoTags: null,
    },
    readRows: async (top, rowCount) => {
      const data = new Uint16Array(side * rowCount)
      for (let at = 0; at < data.length; at++) {
        const [column, row] = [at % side, top + Math.floor(at / side)]
        data[at] = 1500 + 900 * Math.sin(column / 70) * Math.cos(row / 90) + 300 * random()
      }
      const mask = new Uint8Array(data.length).fill(255)
      return blockToPixelRows({ width: side, height: rowCount, bands: 1, data, mask })
    },
  }
}
