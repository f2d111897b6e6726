import { setTimeout as pause } from 'node:timers/promises'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import { quantile } from '../load/samples.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../harness/random.ts'
import { createDatabase, createFolder, closeAtEnd } from '../harness/resources.ts'
import { postgresSettings, startServer, type ServerProcess } from '../harness/server-process.ts'
import { checkEvents, waitUntilEnded } from './check-deliveries.ts'
import { behavioursOf, startEndpoints, type Endpoints, type Receipt } from './endpoints.ts'
import { createLoad, createSubscribedProjects, type Load, type SubscribedProject } from './load.ts'

const endpoint_count = 50
/** The rate at which the latency is bounded. */
const bounded_rate = 100
/** Less of the rate is not the load whose latency is bounded. */
const min_rate_share = 0.95
const max_p99_ms = 500
const short_form: Form = {
  events: 500,
  kills: 1,
  events_per_second: bounded_rate,
  isLatencyBounded: false,
  retry_s: '0, 1',
  hold_s: '1',
}
const long_form: Form = {
  events: 100_000,
  kills: 10,
  events_per_second: bounded_rate,
  isLatencyBounded: true,
  retry_s: '0, 1, 2',
  hold_s: '11, 22',
}
const max_events = 1_000_000
/** A kill comes so long after a call was acknowledged: within its delivery, or another call. */
const max_delay_ms = 200
const poll_ms = 20
/** Of all deliveries: those of dead endpoints are dead-lettered about 80 s after their events. */
const ending_ms = 600_000

interface Form {
  readonly events: number
  readonly kills: number
  readonly events_per_second: number
  /** False for a form that runs beside others, which would be measured as well, and at another rate. */
  readonly isLatencyBounded: boolean
  /** The schedule of attempts, and how long endpoints that are down are held; short, so that dead letters can be waited for. */
  readonly retry_s: string
  readonly hold_s: string
}

/**
 * Events at a steady rate for 50 endpoints, of which 10 are dead or slow, while the server is killed: every event reaches its
 * endpoint or the dead letters, and the first attempts to healthy endpoints are soon after their events while a server runs.
 * The long form runs on the PostgreSQL server of `DATABASE_URL` or on a temporary one: the one thread of the embedded database
 * is busy at half of this rate. The short form runs on the embedded database unless there is a `DATABASE_URL`. At another rate
 * the latency is printed and not bounded.
 */
export function proveWebhooks({ short, seed, events, rate = bounded_rate }: ProofOptions): Promise<ProofResult> {
  const defaults = short ? short_form : long_form
  const form: Form = {
    ...defaults,
    events: Math.min(max_events, events ?? defaults.events),
    events_per_second: rate,
    isLatencyBounded: defaults.isLatencyBounded && rate === bounded_rate,
  }
  if (short) return proveOn(process.env['DATABASE_URL'] ?? null, form, seed)
  return withPostgresServer(async (server) => {
    await using database = await createDatabase(server)
    return await proveOn(database.url, form, seed)
  })
}

/** @param database_url null: the embedded database. */
async function proveOn(database_url: string | null, form: Form, seed: number): Promise<ProofResult> {
  await using folder = await createFolder('webhooks')
  await using endpoints = closeAtEnd(await startEndpoints(behavioursOf(endpoint_count)))
  await using server = await startServer({
    SWATH_DATA_DIR: folder.path,
    ...(await postgresSettings(database_url)),
    OUTSIDE_ALLOW: endpoints.origin,
    WEBHOOK_RETRY_S: form.retry_s,
    WEBHOOK_HOLD_S: form.hold_s,
  })
  const projects = await createSubscribedProjects(server.client, endpoints)
  const load = createLoad(projects, server.client)
  const restart = async (): Promise<Outage> => {
    load.client = null
    const killed_ms = Date.now()
    await server.restart()
    load.client = server.client
    return { killed_ms, ready_ms: Date.now() }
  }
  const { outages, running_s } = await runLoad(load, form, { restart, random: createRandom(seed) })
  const latency = measureFirstAttempts(endpoints, outages)
  const { violations, summary } = await checkEnd(server, { projects, endpoints, load })
  await server.stop()
  const rate = load.acknowledged.size / running_s
  if (latency.running.length === 0) violations.push('no first attempt was measured')
  if (form.isLatencyBounded) violations.push(...checkBounds(latency, rate))
  const tried = `${summary}; ${form.kills} kills; ${rate.toFixed(1)} events a second while a server ran; ${describeLatency(latency)}`
  return { tried, violations }
}

/** The time in which no server ran. */
interface Outage {
  readonly killed_ms: number
  readonly ready_ms: number
}

interface Disturbance {
  readonly restart: () => Promise<Outage>
  readonly random: () => number
}

