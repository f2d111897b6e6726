import { mkdir } from 'node:fs/promises'
import type { Client } from '@swath/client/client.ts'
import { openDatabase } from '../../../packages/server/src/platform/database/open-database.ts'
import { getSchemaOwnerConnection } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { closeAtEnd } from '../../prove/harness/resources.ts'
import { postgresSettings, startServer, type ServerProcess } from '../../prove/harness/server-process.ts'
import { loadScenes, type ItemDestination } from './load.ts'
import { kinds } from './scenes.ts'

/** A running server with scenes, and an API key that can read them. */
export interface SearchServer {
  readonly server: ServerProcess
  readonly destination: ItemDestination
  readonly key: string
}

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
    ...(await postgresSettings(url)),
    DATABASE_POOL: String(pool_size),
    LOG_LEVEL: 'info',
  }
  const server = await startServer(environment)
  const created = await createDestination(server.client)
  await server.stop()
  await fill(data_dir, url, created.destination, count)
  await server.start()
  return { ...created, server }
}

async function createDestination(client: Client): Promise<{ destination: ItemDestination; key: string }> {
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
  const timeouts = { statement_timeout_ms: 600_000, search_timeout_ms: 600_000 }
  const settings = { database_url: url, database_pool: 4, database_mode: 'plain', data_dir, ...timeouts } as const
  await using database = closeAtEnd(await openDatabase(settings))
  await loadScenes(database, destination, count)
  // Index-only scans need the visibility map; autovacuum would update it after a while.
  for (const table of ['items', 'assets', 'item_features', 'collections', 'projects'] as const)
    await getSchemaOwnerConnection(database).query(sql`vacuum (analyze) ${sql.identifier(table, [table])}`)
}
