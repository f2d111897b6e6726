import { readFileSync } from 'node:fs'
import {
  createRasterPool,
  fileSource,
  openRaster,
  type RasterJobName,
  type RasterJobRequest,
} from '../../../packages/raster/src/index.ts'

/** One job of ours, in a process of its own with one raster thread: a request as JSON on standard input, its cost as JSON line. */
interface OwnJob {
  readonly job: RasterJobName
  readonly sources: readonly string[]
  readonly request: object
}

const { job, sources, request } = JSON.parse(readFileSync(process.stdin.fd, 'utf8')) as OwnJob
const pool = createRasterPool({ threads: 1, cache_bytes: 128 * 2 ** 20 })
await pool.ready()
const begin = process.cpuUsage()
const rasters = []
for (const path of sources) rasters.push(await openRaster(await fileSource(path)))
const answer = await pool.run(job, rasters, request as RasterJobRequest<RasterJobName>)
const { user, system } = process.cpuUsage(begin)
for (const raster of rasters) await raster.source.close()
await pool.close()
const means = Array.isArray(answer)
  ? answer.map((zone) => (zone as { bands: { mean: number }[] } | null)?.bands[0]!.mean ?? null)
  : null
console.log(JSON.stringify({ cpu_ms: (user + system) / 1000, rss_mib: process.resourceUsage().maxRSS / 1024, means }))