/** Causes events at the rate, while the server is killed at a random moment of each of as many equal parts of them. */
async function runLoad(
  load: Load,
  { events, kills, events_per_second }: Form,
  { restart, random }: Disturbance,
): Promise<{ outages: Outage[]; running_s: number }> {
  const outages: Outage[] = []
  const per_kill = Math.floor(events / kills)
  let hasEnded = false
  const killInEachPart = async (): Promise<void> => {
    for (let kill = 0; kill < kills; kill += 1) {
      const before_kill = kill * per_kill + 1 + Math.floor(random() * per_kill * 0.9)
      while (load.acknowledged.size < before_kill && !hasEnded) await pause(poll_ms)
      if (hasEnded) return
      await pause(random() * max_delay_ms)
      outages.push(await restart())
      console.log(`kill ${kill + 1}/${kills} after ${load.acknowledged.size} events`)
    }
  }
  const begin_ms = Date.now()
  const loading = load.run(events, events_per_second).finally(() => (hasEnded = true))
  await Promise.all([loading, killInEachPart()])
  const down_ms = outages.reduce((sum, { killed_ms, ready_ms }) => sum + ready_ms - killed_ms, 0)
  return { outages, running_s: (Date.now() - begin_ms - down_ms) / 1000 }
}

/** Milliseconds from events to their first arrivals. */
interface FirstAttempts {
  /** Of events that were written while a server ran, and not just before it was killed. */
  readonly running: readonly number[]
  readonly all: readonly number[]
}

/**
 * Of all events for healthy endpoints. An event that is written so shortly before a kill that its first attempt need not have
 * been made yet, or before a server is ready again, waits for the next one: as long as the start takes, or the lease of the
 * killed one. Nothing else is left out of `running`: what waits after a start counts.
 */
function measureFirstAttempts({ receipts, behaviours }: Endpoints, outages: readonly Outage[]): FirstAttempts {
  const healthy = [...receipts.values()].filter(({ endpoint }) => behaviours[endpoint] === 'healthy')
  const isAtKill = (event_ms: number): boolean =>
    outages.some(({ killed_ms, ready_ms }) => event_ms > killed_ms - max_p99_ms && event_ms < ready_ms)
  const latencyOf = ({ event_ms, received_ms }: Receipt): number => received_ms - event_ms
  return { running: healthy.filter(({ event_ms }) => !isAtKill(event_ms)).map(latencyOf), all: healthy.map(latencyOf) }
}

function checkBounds({ running }: FirstAttempts, rate: number): string[] {
  const p99_ms = quantile(running, 0.99)
  return [
    ...(p99_ms <= max_p99_ms ? [] : [`p99 of the first attempt is ${p99_ms} ms, more than ${max_p99_ms} ms`]),
    ...(rate >= min_rate_share * bounded_rate
      ? []
      : [`${rate.toFixed(1)} events a second were caused, not ${bounded_rate}`]),
  ]
}

const describeLatency = ({ running, all }: FirstAttempts): string =>
  `first attempts to healthy endpoints: median ${quantile(running, 0.5)} ms, p99 ${quantile(running, 0.99)} ms, ` +
  `max ${quantile(running, 1)} ms of ${running.length}; with those at kills p99 ${quantile(all, 0.99)} ms, ` +
  `max ${quantile(all, 1)} ms of ${all.length}`

interface Subscribed {
  readonly projects: readonly SubscribedProject[]
  readonly endpoints: Endpoints
}

/** Some dead endpoints move to a URL that works; what waits for the others is dead-lettered. Then every event is checked. */
async function checkEnd(
  server: ServerProcess,
  { projects, endpoints, load }: Subscribed & { readonly load: Load },
): Promise<{ violations: string[]; summary: string }> {
  const { client } = server
  const moved = ['silent', 'resetting']
  for (const [endpoint, { subscription_id }] of projects.entries()) {
    if (!moved.includes(endpoints.behaviours[endpoint]!)) continue
    await client.call('event_subscriptions.update', {
      subscription_id,
      endpoint_url: endpoints.recoveredUrlOf(endpoint),
    })
  }
  const open = await waitUntilEnded(client, projects, { timeout_ms: ending_ms, drain: true })
  const { events, delivered, dead, violations } = await checkEvents(client, {
    projects,
    endpoints,
    acknowledged: load.acknowledged,
  })
  const ends = open.map(({ subscription_id }) => `deliveries of ${subscription_id} have not ended`)
  const summary = `${events} events to ${projects.length} endpoints: ${delivered} delivered, ${dead} dead-lettered, ${endpoints.duplicates()} delivered again`
  return { violations: [...violations, ...ends], summary }
}
