import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@swath/client/client.ts'
import { encodeCog, sceneInput } from '../../../packages/server/test/rasters.ts'
import { createTileRequest } from '../hostile/attack-target.ts'
import { countOutcome, describeTally, quantile, type OutcomeTally } from '../load/samples.ts'
import { createOperationCall, createKeepAliveAgent, send, type HttpCall } from '../load/sender.ts'
import { uploadFile } from '../load/upload-file.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../harness/random.ts'
import { findScenes } from '../harness/orders.ts'
import { createFolder } from '../harness/resources.ts'
import { administrator, postgresSettings, startServer, type ServerProcess } from '../harness/server-process.ts'
import { readMemoryBytes } from '../harness/process-tree.ts'
import { readMemory, computeSlope, type MemorySample } from './read-memory.ts'

const preload = fileURLToPath(new URL('./report-memory.ts', import.meta.url))
const mebibyte = 1024 * 1024
const calls_per_s = 90
/** Growth limit in the second half, without linear memories of WebAssembly: a gigabyte per day. */
const growth_limit_mib_per_min = 0.75
/**
 * Growth limit of linear memories: the page buffers of the embedded database (64 MiB) fill with the tables, once, and the
 * kernels of the raster threads grow to their largest work.
 */
const webassembly_growth_limit_mib = 96
/** Garbage moves the resident memory by tens of megabytes within a minute. */
const resident_interval_ms = 1000
/** In shorter runs the caches do not fill up. */
const min_judged_minutes = 40
const default_minutes = 60
const timeout_ms = 60_000

interface SoakLoad {
  readonly url: string
  readonly token: () => Promise<string>
  readonly project: string
  readonly item: string
  readonly image: Uint8Array<ArrayBuffer>
  readonly captures: readonly object[]
  readonly random: () => number
}

type SoakCall = (load: SoakLoad, token: string, turn: number) => HttpCall | Promise<unknown>

const signInCall: HttpCall = {
  method: 'POST',
  path: '/realms/public/protocol/openid-connect/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ grant_type: 'password', ...administrator }).toString(),
}

/** The calls with their relative frequencies. */
const mix: readonly (readonly [name: string, parts: number, ask: SoakCall])[] = [
  ['tile', 400, ({ item, random }, token) => createTileRequest(item, token, Math.floor(random() * 3000))],
  ['search', 250, (_, token) => createOperationCall('stac.search', { limit: 20 }, token)],
  ['list', 100, ({ project }, token) => createOperationCall('items.list', { project_id: project, limit: 20 }, token)],
  ['item', 80, createItemCall],
  [
    'statistics',
    30,
    ({ item }, token, turn) =>
      createOperationCall('items.tile.statistics', { item_id: item, expression: `b1+${turn % 50}` }, token),
  ],
  ['sign-in', 30, () => signInCall],
  ['order', 6, createOrderCall],
  [
    'upload',
    4,
    ({ url, project, image }, token, turn) =>
      uploadFile(createClient({ baseUrl: url, token }), {
        project_id: project,
        file_name: `soak_${turn}.tif`,
        bytes: image,
      }),
  ],
]

function createItemCall({ project }: SoakLoad, token: string, turn: number): HttpCall {
  const input = {
    project_id: project,
    name: `soak ${turn}`,
    type: 'user_raster',
    bbox: [1, 2, 3, 4],
    properties: { turn },
  }
  return createOperationCall('items.create', input, token)
}

function createOrderCall({ captures }: SoakLoad, token: string, turn: number): HttpCall {
  const request = createOperationCall('orders.archive.place', { captures: captures }, token)
  return { ...request, headers: { ...request.headers, 'idempotency-key': `soak-${turn}` } }
}

/**
 * A server with 96 MiB of caches under ninety mixed calls per second, for an hour or `--minutes`: prints its memory
 * every minute. In the second half the memory must not grow, except that of the embedded database until its buffers are
 * full.
 */
export async function proveSoak({
  short,
  seed,
  minutes = short ? 1 : default_minutes,
}: ProofOptions): Promise<ProofResult> {
  await using folder = await createFolder('soak')
  const reports = join(folder.path, 'reports')
  await mkdir(reports)
  const environment = {
    ...(await postgresSettings(process.env['DATABASE_URL'] ?? null)),
    SWATH_DATA_DIR: join(folder.path, 'data'),
    SWATH_SOAK_REPORTS: reports,
    RASTER_CACHE_MIB: '64',
    TILE_CACHE_MIB: '32',
    MAX_WAIT_MS: '',
  }
  await using server = await startServer(environment, undefined, [...process.execArgv, '--import', preload])
  const load = await prepareLoad(server, seed)
  const memory = await run(load, minutes, {
    readAll: () => readMemory(server.pid, reports),
    readResident: () => readMemoryBytes(server.pid),
  })
  return { tried: `${minutes} minutes of ${calls_per_s} calls/s`, violations: findViolations(memory, minutes) }
}

async function prepareLoad({ url, token, client }: ServerProcess, seed: number): Promise<SoakLoad> {
  const { projects } = await client.call<{ projects: { id: string }[] }>('projects.list', {})
  const project = projects[0]!.id
  const captures = await findScenes(client, 'open')
  const image = new Uint8Array(await encodeCog(sceneInput))
  const { item_ids } = await uploadFile(client, { project_id: project, file_name: 'soak_20240601.tif', bytes: image })
  return { url, token, project, item: item_ids[0]!, image, captures, random: createRandom(seed) }
}

