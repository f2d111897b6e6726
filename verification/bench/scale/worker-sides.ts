import type { Client as PostgresClient } from 'pg'
import {
  createDistributedDatabase,
  toDatabaseUrl,
  withServerClient,
} from '../../../packages/server/test/citus/cluster.ts'
import { initialDatabaseContent } from '../../../packages/server/src/initial-content.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { readParent } from '../../prove/harness/process-tree.ts'
import { findScenes } from '../../prove/harness/orders.ts'
import { createFolder, disposeWith } from '../../prove/harness/resources.ts'
import { postgresSettings, startServer, type ServerProcess } from '../../prove/harness/server-process.ts'
import { createTenants, type Tenant } from '../../prove/load/tenants.ts'
import { loadScenesOfTenants } from '../search/load.ts'

/** An installation on some of the nodes of a cluster: the coordinator and one worker, or two. */
export interface WorkerSide extends AsyncDisposable {
  readonly name: string
  readonly server: ServerProcess
  /** As many on each worker, in turn. */
  readonly tenants: readonly Tenant[]
  /** The captures of an order of one priced scene. */
  readonly captures: readonly object[]
}

interface WorkerSideSizes {
  /** That make calls; twice as many are created, of which a worker that has more than the other has some too many. */
  readonly organizations: number
  /** Of all organizations together. */
  readonly items: number
}

/** As many as an operator gets by default. */
const shards = 32
const credits = 1_000_000_000

/** Creates a database on these nodes, the coordinator first, and fills it; its disposal removes it. */
export async function startWorkerSide(nodes: readonly string[], sizes: WorkerSideSizes): Promise<WorkerSide> {
  await using resources = new AsyncDisposableStack()
  const database_url = resources.use(await createSideDatabase(nodes)).url
  const folder = resources.use(await createFolder('citus-workers'))
  const settings = {
    ...(await postgresSettings(database_url)),
    SWATH_DATABASE_MODE: 'citus',
    SWATH_DATA_DIR: folder.path,
    SWATH_SECRET: 'the master secret of the benchmark',
    // No other work than that of the calls: tasks would be of orders that were placed in an earlier round.
    SWATH_ROLE: 'serve',
    // A small share of a core makes statements slow.
    STATEMENT_TIMEOUT_MS: '600000',
    SEARCH_TIMEOUT_MS: '600000',
    // More than callers, since each of them may wait for a worker.
    DATABASE_POOL: '40',
  }
  const server = resources.use(await startServer(settings))
  const created = await createTenants(
    server.url,
    { ...settings, SWATH_ROLE: 'all' },
    { count: 2 * sizes.organizations, credits },
  )
  const tenants = await chooseBalancedTenants(database_url, created, sizes.organizations)
  await loadScenesOfTenants(database_url, tenants, sizes.items)
  await withServerClient(database_url, (client) => client.query('analyze'))
  const started = resources.move()
  return {
    name: nodes.length === 2 ? 'one worker' : `${nodes.length - 1} workers`,
    server,
    tenants,
    captures: await findScenes(server.client, 'commercial'),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

async function createSideDatabase(nodes: readonly string[]): Promise<AsyncDisposable & { readonly url: string }> {
  const name = `swath_side_${newId().replaceAll('-', '')}`
  await createDistributedDatabase(nodes, name, initialDatabaseContent.fill, shards)
  const onEachNode = async (statement: string): Promise<void> => {
    for (const node of nodes.toReversed()) await withServerClient(node, (client) => client.query(statement))
  }
  await onEachNode(`alter database ${name} allow_connections true`)
  return disposeWith({ url: toDatabaseUrl(nodes[0]!, name) }, async () => {
    await onEachNode(`alter database ${name} allow_connections false`)
    await onEachNode(`drop database if exists ${name} with (force)`)
  })
}

/** As many organizations of each worker, one of each in turn: the hashes of few organizations are not spread evenly. */
async function chooseBalancedTenants(
  database_url: string,
  tenants: readonly Tenant[],
  count: number,
): Promise<Tenant[]> {
  const workers = new Map<Tenant, number>()
  await withServerClient(database_url, async (client) => {
    for (const tenant of tenants) workers.set(tenant, await findWorker(client, tenant))
  })
  const groups = [...Map.groupBy(tenants, (tenant) => workers.get(tenant)!).values()]
  const size = Math.floor(count / groups.length)
  if (groups.some((group) => group.length < size)) throw new Error('a worker has too few of the organizations')
  return Array.from({ length: size }, (_, index) => groups.map((group) => group[index]!)).flat()
}

async function findWorker(client: PostgresClient, { organization }: Tenant): Promise<number> {
  const { rows } = await client.query<{ groupid: number }>(
    `select groupid from pg_dist_placement where shardid = get_shard_id_for_distribution_column('projects', $1::uuid)`,
    [organization],
  )
  return rows[0]!.groupid
}

/** The process of a server that has all its backends as children. */
export async function findPostmaster(server: string): Promise<number> {
  let pid = 0
  await withServerClient(server, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    pid = await readParent(rows[0]!.pid)
  })
  return pid
}
