import { json } from 'node:stream/consumers'
import type { AreaGeometry } from '../../../packages/geo/src/geojson.ts'
import {
  createRasterPool,
  toOutlineRings,
  type RasterJobName,
  type RasterJobRequest,
} from '../../../packages/raster/src/index.ts'
import { openRasterFor } from '../../prove/harness/resources.ts'

/** One job of ours, in a process of its own with one raster thread: a request as JSON on standard input, its cost as JSON line. */
interface OwnJob {
  readonly job: RasterJobName
  readonly sources: readonly string[]
  readonly request: { readonly areas?: readonly AreaGeometry[] }
  /** Runs the job once before, so that its code is compiled, as in a running server; the files are opened anew. */
  readonly isWarm?: boolean
}

const { job, sources, request, isWarm = false } = (await json(process.stdin)) as OwnJob
const pool = createRasterPool({ threads: 1, cache_bytes: 128 * 2 ** 20 })
await pool.ready('long')
if (isWarm) await runJob()
const begin = process.cpuUsage()
const answer = await runJob()
const { user, system } = process.cpuUsage(begin)
await pool.close()
const means = Array.isArray(answer)
  ? answer.map((zone) => (zone as { bands: { mean: number }[] } | null)?.bands[0]!.mean ?? null)
  : null
console.log(JSON.stringify({ cpu_ms: (user + system) / 1000, rss_mib: process.resourceUsage().maxRSS / 1024, means }))

async function runJob(): Promise<unknown> {
  await using files = new AsyncDisposableStack()
  const rasters = []
  for (const path of sources) rasters.push(files.use(await openRasterFor(path)))
  const prepared = request.areas ? { ...request, areas: request.areas.map(toOutlineRings) } : request
  return await pool.run(job, rasters, prepared as RasterJobRequest<RasterJobName>)
}
