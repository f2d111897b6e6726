import { createClient } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { toDatabaseUrl, withServerClient } from '../../../packages/server/test/citus/cluster.ts'
import { loadScenesOfTenants } from '../../bench/search/load.ts'
import { copyItems } from './copy-items.ts'
import { findScenes, readOrder } from '../harness/orders.ts'
import { runCiScript } from '../harness/programs.ts'
import { createFolder, disposeWith, waitFor } from '../harness/resources.ts'
import { postgresSettings, startServer, type Environment, type ServerProcess } from '../harness/server-process.ts'
import { createTenantClient, createTenants, type Tenant } from '../load/tenants.ts'

/** An installation on one PostgreSQL without the extension, with data in it, whose processes are stopped. */
export interface PlainInstallation extends AsyncDisposable {
  /** The URLs of a superuser: of the server, and of the database on it. */
  readonly server: string
  readonly database_url: string
  /** Of the processes that serve, whose role owns nothing. */
  readonly settings: Environment
  /** Of `npm run db`: with the role that owns the schema. */
  readonly ownerSettings: Environment
  readonly tenants: readonly Tenant[]
  /** Servers that are stopped with it. */
  readonly started: string[]
}

const databaseName = 'swath'
const tenant_count = 8
const credits = 1_000_000
/** More are copies of these. */
const max_loaded_items = 40_000
const order_timeout_ms = 120_000

/** What docs/notes/database-roles.md lets a superuser do once on a server; each node of a cluster needs it, too. */
export async function prepareServer(server: string): Promise<string> {
  await withServerClient(server, async (client) => {
    await client.query('create role swath_owner login createrole')
    await client.query('create role swath_service login noinherit')
    await client.query(`create database ${databaseName} owner swath_owner`)
  })
  const url = toDatabaseUrl(server, databaseName)
  await withServerClient(url, (client) => client.query('create extension postgis'))
  return url
}

const withUser = (url: string, username: string): string => Object.assign(new URL(url), { username }).href

/** Starts a PostgreSQL and fills it: organizations with orders that were delivered, and items that are shared among them. */
export async function startPlainInstallation(items: number): Promise<PlainInstallation> {
  await using resources = new AsyncDisposableStack()
  const started: string[] = []
  resources.use(
    disposeWith({}, async () => {
      for (const url of started) await runCiScript('citus.sh', 'stop', url)
    }),
  )
  const server = await runCiScript('citus.sh', 'plain')
  started.push(server)
  const folder = resources.use(await createFolder('citus-move-in'))
  const database_url = await prepareServer(server)
  const settings: Environment = {
    ...(await postgresSettings(withUser(database_url, 'swath_service'))),
    SWATH_DATA_DIR: folder.path,
    SWATH_SECRET: 'the master secret of the proof of moving in',
  }
  const ownerSettings = { ...settings, DATABASE_MIGRATION_URL: withUser(database_url, 'swath_owner') }
  await (await startServer(ownerSettings)).stop()
  await withServerClient(database_url, (client) => client.query('select swath_mark_leakproof()'))
  const tenants = await withServer(settings, ({ url }) =>
    createTenants(url, settings, { count: tenant_count, credits }),
  )
  const loaded = Math.min(items, max_loaded_items)
  await loadScenesOfTenants(settings['DATABASE_URL']!, tenants, loaded)
  await copyItems(database_url, tenants, Math.round(items / loaded))
  await withServer(settings, async ({ url }) => {
    for (const tenant of tenants) await orderScene(url, tenant)
  })
  await withServerClient(database_url, (client) => client.query('vacuum analyze'))
  const kept = resources.move()
  return {
    server,
    database_url,
    settings,
    ownerSettings,
    tenants,
    started,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Does work with a server of the installation, which is stopped afterwards. */
async function withServer<T>(settings: Environment, work: (server: ServerProcess) => Promise<T>): Promise<T> {
  await using server = await startServer(settings)
  const result = await work(server)
  await server.stop()
  return result
}

/** Orders the first scene of a host and waits until it is delivered. */
export async function orderScene(url: string, { login }: Tenant): Promise<void> {
  const client = createClient({ baseUrl: url, token: createTokenSource(url, login) })
  const captures = await findScenes(client, 'commercial')
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures })
  const find = async () => (await readOrder(client, id)).status === 'FULFILLED'
  if (!(await waitFor(find, { timeout_ms: order_timeout_ms })))
    throw new Error(`order ${id} is ${(await readOrder(client, id)).status}`)
}

/** The number of items that each tenant finds. */
export async function countFoundItems(url: string, tenants: readonly Tenant[]): Promise<number[]> {
  const counts: number[] = []
  for (const tenant of tenants) {
    const client = createTenantClient(url, tenant)
    const { numberMatched } = await client.call<{ numberMatched: number }>('stac.search', { limit: 1 })
    counts.push(numberMatched)
  }
  return counts
}
