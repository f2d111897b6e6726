import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { listCitusNodes, toDatabaseUrl, withServerClient } from '../../../packages/server/test/citus/cluster.ts'
import { rebalanceShards } from '../../../packages/server/src/platform/database/distribution/rebalance.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { resolveBeside } from '../harness/programs.ts'
import { closeAtEnd, createDatabase, createFolder, disposeWith } from '../harness/resources.ts'
import { postgresSettings, startServer } from '../harness/server-process.ts'
import { createTenantClient, createTenants, type Tenant } from '../load/tenants.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'

const script = resolveBeside(import.meta.url, '../../../.ci/citus.sh')

/** Runs the script of the cluster, while the writers go on; resolves with the last line that it prints. */
async function controlCluster(...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(script, words)
  return stdout.trim().split('\n').at(-1) ?? ''
}

const writer_count = 8

/** Writes of one tenant that were acknowledged, and the calls that were not. */
interface Writer {
  readonly tenant: Tenant
  readonly acknowledged: string[]
  readonly problems: Map<string, number>
  slowest_ms: number
}

/** Creates collections one after another until the signal. */
async function writeCollections(url: string, writer: Writer, signal: AbortSignal): Promise<void> {
  const client = createTenantClient(url, writer.tenant)
  while (!signal.aborted) {
    const start = performance.now()
    try {
      const { id } = await client.call<{ id: string }>('collections.create', {
        project_id: writer.tenant.project,
        name: `Collection ${newId()}`,
      })
      writer.acknowledged.push(id)
    } catch (error) {
      const name = (error as { status?: number }).status ?? String(error).slice(0, 80)
      writer.problems.set(String(name), (writer.problems.get(String(name)) ?? 0) + 1)
      await pause(50)
    }
    writer.slowest_ms = Math.max(writer.slowest_ms, performance.now() - start)
  }
}

/** The acknowledged collections that a tenant cannot read. */
async function findLost(url: string, { tenant, acknowledged }: Writer): Promise<string[]> {
  const client = createTenantClient(url, tenant)
  const { collections } = await client.call<{ collections: { id: string }[] }>('collections.list', {
    project_id: tenant.project,
  })
  const found = new Set(collections.map(({ id }) => id))
  return acknowledged.filter((id) => !found.has(id))
}

/** One change of the cluster under load. */
interface ClusterChange {
  readonly name: string
  readonly make: () => Promise<void>
}

const splitHostAndPort = (url: string): [host: string, port: number] => [
  new URL(url).hostname,
  Number(new URL(url).port),
]

/** What an operator does to a cluster, in this order; `started` gets the servers that this starts. */
function listClusterChanges(
  database_url: string,
  [, first, second]: readonly string[],
  started: string[],
): ClusterChange[] {
  const name = new URL(database_url).pathname.slice(1)
  const onCoordinator = (text: string, values: readonly unknown[]) => onDatabase(database_url, text, values)
  const rebalance = async (drained: string | null): Promise<void> => {
    await using database = closeAtEnd(
      await openPostgres({ url: database_url, pool_size: 2, statement_timeout_ms: 60_000 }),
    )
    await rebalanceShards(database, { drained })
  }
  return [
    { name: 'a worker is drained', make: () => rebalance(new URL(second!).host) },
    {
      name: 'a worker is added',
      make: async () => {
        const third = await controlCluster('worker')
        started.push(third)
        await withServerClient(third, (client) => client.query(`create database ${name}`))
        await withServerClient(toDatabaseUrl(third, name), (client) =>
          client.query('create extension postgis; create extension citus'),
        )
        // The copy of a template also has the name of the template among the objects that a new node gets.
        await onCoordinator(`delete from pg_dist_object where classid = 'pg_database'::regclass`, [])
        await onCoordinator('select citus_add_node($1, $2::integer)', splitHostAndPort(third))
        await rebalance(null)
      },
    },
    { name: 'a worker restarts', make: async () => void (await controlCluster('restart', first!)) },
    {
      name: 'a worker is lost, and its replica takes over',
      make: async () => {
        const replica = await controlCluster('replica', first!)
        started.push(replica)
        await pause(2_000)
        await controlCluster('kill', first!)
        await controlCluster('promote', replica)
        await onCoordinator(
          'select citus_update_node(nodeid, $3, $4::integer, true) from pg_dist_node where nodename = $1 and nodeport = $2::integer',
          [...splitHostAndPort(first!), ...splitHostAndPort(replica)],
        )
      },
    },
  ]
}

