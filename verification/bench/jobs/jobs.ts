import { spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AreaGeometry } from '../../../packages/geo/src/geojson.ts'
import { isExportProcess, isVectorProcess, type Raster } from '../../../packages/raster/src/index.ts'
import { createZone, toDegrees } from '../../prove/analytics/random-zones.ts'
import { resolveBeside } from '../../prove/harness/programs.ts'
import { createRandom } from '../../prove/harness/random.ts'
import { createFolder, openRasterFor } from '../../prove/harness/resources.ts'
import { checkMeans, runExactextract } from '../analytics/exactextract.ts'
import { alternate, readOptions, type Figure } from '../runner.ts'
import { jobRows, memoryRows, type JobComparison, type MemoryRow } from './rows.ts'
import { ensureScenes } from './scenes.ts'

/** The side of a Sentinel-2 tile; `--side=2048` measures smaller files, `--only=clip` rows with that name. */
const default_side = 10_980
const rounds = 2
const zone_count = 1000
/**
 * Largest radius of zones in pixels. Small ones are mostly reading: both sides decode nearly every block of the scene for a
 * thirtieth of its pixels. The large ones together are about as large as the scene, as districts are.
 */
const zone_radii = { small: 60, large: 300 }
/** Of the small zones most of both times is inflating the same blocks: the ratio was 1.6 to 2.1 in seven runs. */
const min_ratio = { gdal: 1, exactextract: 1.5 }
const aimed_ratio = { exactextract: 2 }
const max_memory_mib = 768

interface JobCost {
  readonly cpu_ms: number
  readonly rss_mib: number
}

/**
 * Processor time and most memory of processes on a large generated scene beside GDAL's tools, and of zonal statistics beside
 * exactextract, in the same run: both sides alternate, and the shortest time of each counts. Of the other processes the memory is
 * measured.
 */
export async function benchJobs(args: readonly string[]): Promise<readonly Figure[]> {
  const { only, side } = readOptions(args, { only: '', side: default_side }).values
  const scenes = await ensureScenes(join(tmpdir(), `swath-jobs-bench-${side}`), side)
  await using folder = await createFolder('jobs-bench-work')
  const scratch = folder.path
  await using raster = await openRasterFor(scenes.scene)
  const area = createArea(raster)
  const cutline = join(scratch, 'area.geojson')
  await writeFile(cutline, JSON.stringify({ type: 'Feature', properties: {}, geometry: area }))
  const figures: Figure[] = []
  let most_mib = 0
  const chosen = <Row extends { readonly name: string }>(rows: readonly Row[]): readonly Row[] =>
    rows.filter(({ name }) => name.includes(only))
  for (const row of chosen(jobRows(scenes, { area, cutline }))) {
    const { ratio, rss_mib } = await compareRow(row, scratch)
    most_mib = Math.max(most_mib, rss_mib)
    figures.push({ name: `jobs: processor time of GDAL / ${row.name}`, value: ratio, must: min_ratio.gdal })
  }
  for (const row of chosen(memoryRows(scenes, area))) most_mib = Math.max(most_mib, await measureMemory(row, scratch))
  for (const [size, radius] of Object.entries(zone_radii)) {
    const name = `${zone_count} ${size} zones`
    const { ratio, rss_mib } = await compareZones(raster, scenes.scene, name, radius)
    most_mib = Math.max(most_mib, rss_mib)
    figures.push({
      name: `jobs: exactextract / ${name}`,
      value: ratio,
      must: min_ratio.exactextract,
      aim: aimed_ratio.exactextract,
    })
  }
  return [...figures, { name: 'jobs: most memory in MiB', value: most_mib, must: max_memory_mib, atMost: true }]
}

/** An octagon that holds two thirds of the scene. */
function createArea(raster: Raster): AreaGeometry {
  const [x, y] = [raster.width / 2, raster.height / 2]
  const corner = (at: number): [number, number] =>
    toDegrees(raster, x + 0.97 * x * Math.cos((at * Math.PI) / 4), y - 0.97 * y * Math.sin((at * Math.PI) / 4))
  return { type: 'Polygon', coordinates: [Array.from({ length: 9 }, (_, at) => corner(at % 8))] }
}

