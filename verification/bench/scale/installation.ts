import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@swath/client/client.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { findScenes } from '../../prove/harness/orders.ts'
import { resolveBeside } from '../../prove/harness/programs.ts'
import { createDatabase, createFolder, closeAtEnd } from '../../prove/harness/resources.ts'
import { createTenants, type Tenant } from '../../prove/load/tenants.ts'
import { postgresSettings, startServer, type ServerProcess } from '../../prove/harness/server-process.ts'
import { loadScenes } from '../search/load.ts'
import { createTileToken } from '../tiles/contenders.ts'

/** Two processes on one PostgreSQL and one folder of files, with organizations, items and a raster. */
export interface ScaleInstallation extends AsyncDisposable {
  readonly processes: readonly ServerProcess[]
  /** Calls of the administrator, who owns the items. */
  readonly token: () => Promise<string>
  readonly tenants: readonly Tenant[]
  /** The captures of an order of one priced scene. */
  readonly captures: readonly object[]
  /** The path of a tile of the raster, with its token; `style` are query parameters. */
  readonly tilePath: (tile: readonly [z: number, x: number, y: number], style: string) => string
}

export interface ScaleSizes {
  readonly items: number
  readonly wallets: number
  /** A GeoTIFF; the folder of the installation is made beside it, so that it can be hard-linked. */
  readonly scene: string
}

const credits = 1_000_000_000
/** Stores `BENCH_FILES` as items at the first start of an installation. */
const program = resolveBeside(import.meta.url, '../tiles/tile-app.ts')

/** Starts everything on a PostgreSQL server; its disposal removes it. */
export async function startInstallation(server: string, sizes: ScaleSizes): Promise<ScaleInstallation> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await createFolder('scale', join(sizes.scene, '..', '..')))
  const database = resources.use(await createDatabase(server))
  const settings = {
    ...(await postgresSettings(database.url)),
    SWATH_DATA_DIR: folder.path,
    SWATH_SECRET: 'the master secret of the benchmark',
    RASTER_THREADS: '1',
  }
  const files = { BENCH_FILES: JSON.stringify([sizes.scene]) }
  const first = resources.use(await startServer({ ...settings, ...files }, program))
  const tenants = await createTenants(first.url, settings, { count: sizes.wallets, credits })
  // The port of the settings is taken; requests are not redirected, so the base URL of the first process does.
  const second = resources.use(await startServer({ ...settings, PORT: '0' }, program))
  const { token, client } = first
  await loadItems(client, database.url, sizes.items)
  const [item] = Object.values(
    JSON.parse(await readFile(join(folder.path, 'items.json'), 'utf8')) as Record<string, string>,
  )
  const key = await createTileToken(client, item!)
  const started = resources.move()
  return {
    processes: [first, second],
    token,
    tenants,
    captures: await findScenes(client, 'commercial'),
    tilePath: ([z, x, y], style) => `/api/v1/items/${item}/tiles/${z}/${x}/${y}.png?${style}&key=${key}`,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

async function loadItems(client: Client, database_url: string, count: number): Promise<void> {
  const me = await client.call<{ organization: { id: string } }>('users.me')
  const { id: project } = await client.call<{ id: string }>('projects.create', { name: 'Scale' })
  const { id: collection } = await client.call<{ id: string }>('collections.create', {
    project_id: project,
    name: 'Scenes',
  })
  await using database = closeAtEnd(
    await openPostgres({ url: database_url, pool_size: 2, statement_timeout_ms: 60_000 }),
  )
  await loadScenes(database, { organization: me.organization.id, project, collections: [collection] }, count)
  await database.runScript('analyze')
}
