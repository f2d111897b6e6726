import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { clientOf, serverSettings } from '../crash/crash-server.ts'
import { quantile } from '../load/samples.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../random.ts'
import { postgresSettings, startServer, type ServerProcess } from '../server-process.ts'
import { checkEvents, waitUntilEnded } from './check-deliveries.ts'
import { behavioursOf, startEndpoints, type Endpoints } from './endpoints.ts'
import { createLoad, createSubscribedProjects, type Load, type SubscribedProject } from './load.ts'

const endpoint_count = 50
const rate_per_second = 100
const max_p99_ms = 500
const short_form: Form = {
  events: 600,
  quiet_events: 300,
  kills: 2,
  isLatencyBounded: false,
  retry_s: '0, 1',
  hold_s: '1',
}
const long_form: Form = {
  events: 100_000,
  quiet_events: 6000,
  kills: 10,
  isLatencyBounded: true,
  retry_s: '0, 1, 2',
  hold_s: '11, 22',
}
const max_events = 1_000_000
/** A kill comes so long after a call was acknowledged: within its delivery, or another call. */
const max_delay_ms = 200
/** Of all deliveries: those of dead endpoints are given up about 80 s after their events. */
const ending_ms = 600_000
/** Of deliveries to healthy endpoints. What was claimed by a killed server is sent again after its lease of 20 s. */
const settling_ms = 180_000

interface Form {
  readonly events: number
  /** The last of them, without kills and at the rate whose latency is bounded. */
  readonly quiet_events: number
  readonly kills: number
  /** False for a form that runs beside others, which would be measured as well. */
  readonly isLatencyBounded: boolean
  /** The schedule of attempts, and how long endpoints that are down are held; short, so that dead letters can be waited for. */
  readonly retry_s: string
  readonly hold_s: string
}

/**
 * Events for 50 endpoints, of which 10 are dead or slow, while the server is killed: every event reaches its endpoint or the
 * dead letters, and the others do not delay the first attempts to healthy ones. On PostgreSQL with `DATABASE_URL`, otherwise
 * on the embedded database.
 */
export async function proveWebhooks({ short, seed, events }: ProofOptions): Promise<ProofResult> {
  const defaults = short ? short_form : long_form
  const count = Math.min(max_events, events ?? defaults.events)
  const form = { ...defaults, events: count, quiet_events: Math.min(defaults.quiet_events, Math.floor(count / 2)) }
  const folder = await mkdtemp(join(tmpdir(), 'swath-webhooks-'))
  const endpoints = await startEndpoints(behavioursOf(endpoint_count))
  const database_url = process.env['DATABASE_URL'] ?? ''
  const environment = {
    ...serverSettings(folder),
    ...(database_url === '' ? {} : await postgresSettings(database_url)),
    OUTSIDE_ALLOW: endpoints.origin,
    WEBHOOK_RETRY_S: form.retry_s,
    WEBHOOK_HOLD_S: form.hold_s,
  }
  let server = await startServer(environment)
  try {
    const projects = await createSubscribedProjects(clientOf(server), endpoints)
    const load = createLoad(projects, clientOf(server))
    const restart = async (): Promise<void> => {
      load.client = null
      await server.kill()
      server = await startServer(environment)
      load.client = clientOf(server)
    }
    await runDisturbed(load, form, { restart, random: createRandom(seed) })
    const quiet = await runQuiet(load, form, { client: clientOf(server), projects, endpoints })
    const { violations, summary } = await checkEnd(server, { projects, endpoints, load })
    const latencies_ms = firstAttemptLatencies(endpoints, quiet)
    const p99_ms = quantile(latencies_ms, 0.99)
    if (latencies_ms.length === 0) violations.push('no first attempt was measured')
    if (form.isLatencyBounded && !(p99_ms <= max_p99_ms))
      violations.push(`p99 of the first attempt is ${p99_ms} ms, more than ${max_p99_ms} ms`)
    await server.stop()
    const tried = `${summary}; ${form.kills} kills; first attempts at ${rate_per_second} events a second: median ${quantile(latencies_ms, 0.5)} ms, p99 ${p99_ms} ms of ${latencies_ms.length}`
    return { tried, violations }
  } finally {
    await server.kill()
    await endpoints.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Causes events while the server is killed, each time after a random number of them. */
async function runDisturbed(
  load: Load,
  { events, quiet_events, kills }: Form,
  { restart, random }: { readonly restart: () => Promise<void>; readonly random: () => number },
): Promise<void> {
  const per_kill = Math.floor(Math.max(kills, events - quiet_events) / kills)
  for (let kill = 1; kill <= kills; kill += 1) {
    const before_kill = 1 + Math.floor(random() * per_kill)
    await load.run(before_kill, null)
    const loading = load.run(per_kill - before_kill, null)
    await pause(random() * max_delay_ms)
    await Promise.all([restart(), loading])
    console.log(`kill ${kill}/${kills} after ${load.acknowledged.size} events`)
  }
}

interface Period {
  readonly begin_ms: number
  readonly end_ms: number
}

interface Subscribed {
  readonly projects: readonly SubscribedProject[]
  readonly endpoints: Endpoints
}

/** Waits for the deliveries of the killed servers to healthy endpoints; then causes events at the rate. Returns when. */
async function runQuiet(
  load: Load,
  { quiet_events }: Form,
  { client, projects, endpoints }: Subscribed & { readonly client: Client },
): Promise<Period> {
  const healthy = projects.filter((_project, endpoint) => endpoints.behaviours[endpoint] === 'healthy')
  const open = await waitUntilEnded(client, healthy, { timeout_ms: settling_ms })
  console.log(`${healthy.length - open.length} of ${healthy.length} healthy endpoints have everything`)
  const begin_ms = Date.now()
  await load.run(quiet_events, rate_per_second)
  return { begin_ms, end_ms: Date.now() }
}

/** From the event to its arrival, of events in the period for healthy endpoints. */
const firstAttemptLatencies = ({ receipts, behaviours }: Endpoints, { begin_ms, end_ms }: Period): number[] =>
  [...receipts.values()]
    .filter(
      ({ endpoint, event_ms }) => event_ms >= begin_ms && event_ms <= end_ms && behaviours[endpoint] === 'healthy',
    )
    .map(({ event_ms, received_ms }) => received_ms - event_ms)

/** Some dead endpoints move to a URL that works; what waits for the others is dead-lettered. Then every event is checked. */
async function checkEnd(
  server: ServerProcess,
  { projects, endpoints, load }: Subscribed & { readonly load: Load },
): Promise<{ violations: string[]; summary: string }> {
  const client = clientOf(server)
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