interface MinuteStatistics {
  readonly tally: OutcomeTally
  readonly times: number[]
  /** Resident memory in bytes, once a second. */
  readonly resident: number[]
}

const startMinute = (): MinuteStatistics => ({ tally: new Map(), times: [], resident: [] })

interface MemoryReader {
  readonly readAll: () => Promise<MemorySample>
  readonly readResident: () => Promise<number>
}

/** Memory in bytes: linear memories of WebAssembly at the end of a minute, and the mean of the rest over it. */
interface MinuteMemory {
  readonly webassembly: number
  readonly rest: number
}

interface SoakMemory {
  readonly start: MemorySample
  readonly minutes: readonly MinuteMemory[]
}

/** Calls are sent on schedule, whether earlier ones have a response or not (open loop). */
async function run(load: SoakLoad, minutes: number, { readAll, readResident }: MemoryReader): Promise<SoakMemory> {
  const agent = createKeepAliveAgent(64)
  const memory: MinuteMemory[] = []
  let minute = startMinute()
  const begin = await readAll()
  console.log(`start: ${describe(begin)}`)
  const start = performance.now()
  let turn = 0
  for (let passed = 1; passed <= minutes; passed++) {
    while (performance.now() - start < passed * 60_000) {
      const elapsed_ms = performance.now() - start
      const due = Math.floor((elapsed_ms / 1000) * calls_per_s)
      for (; turn < due; turn++) void callOne(load, turn, minute, agent)
      const resident_due = Math.floor((elapsed_ms - (passed - 1) * 60_000) / resident_interval_ms)
      if (minute.resident.length < resident_due) minute.resident.push(await readResident())
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const sample = await readAll()
    const { webassembly } = sample.mapped
    memory.push({ webassembly, rest: mean([...minute.resident, sample.rss]) - webassembly })
    console.log(
      `minute ${passed}: ${describe(sample)}; p95 ${quantile(minute.times, 0.95).toFixed(0)} ms, ${describeTally(minute.tally)}`,
    )
    minute = startMinute()
  }
  agent.destroy()
  return { start: begin, minutes: memory }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

async function callOne(
  load: SoakLoad,
  turn: number,
  minute: MinuteStatistics,
  agent: ReturnType<typeof createKeepAliveAgent>,
): Promise<void> {
  const [name, , createCall] = chooseCall(load.random())
  const startTime = performance.now()
  try {
    const call = createCall(load, await load.token(), turn)
    if (call instanceof Promise) await call
    const outcome = call instanceof Promise ? '200' : (await send(load.url, call, agent, timeout_ms)).outcome
    countOutcome(minute.tally, outcome.startsWith('2') ? name : `${name} ${outcome}`)
    minute.times.push(performance.now() - startTime)
  } catch (error) {
    countOutcome(minute.tally, `${name}: ${(error as Error).message.slice(0, 60)}`)
  }
}

function chooseCall(chance: number): (typeof mix)[number] {
  let left = chance * mix.reduce((sum, [, parts]) => sum + parts, 0)
  for (const row of mix) {
    left -= row[1]
    if (left < 0) return row
  }
  return mix[0]!
}

const formatMiB = (bytes: number): string => (bytes / mebibyte).toFixed(0)

const describe = (sample: MemorySample): string =>
  `RSS ${formatMiB(sample.rss)} (anonymous ${formatMiB(sample.anonymous)}), heap ${formatMiB(sample.heap_used)} of ${formatMiB(sample.heap_total)}, ` +
  `external ${formatMiB(sample.external)}, array buffers ${formatMiB(sample.array_buffers)}, native ${formatMiB(sample.native)} MiB (${describeMapped(sample.mapped)}), ${sample.threads} threads`

const describeMapped = ({ malloc, webassembly, files, other }: MemorySample['mapped']): string =>
  `malloc ${formatMiB(malloc)}, WebAssembly ${formatMiB(webassembly)}, files ${formatMiB(files)}, other mappings ${formatMiB(other)}`

function findViolations({ start, minutes: memory }: SoakMemory, minutes: number): string[] {
  const half = memory.slice(Math.floor(memory.length / 2))
  const growth = computeSlope(half.map(({ rest }) => rest / mebibyte))
  const webassembly_growth = (memory.at(-1)!.webassembly - start.mapped.webassembly) / mebibyte
  console.log(
    `in the second half RSS without WebAssembly grew by ${growth.toFixed(2)} MiB/min; WebAssembly by ${webassembly_growth.toFixed(0)} MiB in all`,
  )
  if (minutes < min_judged_minutes) return []
  return [
    ...(growth > growth_limit_mib_per_min
      ? [`RSS grew by ${growth.toFixed(2)} MiB/min, more than ${growth_limit_mib_per_min}`]
      : []),
    ...(webassembly_growth > webassembly_growth_limit_mib
      ? [`WebAssembly grew by ${webassembly_growth.toFixed(0)} MiB, more than ${webassembly_growth_limit_mib}`]
      : []),
  ]
}
