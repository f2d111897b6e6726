import { spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import { baseUrlPlaceholder } from '../../../packages/server/src/domains/items/search/search-features.ts'
import type { ItemDestination } from './load.ts'
import { kinds } from './scenes.ts'
import { startService, type ServiceProcess } from '../../prove/harness/programs.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'

const install = join(import.meta.dirname, 'install-pgstac.sh')

/** Properties used in filters and sorting, registered so that pgstac indexes them. */
const queryables = [
  ['platform', 'string'],
  ['view:sun_elevation', 'number'],
  ['quality', 'number'],
  ['eo:cloud_cover', 'number'],
  ['gsd', 'number'],
] as const

function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = process.env): void {
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment })
  if (status !== 0) throw new Error(`${program} ${args[0] ?? ''} ended with ${status}`)
}

/** Writes all Features as NDJSON, exactly as the product returns them. */
async function writeLines(url: string, { organization }: ItemDestination, base: string, path: string): Promise<void> {
  const pool = new Pool({ connectionString: url, max: 1 })
  const file = createWriteStream(path)
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await pool.query<{ item_id: string; feature: string }>(
      'select item_id, feature from item_features where organization_id = $1 and item_id > $2 order by item_id limit 2000',
      [organization, last],
    )
    if (rows.length === 0) break
    last = rows.at(-1)!.item_id
    if (!file.write(rows.map(({ feature }) => `${feature.replaceAll(baseUrlPlaceholder, base)}\n`).join('')))
      await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
  await pool.end()
}

export const pgstacCollection = (id: string, description: string) => ({
  id,
  type: 'Collection',
  stac_version: '1.0.0',
  description,
  license: 'proprietary',
  links: [],
  extent: { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [['2015-01-01T00:00:00Z', null]] } },
})

/** The folder in which pgstac is installed, and its database. */
export interface PgstacInstallation {
  readonly folder: string
  readonly url: string
}

/** Environment variables of the database for PostgreSQL programs and pgstac. */
const pgstacEnvironment = ({ url }: PgstacInstallation): NodeJS.ProcessEnv => {
  const { hostname, port, username, password, pathname } = new URL(url)
  return {
    ...process.env,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username || 'postgres',
    PGPASSWORD: password || 'none',
    PGDATABASE: pathname.slice(1),
  }
}

const pythonOf = (folder: string): string => join(folder, 'pgstac/bin/python')

/** Installs pgstac unless it is installed. */
export function installPgstac(folder: string): void {
  const installed = spawnSync(pythonOf(folder), ['-c', 'import stac_fastapi.pgstac.app'])
  if (installed.status !== 0) run(install, [join(folder, 'pgstac')])
}

/** Runs a command of pypgstac on the database. */
export const runPypgstac = (installation: PgstacInstallation, ...args: string[]): void =>
  run(pythonOf(installation.folder), ['-m', 'pypgstac.pypgstac', ...args], pgstacEnvironment(installation))

/** Loads files of collections and items into a database, which is migrated first. */
export function loadFiles(installation: PgstacInstallation, collections: string, items: string): void {
  runPypgstac(installation, 'migrate')
  runPypgstac(installation, 'load', 'collections', collections, '--method', 'insert_ignore')
  runPypgstac(installation, 'load', 'items', items, '--method', 'insert_ignore', '--chunksize', '5000')
}

/** Installs pgstac if needed and fills its database from ours: the same items, counts on, queryables registered. */
export async function fillPgstac(
  installation: PgstacInstallation,
  ours: string,
  destination: ItemDestination,
  base: string,
): Promise<void> {
  const start = performance.now()
  const { folder } = installation
  installPgstac(folder)
  runPypgstac(installation, 'migrate')
  const client = new Client({ connectionString: installation.url })
  await client.connect()
  await client.query("set search_path = pgstac, public; update pgstac_settings set value = 'on' where name = 'context'")
  for (const [name, type] of queryables) {
    await client.query(
      `insert into pgstac.queryables (name, property_wrapper, property_index_type, definition)
       values ($1, $2, 'BTREE', $3) on conflict do nothing`,
      [name, type === 'string' ? 'to_text' : 'to_float', JSON.stringify({ type })],
    )
  }
  const [lines, collections] = [join(folder, 'items.ndjson'), join(folder, 'collections.ndjson')]
  await writeLines(ours, destination, base, lines)
  await writeFile(
    collections,
    destination.collections.map((id, at) => JSON.stringify(pgstacCollection(id, kinds[at]!.name))).join('\n'),
  )
  loadFiles(installation, collections, lines)
  await rm(lines)
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ items: string; version: string }>(
    'select count(*) as items, pgstac.get_version() as version from pgstac.items',
  )
  await client.end()
  const { version, items } = rows[0]!
  console.log(`pgstac ${version}: ${items} items written in ${((performance.now() - start) / 1000).toFixed(0)} s`)
}

/** Starts stac-fastapi with one process, as for the product, and the same number of connections. */
export async function servePgstac(installation: PgstacInstallation, connections: number): Promise<ServiceProcess> {
  const port = await freePort()
  const app = ['-m', 'uvicorn', 'stac_fastapi.pgstac.app:create_app', '--factory', '--workers', '1']
  return startService({
    program: pythonOf(installation.folder),
    args: [...app, '--port', String(port), '--log-level', 'warning'],
    environment: { ...pgstacEnvironment(installation), DB_MIN_CONN_SIZE: '1', DB_MAX_CONN_SIZE: String(connections) },
    url: `http://127.0.0.1:${port}`,
  })
}
