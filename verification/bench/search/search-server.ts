import { mkdir } from 'node:fs/promises'
import { createClient } from '@swath/client'
import { createTokenSource } from '@swath/client/tokens.ts'
import { openDatabase } from '../../../packages/server/src/platform/database/open-database.ts'
import { getOwnerConnection } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { postgresSettings, startServer, type ServerProcess } from '../../prove/server-process.ts'
import { loadScenes, type ItemDestination } from './load.ts'
import { kinds } from './scenes.ts'

/** A running server with scenes, and an API key that can read them. */
export interface SearchServer {
  readonly server: ServerProcess
  readonly destination: ItemDestination
  readonly key: string
}

const login = { username: 'admin@example.com', password: 'bench bench bench' }
export const pool_size = 10

/**
 * Starts the product on an empty database (`url`, or the embedded one), creates a project with a collection for each kind,
 * stops it, inserts the scenes and starts it again.
 */
export async function startSearchServer(folder: string, url: string | null, count: number): Promise<SearchServer> {
  const data_dir = `${folder}/${url === null ? 'embedded' : 'server'}`
  await mkdir(data_dir, { recursive: true })
  const environment = {
    SWATH_DATA_DIR: data_dir,
    PORT: '0',
    DATABASE_URL: '',
    ...(url === null ? {} : await postgresSettings(url)),
    DATABASE_POOL: String(pool_size),
    SWATH_ADMIN_EMAIL: login.username,
    SWATH_ADMIN_PASSWORD: login.password,
    LOG_LEVEL: 'info',
  }
  const first = await startServer(environment)
  const created = await createDestination(first.url)
  await first.stop()
  await fill(data_dir, url, created.destination, count)
  return { ...created, server: await startServer(environment) }
}

async function createDestination(base: string): Promise<{ destination: ItemDestination; key: string }> {
  const client = createClient({ baseUrl: base, token: createTokenSource(base, login) })
  const project = await client.call<{ id: string; organization_id: string }>('projects.create', { name: 'Bench' })
  const collections: string[] = []
  for (const { name } of kinds) {
    const created = await client.call<{ id: string }>('collections.create', { project_id: project.id, name })
    collections.push(created.id)
  }
  const { key } = await client.call<{ key: string }>('api_keys.create', { name: 'bench', permissions: ['can_read'] })
  return { destination: { organization: project.organization_id, project: project.id, collections }, key }
}

async function fill(data_dir: string, url: string | null, destination: ItemDestination, count: number): Promise<void> {
  const database = await openDatabase({
    database_url: url,
    database_pool: 4,
    database_mode: 'plain',
    statement_timeout_ms: 600_000,
    search_timeout_ms: 600_000,
    data_dir,
  })
  try {
    await loadScenes(database, destination, count)
    // Index-only scans need the visibility map; autovacuum would update it after a while.
    for (const table of ['items', 'assets', 'item_features', 'collections', 'projects'] as const) {
      await getOwnerConnection(database).query(sql`vacuum (analyze) ${sql.identifier(table, [table])}`)
    }
  } finally {
    await database.close()
  }
}
