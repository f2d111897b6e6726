import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import type { Database } from '../../src/platform/database/database.ts'
import { distributeTenantTables } from '../../src/platform/database/distribution/distribute.ts'
import { postgres_roles } from '../../src/platform/database/driver.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'

/** The URLs of the nodes of `SWATH_TEST_CITUS`, the coordinator first; null if none are set. */
export function listCitusNodes(): readonly string[] | null {
  const nodes = (process.env['SWATH_TEST_CITUS'] ?? '').split(',').filter(Boolean)
  return nodes.length === 0 ? null : nodes
}

/** Settings of a server whose database is on the cluster: a statement that leaves its shard is an error. */
export function createCitusSettings(database_url: string): Readonly<Record<string, string>> {
  const [coordinator] = listCitusNodes() ?? []
  const isOnCluster = coordinator !== undefined && new URL(coordinator).host === new URL(database_url).host
  return isOnCluster ? { SWATH_DATABASE_MODE: 'citus-strict' } : {}
}

/** The same server with another database. */
export function toDatabaseUrl(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

export async function withServerClient(server: string, action: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await action(client)
  } finally {
    await client.end()
  }
}

/** Two shards of each table: one for each worker, which a test fills in a second. */
const test_shards = 2

/** Text of the code that distributes: a template made by other code is not used. */
export const readDistributionVersion = (): string =>
  ['distribute.ts', 'node-commands.ts', 'plan.ts', 'rebalance.ts', '../../../../test/citus/cluster.ts']
    .map((file) => readFileSync(new URL(`../../src/platform/database/distribution/${file}`, import.meta.url), 'utf8'))
    .join('\0')

/**
 * Creates a database of this name on each node, and fills and distributes it from the coordinator. It has the name when it
 * is whole, and nothing can connect to it, so that it can be copied on each node.
 */
export async function createDistributedDatabase(
  nodes: readonly string[],
  wholeName: string,
  fill: (database: Database) => Promise<unknown>,
  shards = test_shards,
): Promise<void> {
  const [coordinator] = nodes
  const name = `${wholeName}_unfinished`
  for (const node of nodes) {
    await withServerClient(node, async (client) => {
      for (const former of [name, wholeName]) await client.query(`drop database if exists ${former} with (force)`)
      await client.query(`create database ${name}`)
    })
    await withServerClient(toDatabaseUrl(node, name), (client) =>
      client.query('create extension postgis; create extension citus'),
    )
  }
  await withServerClient(toDatabaseUrl(coordinator!, name), (client) => joinNodes(client, nodes))
  const database = await openPostgres({
    url: toDatabaseUrl(coordinator!, name),
    pool_size: 2,
    statement_timeout_ms: 60_000,
  })
  try {
    await fill(database)
    await withServerClient(toDatabaseUrl(coordinator!, name), admitRoles)
    await distributeTenantTables(database, { shards })
  } finally {
    await database.close()
  }
  for (const node of nodes) await withServerClient(node, (client) => closeDatabase(client, name))
  // The coordinator last: the template exists if it has it.
  for (const node of nodes.toReversed())
    await withServerClient(node, (client) => client.query(`alter database ${name} rename to ${wholeName}`))
}

async function joinNodes(client: Client, nodes: readonly string[]): Promise<void> {
  const [coordinator, ...workers] = nodes.map((node) => new URL(node))
  await client.query('select citus_set_coordinator_host($1, $2::integer)', [coordinator!.hostname, coordinator!.port])
  for (const { hostname, port } of workers)
    await client.query('select citus_add_node($1, $2::integer)', [hostname, port])
}

/** Citus enters its workers as the role that a transaction has set, and gives roles there the attributes that they have here. */
async function admitRoles(client: Client): Promise<void> {
  for (const role of [postgres_roles.app, postgres_roles.across]) await client.query(`alter role ${role} login`)
}

/** Ends the sessions, also that of the maintenance daemon, which begins again with the next connection. */
async function closeDatabase(client: Client, name: string): Promise<void> {
  await client.query(`alter database ${name} allow_connections false`)
  await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [name])
}

/** Options of a test of what a cluster does not have, for a reason that the run prints. */
export const skipOnCitus = (reason: string): { readonly skip: string | false } => ({
  skip: listCitusNodes() === null ? false : `not on Citus: ${reason}`,
})