async function compareRow(row: JobComparison, scratch: string): Promise<{ ratio: number; rss_mib: number }> {
  const isVector = isVectorProcess(row.process)
  const own = join(scratch, isVector ? 'ours.geojson' : 'ours.tif')
  const job = isVector ? 'processToFeatures' : 'processToCog'
  const result = join(scratch, isVector ? 'theirs.geojson' : 'theirs.tif')
  const files = [own, result, join(scratch, 'index.tif')]
  const clean = async (): Promise<void> => {
    for (const file of files) await rm(file, { force: true })
  }
  const sides = [
    () => runOwn({ job, sources: row.sources, request: { path: own, process: row.process } }),
    () => runGdal(row.commands(scratch, result)),
  ].map((run) => async () => {
    await clean()
    return run()
  })
  const [ours = [], theirs = []] = await alternate<JobCost>(rounds, ...sides)
  await clean()
  return summarize(row.name, ours, theirs, 'GDAL')
}

/** Runs a process of ours once; returns and prints its most memory. */
async function measureMemory({ name, sources, process }: MemoryRow, scratch: string): Promise<number> {
  const path = join(scratch, 'ours')
  const job = isExportProcess(process)
    ? 'processToExport'
    : isVectorProcess(process)
      ? 'processToFeatures'
      : 'processToCog'
  const { cpu_ms, rss_mib } = runOwn({ job, sources, request: { path, process } })
  await rm(path, { recursive: true, force: true })
  console.log(`${name}: ours ${(cpu_ms / 1000).toFixed(2)} s, ${rss_mib.toFixed(0)} MiB`)
  return rss_mib
}

function summarize(name: string, ours: readonly JobCost[], theirs: readonly JobCost[], peer: string) {
  const least = (costs: readonly JobCost[]): number => Math.min(...costs.map(({ cpu_ms }) => cpu_ms))
  const most = (costs: readonly JobCost[]): number => Math.max(...costs.map(({ rss_mib }) => rss_mib))
  const describe = (costs: readonly JobCost[]): string =>
    `${(least(costs) / 1000).toFixed(2)} s, ${most(costs).toFixed(0)} MiB`
  console.log(`${name}: ours ${describe(ours)}; ${peer} ${describe(theirs)}`)
  return { ratio: least(theirs) / least(ours), rss_mib: most(ours) }
}

interface OwnCost extends JobCost {
  readonly means: readonly (number | null)[] | null
}

const runOwn = (job: object): OwnCost =>
  runJob(process.execPath, [...process.execArgv, resolveBeside(import.meta.url, 'own-job.ts')], job)

const runGdal = (commands: readonly (readonly string[])[]): JobCost =>
  runJob('python3', [resolveBeside(import.meta.url, 'peer-gdal.py')], commands)

/** Runs a program with a JSON on its standard input and output. */
function runJob<Result>(program: string, args: readonly string[], input: object): Result {
  const { status, stdout, stderr } = spawnSync(program, args, {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { ...process.env, GDAL_NUM_THREADS: '1', GDAL_PAM_ENABLED: 'NO' },
  })
  if (status !== 0) throw new Error(`${args.at(-1)} failed: ${stderr}`)
  return JSON.parse(stdout) as Result
}

/** The peer of the benchmark of the analytics, on the large scene. */
async function compareZones(
  raster: Raster,
  path: string,
  name: string,
  max_radius: number,
): Promise<{ ratio: number; rss_mib: number }> {
  const random = createRandom(20)
  const areas = Array.from({ length: zone_count }, () => createZone(raster, random, max_radius))
  const request = { areas, coverage: true, percentiles: [], bands: [0] }
  const operations = ['count', 'sum', 'mean', 'min', 'max', 'stdev']
  let means: OwnCost['means'] = null
  const [ours = [], theirs = []] = await alternate<JobCost>(
    rounds,
    () => {
      const cost = runOwn({ job: 'areas', sources: [path], request, isWarm: true })
      means = cost.means
      return cost
    },
    async () => {
      const answer = await runExactextract({ path, zones: areas, operations })
      if (means) checkMeans(means, answer.means)
      return { cpu_ms: answer.ms, rss_mib: 0 }
    },
  )
  return summarize(`zonal statistics of ${name}`, ours, theirs, 'exactextract')
}
