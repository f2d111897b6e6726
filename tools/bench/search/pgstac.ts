import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { createServer } from 'node:net'
import { Client, Pool } from 'pg'
import { baseMark } from '../../../packages/server/src/domains/items/written-features.ts'
import type { Holdings } from './load.ts'
import { kinds } from './scenes.ts'

export interface Peer {
  readonly url: string
  stop(): Promise<void>
}

const install = join(import.meta.dirname, 'install-pgstac.sh')

/** Properties that filters and orders name, with the indexes that pgstac makes for them. */
const queryables = ['platform', 'view:sun_elevation', 'quality', 'eo:cloud_cover', 'gsd']

function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = process.env): void {
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment })
  if (status !== 0) throw new Error(`${program} ${args[0] ?? ''} ended with ${status}`)
}

/** Writes the Features of the holdings as lines, just as the product answers them. */
async function writeLines(url: string, { organization }: Holdings, base: string, path: string): Promise<void> {
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
    if (!file.write(rows.map(({ feature }) => `${feature.replaceAll(baseMark, base)}\n`).join('')))
      await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
  await pool.end()
}

const collectionOf = (id: string, name: string): string =>
  JSON.stringify({
    id,
    type: 'Collection',
    stac_version: '1.0.0',
    description: name,
    license: 'proprietary',
    links: [],
    extent: { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [['2015-01-01T00:00:00Z', null]] } },
  })

/** pgstac in a database of its own on the same server, with the same items, its counts on and its queryables registered. */
export async function startPgstac(
  folder: string,
  server: { readonly from: string; readonly to: string },
  holdings: Holdings,
  base: string,
): Promise<Peer> {
  const peer = join(folder, 'pgstac')
  if (spawnSync(join(peer, 'bin/python'), ['-c', 'import stac_fastapi.pgstac.app']).status !== 0) run(install, [peer])
  const { hostname, port, username, password, pathname } = new URL(server.to)
  const environment = {
    ...process.env,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username || 'postgres',
    PGPASSWORD: password || 'none',
    PGDATABASE: pathname.slice(1),
  }
  const start = performance.now()
  const pypgstac = join(peer, 'bin/pypgstac')
  run(pypgstac, ['migrate'], environment)
  const client = new Client({ connectionString: server.to })
  await client.connect()
  await client.query("set search_path = pgstac, public; update pgstac_settings set value = 'on' where name = 'context'")
  for (const name of queryables) {
    await client.query(
      `insert into pgstac.queryables (name, property_wrapper, property_index_type, definition) values ($1, $2, 'BTREE', $3)
       on conflict do nothing`,
      [
        name,
        name === 'platform' ? 'to_text' : 'to_float',
        JSON.stringify({ type: name === 'platform' ? 'string' : 'number' }),
      ],
    )
  }
  const [lines, collections] = [join(folder, 'items.ndjson'), join(folder, 'collections.ndjson')]
  await writeLines(server.from, holdings, base, lines)
  const file = createWriteStream(collections)
  file.end(holdings.collections.map((id, index) => collectionOf(id, kinds[index]!.name)).join('\n'))
  await once(file, 'finish')
  run(pypgstac, ['load', 'collections', collections, '--method', 'insert_ignore'], environment)
  run(pypgstac, ['load', 'items', lines, '--method', 'insert_ignore', '--chunksize', '5000'], environment)
  await client
    .query(
      'set search_path = pgstac, public; select pgstac.update_partition_stats_q(partition) from pgstac.partitions_view',
    )
    .catch(() => undefined)
  await client.query('analyze')
  const { rows } = await client.query<{ n: string; v: string }>(
    'select count(*) n, pgstac.get_version() v from pgstac.items',
  )
  await client.end()
  console.log(`pgstac ${rows[0]!.v}: ${rows[0]!.n} items in ${((performance.now() - start) / 1000).toFixed(0)} s`)
  return serve(peer, environment)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** One process, as of the product. */
async function serve(peer: string, environment: NodeJS.ProcessEnv): Promise<Peer> {
  const port = await freePort()
  const child = spawn(
    join(peer, 'bin/python'),
    [
      '-m',
      'uvicorn',
      'stac_fastapi.pgstac.app:app',
      '--port',
      String(port),
      '--workers',
      '1',
      '--log-level',
      'warning',
    ],
    {
      env: {
        ...environment,
        POSTGRES_USER: environment['PGUSER'],
        POSTGRES_PASS: environment['PGPASSWORD'],
        POSTGRES_HOST: environment['PGHOST'],
        POSTGRES_HOST_READER: environment['PGHOST'],
        POSTGRES_HOST_WRITER: environment['PGHOST'],
        POSTGRES_PORT: environment['PGPORT'],
        POSTGRES_DBNAME: environment['PGDATABASE'],
        DB_MIN_CONN_SIZE: '1',
        DB_MAX_CONN_SIZE: '10',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 120; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) break
  }
  const gone = once(child, 'exit')
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await gone
    },
  }
}
