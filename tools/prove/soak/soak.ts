import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@swath/client/client.ts'
import { tokenSource } from '@swath/client/tokens.ts'
import { cogBytes, scene } from '../../../packages/server/test/rasters.ts'
import { freshTile } from '../hostile/target.ts'
import { count, describeTally, quantile, type Tally } from '../load/samples.ts'
import { callOf, keptConnections, send, type Sending } from '../load/sender.ts'
import { administrator, withAdministrator } from '../load/tenants.ts'
import { uploadFile } from '../load/upload-file.ts'
import type { ProofOptions, Verdict } from '../proof.ts'
import { randomFrom } from '../random.ts'
import { postgresSettings, startServer } from '../server-process.ts'
import { readMemory, slopeOf, type MemorySample } from './read-memory.ts'

const preload = fileURLToPath(new URL('./report-memory.ts', import.meta.url))
const mebibyte = 1024 * 1024
const calls_per_s = 90
/** Growth limit in the second half: a gigabyte per day. */
const growth_limit_mib_per_min = 0.75
/** In shorter runs the caches do not fill up. */
const judged_minutes = 40
const usual_minutes = 60
const patience_ms = 60_000

interface Load {
  readonly url: string
  readonly token: () => Promise<string>
  readonly project: string
  readonly item: string
  readonly image: Uint8Array<ArrayBuffer>
  readonly offer: readonly object[]
  readonly random: () => number
}

type Ask = (load: Load, token: string, turn: number) => Sending | Promise<unknown>

const signIn: Sending = {
  method: 'POST',
  path: '/realms/public/protocol/openid-connect/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ grant_type: 'password', ...administrator }).toString(),
}

/** The calls with their relative frequencies. */
const mix: readonly (readonly [name: string, parts: number, ask: Ask])[] = [
  ['tile', 400, ({ item, random }, token) => freshTile(item, token, Math.floor(random() * 3000))],
  ['search', 250, (_, token) => callOf('stac.search', { limit: 20 }, token)],
  ['list', 100, ({ project }, token) => callOf('items.list', { project_id: project, limit: 20 }, token)],
  ['item', 80, itemOf],
  [
    'statistics',
    30,
    ({ item }, token, turn) => callOf('items.tile.statistics', { item_id: item, expression: `b1+${turn % 50}` }, token),
  ],
  ['sign-in', 30, () => signIn],
  ['order', 6, orderOf],
  [
    'upload',
    4,
    ({ url, project, image }, token, turn) =>
      uploadFile(createClient({ base: url, token }), project, `soak_${turn}.tif`, image),
  ],
]

function itemOf({ project }: Load, token: string, turn: number): Sending {
  const input = {
    project_id: project,
    name: `soak ${turn}`,
    type: 'user_raster',
    bbox: [1, 2, 3, 4],
    properties: { turn },
  }
  return callOf('items.create', input, token)
}

function orderOf({ offer }: Load, token: string, turn: number): Sending {
  const request = callOf('orders.archive.place', { captures: offer }, token)
  return { ...request, headers: { ...request.headers, 'idempotency-key': `soak-${turn}` } }
}

/**
 * A server with 96 MiB of caches under ninety mixed calls per second, for an hour or the given minutes: prints its memory
 * every minute. In the second half the memory must not grow.
 */
