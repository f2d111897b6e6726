import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { Pool } from 'pg'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import { findScenes } from '../../prove/harness/orders.ts'
import { readCpuTime } from '../../prove/harness/process-tree.ts'
import { createDatabase, createFolder, closeAtEnd } from '../../prove/harness/resources.ts'
import { grantCredits, postgresSettings, startServer, type ServerProcess } from '../../prove/harness/server-process.ts'
import { describeMachine, readOptions, type Figure } from '../runner.ts'

const callers = [1, 16, 64]
const min_ratio = 2

/**
 * Orders per second on one wallet, with one caller and with many, and where the time goes: activity of the database sessions,
 * and CPU use of the server. `--seconds` of each.
 */
export async function benchOrders(args: readonly string[]): Promise<readonly Figure[]> {
  const { seconds } = readOptions(args, { seconds: 10 }).values
  console.log(`${describeMachine()}; ${seconds} s of each`)
  return withPostgresServer((server) => onPostgres(server, 1000 * seconds))
}

async function onPostgres(server: string, duration_ms: number): Promise<Figure[]> {
  await using folder = await createFolder('bench-orders')
  await using database = await createDatabase(server)
  await using serverProcess = await startServer({
    SWATH_DATA_DIR: folder.path,
    ...(await postgresSettings(database.url)),
    DATABASE_POOL: '20',
  })
  await using pool = closeAtEnd(new Pool({ connectionString: database.url, max: 1 }))
  const placeOrder = await prepare(serverProcess.client)
  await placeUntil(placeOrder, 4, 1000)
  const rates: number[] = []
  for (const count of callers) rates.push(await measure({ serverProcess, pool, placeOrder, count, duration_ms }))
  const [alone = NaN, ...more] = rates
  return [{ name: 'orders of one wallet by many callers / by one', value: Math.max(...more) / alone, must: min_ratio }]
}

type PlaceOrder = () => Promise<unknown>

/** Fills the wallet and returns a function that orders one priced scene. */
async function prepare(client: Client): Promise<PlaceOrder> {
  await grantCredits(client)
  const captures = await findScenes(client, 'commercial')
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
    await pause(sampling_ms)
  }
  return new Map([...sums].map(([what, sum]) => [what, sum / samples]))
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
  const [cpuBefore, start] = [await readCpuTime(serverProcess.pid), performance.now()]
  const sessionSamples = sampleSessions(pool, () => isOver)
  const placed = await placeUntil(placeOrder, count, duration_ms)
  isOver = true
  const took_s = (performance.now() - start) / 1000
  const usedProcessors = ((await readCpuTime(serverProcess.pid)) - cpuBefore) / took_s
  const sessions = [...(await sessionSamples)].map(([what, number]) => `${number.toFixed(1)} ${what}`).toSorted()
  const rate = placed / took_s
  console.log(
    `${count} ${count === 1 ? 'caller' : 'callers'}: ${rate.toFixed(0)} orders/s; the server uses ${usedProcessors.toFixed(2)} CPUs; sessions: ${sessions.join(', ')}`,
  )
  return rate
}
