import { toDatabaseUrl, withServerClient } from '../../../packages/server/test/citus/cluster.ts'
import { markOnAllNodes } from '../../../packages/server/src/platform/database/distribution/leakproof-functions.ts'
import { logsPartitionedByDay } from '../../../packages/server/src/platform/database/partitions/log-partitions.ts'
import { runCiScript } from '../harness/programs.ts'
import { prepareServer, type PlainInstallation } from './plain-installation.ts'

const worker_count = 2

/** Starts servers that become workers, with roles and database as on the first one. */
export async function startWorkers({ started }: PlainInstallation): Promise<string[]> {
  const workers: string[] = []
  for (let number = 0; number < worker_count; number++) {
    const worker = await runCiScript('citus.sh', 'worker')
    started.push(worker)
    const url = await prepareServer(worker)
    await withServerClient(url, (client) => client.query('create extension citus'))
    workers.push(worker)
  }
  return workers
}

/** Restarts the PostgreSQL with the library of the extension and the settings of a node. */
export const loadExtension = ({ server }: PlainInstallation): Promise<string> =>
  runCiScript('citus.sh', 'extend', server)

/** Makes the PostgreSQL the coordinator of the workers, as docs/operate/many-hosts.md says; nothing is moved. */
export async function joinWorkers({ database_url }: PlainInstallation, workers: readonly string[]): Promise<void> {
  await withServerClient(database_url, async (client) => {
    await client.query('create extension citus')
    await client.query('select citus_set_coordinator_host($1, $2::integer)', splitHostAndPort(database_url))
    for (const worker of workers) await client.query('select citus_add_node($1, $2::integer)', splitHostAndPort(worker))
    await client.query('alter role swath_app login')
    await client.query('alter role swath_across login')
    await client.query(markOnAllNodes)
  })
}

const splitHostAndPort = (url: string): [host: string, port: number] => [
  new URL(url).hostname,
  Number(new URL(url).port),
]

/** The MiB of the database on each server, in this order. */
export async function readDatabaseSizes(database_url: string, servers: readonly string[]): Promise<number[]> {
  const name = new URL(database_url).pathname.slice(1)
  const sizes: number[] = []
  for (const server of servers)
    await withServerClient(toDatabaseUrl(server, name), async (client) => {
      const { rows } = await client.query<{ mib: number }>(
        'select (pg_database_size(current_database()) / 1048576)::integer as mib',
      )
      sizes.push(rows[0]!.mib)
    })
  return sizes
}

/** The number of tables of organizations that are distributed. */
export const countDistributedTables = (database_url: string): Promise<number> =>
  readNumber(database_url, `select count(*) as number from pg_dist_partition where partmethod = 'h'`)

/** The bytes of rows that the coordinator still has of tables whose rows are on the workers. */
export const readHiddenSize = (database_url: string): Promise<number> =>
  readNumber(database_url, 'select coalesce(sum(pg_relation_size(logicalrelid)), 0) as number from pg_dist_partition')

/** The shards of all tables, and of the logs among them. */
export async function countShards(database_url: string): Promise<{ readonly all: number; readonly ofLogs: number }> {
  const count = 'select count(*) as number from pg_dist_shard'
  const logs = logsPartitionedByDay.map((name) => `'public.${name}'::regclass`).join(', ')
  const ofLogs = await readNumber(database_url, `${count} where logicalrelid in (${logs})`)
  return { all: await readNumber(database_url, count), ofLogs }
}

async function readNumber(database_url: string, statement: string): Promise<number> {
  let number = 0
  await withServerClient(database_url, async (client) => {
    const { rows } = await client.query<{ number: string }>(statement)
    number = Number(rows[0]!.number)
  })
  return number
}
