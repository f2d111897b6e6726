import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient, type Client } from '@swath/client'
import { createTokenSource } from '@swath/client/tokens.ts'
import { Pool } from 'pg'
import { createTestDatabase } from '../../../packages/server/test/database.ts'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import { postgresSettings, startServer, type ServerProcess } from '../../prove/server-process.ts'
import type { Figure } from '../figure.ts'

const callers = [1, 16, 64]
const min_ratio = 2
const login = { username: 'admin@example.com', password: 'bench bench bench' }

/**
 * Orders per second on one wallet, with one caller and with many, and where the time goes: activity of the database sessions,
 * and CPU use of the server. `--seconds` of each.
 */
export async function benchOrders(args: readonly string[]): Promise<readonly Figure[]> {
  const { values } = parseArgs({ args: [...args], options: { seconds: { type: 'string', default: '10' } } })
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'processor'}; ${values.seconds} s of each`)
  return withPostgresServer((server) => onPostgres(server, 1000 * Number(values.seconds)))
}

async function onPostgres(server: string, duration_ms: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-bench-orders-'))
  const { url, drop } = await createTestDatabase(server)
  const serverProcess = await startServer({
    SWATH_DATA_DIR: folder,
    ...(await postgresSettings(url)),
    DATABASE_POOL: '20',
    SWATH_ADMIN_EMAIL: login.username,
    SWATH_ADMIN_PASSWORD: login.password,
  })
  const pool = new Pool({ connectionString: url, max: 1 })
  try {
    const client = createClient({ baseUrl: serverProcess.url, token: createTokenSource(serverProcess.url, login) })
    const placeOrder = await prepare(client)
    await placeUntil(placeOrder, 4, 1000)
    const rates: number[] = []
    for (const count of callers) rates.push(await measure({ serverProcess, pool, placeOrder, count, duration_ms }))
    const [alone = NaN, ...more] = rates
    return [
      { name: 'orders of one wallet by many callers / by one', value: Math.max(...more) / alone, must: min_ratio },
    ]
  } finally {
    await pool.end()
    await serverProcess.kill()
    await drop()
    await rm(folder, { recursive: true, force: true })
  }
}

type PlaceOrder = () => Promise<unknown>

/** Fills the wallet and returns a function that orders one priced scene. */
async function prepare(client: Client): Promise<PlaceOrder> {
  const me = await client.call<{ organization: { id: string } }>('users.me')
  const adjustment = { organization_id: me.organization.id, amount_credits: 1_000_000_000, reason: 'bench' }
  await client.call('admin.orgs.credit_adjust', adjustment)
  const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', {
    host_name: 'commercial',
    limit: 1,
  })
  const captures = features.map(({ id, geometry }) => ({ id, geometry, host: 'commercial' }))
  let number = 0
  return () => client.call('orders.archive.place', { captures }, { idempotencyKey: `bench-orders-${(number += 1)}` })
}

/** Each caller places the next order when the previous one is placed; returns the number of orders. */
async function placeUntil(placeOrder: PlaceOrder, count: number, duration_ms: number): Promise<number> {
  const end = performance.now() + duration_ms
  let placed = 0
  const call = async (): Promise<void> => {
    while (performance.now() < end) {
      await placeOrder()
      placed += 1
    }
  }
  await Promise.all(Array.from({ length: count }, call))
  return placed
}

const sampling_ms = 20

const sessionActivitySql = `
  select case
      when state = 'idle in transaction' then 'wait for the server'
      when wait_event_type = 'Lock' then 'wait for a lock'
      when wait_event_type is null then 'work'
      else 'wait for ' || wait_event_type end as what, count(*)::int as sessions
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and backend_type = 'client backend'
  group by 1`

/** Average number of sessions per activity. */
async function sampleSessions(pool: Pool, isOver: () => boolean): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  let samples = 0
  while (!isOver()) {
    const { rows } = await pool.query<{ what: string; sessions: number }>(sessionActivitySql)
    samples += 1
    for (const { what, sessions } of rows) sums.set(what, (sums.get(what) ?? 0) + sessions)
    await new Promise((resolve) => setTimeout(resolve, sampling_ms))
  }
  return new Map([...sums].map(([what, sum]) => [what, sum / samples]))
}

const ticks_s = 100

/** CPU seconds that a process has used. */
async function readCpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks_s
}

async function measure({
  serverProcess,
  pool,
  placeOrder,
  count,
  duration_ms,
}: {
  readonly serverProcess: ServerProcess
  readonly pool: Pool
  readonly placeOrder: PlaceOrder
  readonly count: number
  readonly duration_ms: number
}) {
  let isOver = false
  const [cpuBefore, start] = [await readCpuSeconds(serverProcess.pid), performance.now()]
  const sessionSamples = sampleSessions(pool, () => isOver)
  const placed = await placeUntil(placeOrder, count, duration_ms)
  isOver = true
  const took_s = (performance.now() - start) / 1000
  const usedProcessors = ((await readCpuSeconds(serverProcess.pid)) - cpuBefore) / took_s
  const sessions = [...(await sessionSamples)].map(([what, number]) => `${number.toFixed(1)} ${what}`).toSorted()
  const rate = placed / took_s
  console.log(
    `${count} ${count === 1 ? 'caller' : 'callers'}: ${rate.toFixed(0)} orders/s; the server uses ${usedProcessors.toFixed(2)} CPUs; sessions: ${sessions.join(', ')}`,
  )
  return rate
}
