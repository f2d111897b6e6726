import path from 'node:path'
import type { Database } from './database.ts'
import { findTemplateCacheFolder } from './embedded/cache-folder.ts'
import { type InitialDatabaseContent, ensureDatabaseTemplate } from './embedded/template.ts'
import { type EmbeddedDatabaseLog, prepareEmbeddedDatabase } from './embedded/open.ts'
import { type PostgresOptions, openPostgres } from './postgres.ts'
import { withSearchReplica } from './search-replica.ts'

/** The settings that select the database. */
export interface DatabaseSettings {
  readonly database_url: string | null
  /** The URL of a streaming replica for item searches; null without one. */
  readonly database_replica_url?: string | null
  readonly database_pool: number
  readonly database_mode: NonNullable<PostgresOptions['mode']>
  readonly statement_timeout_ms: number
  readonly search_timeout_ms: number
  readonly data_dir: string
}

/**
 * Opens the server of `database_url`, or the embedded database in the data folder. The schema is not changed; a new
 * embedded database starts with the initial content.
 */
export const openDatabase = async (
  settings: DatabaseSettings,
  log?: EmbeddedDatabaseLog,
  initial?: InitialDatabaseContent,
): Promise<Database> => (await createDatabaseOpener(settings, log, initial))()

/** The same in two steps: the returned function opens the database, with the work of another thread or of a server. */
export async function createDatabaseOpener(
  settings: DatabaseSettings,
  log?: EmbeddedDatabaseLog,
  initial?: InitialDatabaseContent,
): Promise<() => Promise<Database>> {
  const { database_url, database_pool, database_mode, statement_timeout_ms, search_timeout_ms, data_dir } = settings
  const { database_replica_url } = settings
  const timeouts = { statement_timeout_ms, search_timeout_ms }
  if (database_url) {
    const options = { pool_size: database_pool, mode: database_mode, ...timeouts }
    const open = (url: string): Promise<Database> => openPostgres({ ...options, url, ...(log ? { log } : {}) })
    if (!database_replica_url) return () => open(database_url)
    return async () => withSearchReplica(await open(database_url), { open: () => open(database_replica_url), log })
  }
  const cacheDir = findTemplateCacheFolder(data_dir)
  return prepareEmbeddedDatabase({
    dir: path.join(data_dir, 'database'),
    cacheDir,
    ...timeouts,
    ...(initial ? { template: () => ensureDatabaseTemplate(cacheDir, initial) } : {}),
    ...(log ? { log } : {}),
  })
}