const onDatabase = (url: string, text: string, values: readonly unknown[] = []): Promise<unknown> =>
  withServerClient(url, (client) => client.query(text, [...values]))

const countAcknowledged = (writers: readonly Writer[]): number =>
  writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)

/** With the statement's detail and context, which Citus fills. */
const describeError = (error: unknown): string => {
  const { message, detail = '', where = '' } = error as { message: string; detail?: string; where?: string }
  return [message, detail, where].filter(Boolean).join('; ')
}

const settle_ms = 3_000

/**
 * Changes a cluster of Citus while tenants on all workers write: a worker is drained, another one is added, restarts, and is lost behind
 * its replica. Nothing that was acknowledged may be lost. The cluster of `SWATH_TEST_CITUS`, which `.ci/citus.sh` has started, is
 * changed, and is of no use afterwards.
 */
export async function proveCitus(_options: ProofOptions): Promise<ProofResult> {
  const nodes = listCitusNodes()
  if (nodes === null) throw new Error('set SWATH_TEST_CITUS to the cluster that .ci/citus.sh printed')
  const violations: string[] = []
  const database = await createDatabase(nodes[0]!)
  await using folder = await createFolder('citus')
  const settings = {
    ...(await postgresSettings(database.url)),
    SWATH_DATA_DIR: folder.path,
    SWATH_SECRET: 'the master secret of the proof of Citus',
    RATE_LIMIT_CALLS: '0',
  }
  await using server = await startServer(settings)
  const tenants = await createTenants(server.url, settings, { count: writer_count, credits: 1000 })
  const writers = tenants.map((tenant): Writer => ({ tenant, acknowledged: [], problems: new Map(), slowest_ms: 0 }))
  let changes = 0
  const started: string[] = []
  await using _servers = disposeWith({}, async () => {
    for (const url of started) await controlCluster('stop', url)
  })
  for (const { name, make } of listClusterChanges(database.url, nodes, started)) {
    const before = countAcknowledged(writers)
    for (const writer of writers) {
      writer.problems.clear()
      writer.slowest_ms = 0
    }
    const end = new AbortController()
    const writing = writers.map((writer) => writeCollections(server.url, writer, end.signal))
    await pause(settle_ms)
    const start = performance.now()
    await make().catch((error: unknown) => violations.push(`${name}: ${describeError(error)}`))
    const took_s = (performance.now() - start) / 1000
    await pause(settle_ms)
    const settled = countAcknowledged(writers)
    await pause(settle_ms)
    end.abort()
    await Promise.all(writing)
    if (countAcknowledged(writers) === settled) violations.push(`${name}: nothing was written afterwards`)
    // Citus itself looks once a minute for what a lost worker has prepared.
    await onDatabase(database.url, 'select recover_prepared_transactions()')
    const lost = (await Promise.all(writers.map((writer) => findLost(server.url, writer)))).flat()
    if (lost.length > 0) violations.push(`${name}: ${lost.length} acknowledged collections are lost`)
    const total = countAcknowledged(writers)
    const problems = writers.flatMap((writer) => [...writer.problems]).map(([reason, count]) => `${count} × ${reason}`)
    console.log(
      `${name}: ${took_s.toFixed(1)} s; ${total - before} writes acknowledged, ${lost.length} lost; slowest ${Math.max(...writers.map(({ slowest_ms }) => slowest_ms)).toFixed(0)} ms; problems: ${problems.join(', ') || 'none'}`,
    )
    changes++
  }
  return { tried: `${changes} changes of a cluster under load`, violations }
}
