import { createTokenSource } from '@swath/client/tokens.ts'
import { listCitusNodes } from '../../../packages/server/test/citus/cluster.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { readCpuTime } from '../../prove/harness/process-tree.ts'
import { createOperationCall, type HttpCall } from '../../prove/load/sender.ts'
import type { Tenant } from '../../prove/load/tenants.ts'
import { alternate, describeMachine, median, ratiosOf, type Figure } from '../runner.ts'
import { limitProcesses } from './processor-share.ts'
import { measureRequests, type RequestLoadResult } from './request-load.ts'
import { findPostmaster, startWorkerSide, type WorkerSide } from './worker-sides.ts'

export interface CitusWorkersOptions {
  readonly rounds: number
  readonly duration_ms: number
  /** Part of the names of the workloads to run; empty for all. */
  readonly only: string
  /** Of a core, for each PostgreSQL that is limited. */
  readonly share: number
  readonly items: number
}

const min_second_worker = 1.7
const callers = 16
const organizations = 12
const warm_up_ms = 4_000

/** The nodes that have the share; the API process and the load have what is left of the machine. */
const limits = [
  { name: 'all nodes limited', isLimited: () => true, isEnforced: false },
  { name: 'only workers limited', isLimited: (node: number) => node > 0, isEnforced: true },
] as const

/** Requests of one kind, in turn for each organization. */
interface TenantWorkload {
  readonly name: string
  readonly request: (tenant: Tenant, number: number) => HttpCall
}

/** What a round has measured, and the CPU seconds of each process in it for each second. */
interface RoundResult extends RequestLoadResult {
  readonly cores: Readonly<Record<string, number>>
}

/**
 * Compares a cluster whose shards are on two workers with one that has them on one, both on the nodes of `SWATH_TEST_CITUS`, each with
 * its own API process, in alternating rounds. Each PostgreSQL has a small share of a core, as on a machine of its own, once with
 * the coordinator and once without: a second worker helps as far as the worker is what limits.
 */
export async function compareCitusWorkers(options: CitusWorkersOptions): Promise<Figure[]> {
  const nodes = listCitusNodes()
  if (nodes === null || nodes.length < 3) throw new Error('set SWATH_TEST_CITUS to a coordinator and two workers')
  console.log(
    `${describeMachine()}; ${options.rounds} rounds of ${options.duration_ms / 1000} s, ${callers} callers of ${organizations} organizations`,
  )
  const sizes = { organizations, items: options.items }
  // This one first: it creates the roles, which belong to the servers, on all nodes.
  await using two = await startWorkerSide(nodes.slice(0, 3), sizes)
  await using one = await startWorkerSide(nodes.slice(0, 2), sizes)
  const sides = [one, two]
  const postmasters = await Promise.all(nodes.slice(0, 3).map(findPostmaster))
  const figures: Figure[] = []
  for (const name of workloadNames.filter((each) => each.includes(options.only))) {
    // Anew, because the tokens of users expire before the last of them is measured.
    const workloads = await Promise.all(sides.map((side) => createWorkload(side, name)))
    for (const [index, side] of sides.entries()) await measureSide(side, workloads[index]!, postmasters, warm_up_ms)
    for (const limit of limits) {
      const limited = postmasters.filter((_, node) => limit.isLimited(node))
      const endLimits = await limitProcesses(limited, options.share)
      const measured = sides.map(
        (side, index) => () => measureSide(side, workloads[index]!, postmasters, options.duration_ms),
      )
      const results = await alternate(options.rounds, ...measured).finally(endLimits)
      const [ofOne = [], ofTwo = []] = results.map((rounds) => rounds.map(({ per_s }) => per_s))
      const value = median(ratiosOf(ofTwo, ofOne))
      for (const [index, { name: side }] of sides.entries())
        console.log(`${name}, ${limit.name} (${options.share}), ${side}: ${describeRounds(results[index]!)}`)
      figures.push({
        name: `scale: ${name}, ${limit.name}: two workers / one`,
        value,
        must: limit.isEnforced ? min_second_worker : 0,
        aim: min_second_worker,
      })
    }
  }
  return figures
}

const workloadNames = ['items.list', 'stac.search', 'collections.create', 'orders.archive.place'] as const

async function createWorkload({ server, tenants, captures }: WorkerSide, name: string): Promise<TenantWorkload> {
  // Orders need a user: an API key may not place them without a confirmation.
  const tokens = new Map<Tenant, string>()
  if (name === 'orders.archive.place')
    for (const tenant of tenants) tokens.set(tenant, await createTokenSource(server.url, tenant.login)())
  const requests: Readonly<Record<string, TenantWorkload['request']>> = {
    'items.list': ({ project, api_key }) => createOperationCall(name, { project_id: project, limit: 20 }, api_key),
    'stac.search': ({ api_key }, number) => {
      const west = ((number * 37) % 300) - 150
      return createOperationCall(name, { bbox: [west, -40, west + 20, 60], limit: 10 }, api_key)
    },
    'collections.create': ({ project, api_key }) =>
      createOperationCall(name, { project_id: project, name: newId() }, api_key),
    'orders.archive.place': (tenant) => {
      const call = createOperationCall(name, { captures }, tokens.get(tenant)!)
      return { ...call, headers: { ...call.headers, 'idempotency-key': newId() } }
    },
  }
  return { name, request: requests[name]! }
}

async function measureSide(
  { server, tenants }: WorkerSide,
  { request }: TenantWorkload,
  postmasters: readonly number[],
  duration_ms: number,
): Promise<RoundResult> {
  const processes = { API: server.pid, coordinator: postmasters[0]!, worker: postmasters[1]!, other: postmasters[2]! }
  const readAll = () => Promise.all(Object.values(processes).map(readCpuTime))
  const [before, start] = [await readAll(), performance.now()]
  const result = await measureRequests({
    urls: [server.url],
    request: (number) => request(tenants[number % tenants.length]!, number),
    callers,
    duration_ms,
  })
  const took_s = (performance.now() - start) / 1000
  const after = await readAll()
  const cores = Object.fromEntries(
    Object.keys(processes).map((name, index) => [name, (after[index]! - before[index]!) / took_s]),
  )
  return { ...result, cores }
}

/** Medians of the rounds; of each process the cores that it used, and the CPU time of a call. */
function describeRounds(rounds: readonly RoundResult[]): string {
  const of = (read: (round: RoundResult) => number): number => median(rounds.map(read))
  const processes = Object.keys(rounds[0]!.cores).map((name) => {
    const cores = of((round) => round.cores[name]!)
    return `${name} ${cores.toFixed(2)} cores, ${of((round) => (1000 * round.cores[name]!) / round.per_s).toFixed(1)} ms`
  })
  const times = `p50 ${of(({ p50_ms }) => p50_ms).toFixed(0)} ms, p99 ${of(({ p99_ms }) => p99_ms).toFixed(0)} ms`
  return `${of(({ per_s }) => per_s).toFixed(1)}/s, ${times}; ${processes.join('; ')}; ${of(({ failed }) => failed)} failed`
}