export async function proveSoak({ short, seed, minutes = short ? 1 : usual_minutes }: ProofOptions): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-soak-'))
  const reports = join(folder, 'reports')
  await mkdir(reports)
  const database = process.env['DATABASE_URL']
  const environment = withAdministrator({
    ...(database ? await postgresSettings(database) : { DATABASE_URL: '', PORT: '0' }),
    SWATH_DATA_DIR: join(folder, 'data'),
    SWATH_SOAK_REPORTS: reports,
    RASTER_CACHE_MIB: '64',
    TILE_CACHE_MIB: '32',
    MAX_WAIT_MS: '',
  })
  const server = await startServer(environment, undefined, [...process.execArgv, '--import', preload])
  try {
    const load = await prepareLoad(server.url, seed)
    const samples = await run(load, minutes, () => readMemory(server.pid, reports))
    return { tried: `${minutes} minutes of ${calls_per_s} calls/s`, violations: judge(samples, minutes) }
  } finally {
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function prepareLoad(url: string, seed: number): Promise<Load> {
  const token = tokenSource(url, administrator)
  const client = createClient({ base: url, token })
  const { projects } = await client.call<{ projects: { id: string }[] }>('projects.list', {})
  const project = projects[0]!.id
  const search = { host_name: 'open', limit: 1 }
  const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', search)
  const offer = features.map(({ id, geometry }) => ({ id, geometry, host: 'open' }))
  const image = new Uint8Array(await cogBytes(scene))
  const { item_ids } = await uploadFile(client, project, 'soak_20240601.tif', image)
  return { url, token, project, item: item_ids[0]!, image, offer, random: randomFrom(seed) }
}

interface Minute {
  readonly tally: Tally
  readonly times: number[]
}

/** Calls are sent on schedule, whether earlier ones have a response or not (open loop). */
async function run(load: Load, minutes: number, read: () => Promise<MemorySample>): Promise<MemorySample[]> {
  const agent = keptConnections(64)
  const samples: MemorySample[] = []
  let minute: Minute = { tally: new Map(), times: [] }
  console.log(`start: ${describe(await read())}`)
  const start = performance.now()
  let turn = 0
  for (let passed = 1; passed <= minutes; passed++) {
    while (performance.now() - start < passed * 60_000) {
      const due = Math.floor(((performance.now() - start) / 1000) * calls_per_s)
      for (; turn < due; turn++) void callOne(load, turn, minute, agent)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const sample = await read()
    samples.push(sample)
    console.log(
      `minute ${passed}: ${describe(sample)}; p95 ${quantile(minute.times, 0.95).toFixed(0)} ms, ${describeTally(minute.tally)}`,
    )
    minute = { tally: new Map(), times: [] }
  }
  agent.destroy()
  return samples
}

async function callOne(
  load: Load,
  turn: number,
  minute: Minute,
  agent: ReturnType<typeof keptConnections>,
): Promise<void> {
  const [name, , ask] = chosen(load.random())
  const begun = performance.now()
  try {
    const asked = ask(load, await load.token(), turn)
    if (asked instanceof Promise) await asked
    const outcome = asked instanceof Promise ? '200' : (await send(load.url, asked, agent, patience_ms)).outcome
    count(minute.tally, outcome.startsWith('2') ? name : `${name} ${outcome}`)
    minute.times.push(performance.now() - begun)
  } catch (error) {
    count(minute.tally, `${name}: ${(error as Error).message.slice(0, 60)}`)
  }
}

function chosen(chance: number): (typeof mix)[number] {
  let left = chance * mix.reduce((sum, [, parts]) => sum + parts, 0)
  for (const row of mix) {
    left -= row[1]
    if (left < 0) return row
  }
  return mix[0]!
}

const inMiB = (bytes: number): string => (bytes / mebibyte).toFixed(0)

const describe = (sample: MemorySample): string =>
  `RSS ${inMiB(sample.rss)} (anonymous ${inMiB(sample.anonymous)}), heap ${inMiB(sample.heap_used)} of ${inMiB(sample.heap_total)}, ` +
  `external ${inMiB(sample.external)}, array buffers ${inMiB(sample.array_buffers)}, native ${inMiB(sample.native)} MiB, ${sample.threads} threads`

function judge(samples: readonly MemorySample[], minutes: number): string[] {
  const half = samples.slice(Math.floor(samples.length / 2)).map(({ rss }) => rss / mebibyte)
  const growth = slopeOf(half)
  console.log(`in the second half RSS grew by ${growth.toFixed(2)} MiB/min`)
  if (minutes < judged_minutes || growth <= growth_limit_mib_per_min) return []
  return [`RSS grew by ${growth.toFixed(2)} MiB/min, more than ${growth_limit_mib_per_min}`]
}
