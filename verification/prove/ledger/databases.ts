import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTemplateCacheFolder } from '../../../packages/server/src/platform/database/embedded/cache-folder.ts'
import { openEmbeddedPostgres } from '../../../packages/server/src/platform/database/embedded/open.ts'
import { migrateSchema, migrationsDir } from '../../../packages/server/src/platform/database/migrate.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { getOwnerConnection } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { createTestDatabase } from '../../../packages/server/test/database.ts'
import type { ProofDatabase } from './fixture.ts'

export type OpenProofDatabase = ProofDatabase & { readonly close: () => Promise<void> }

/** Longer than any statement takes on a busy machine; a sleeping statement then terminates the embedded engine. */
const statement_timeout_ms = 20_000

/** A new embedded database. Commits do not wait for the disk, but survive the end of the engine's thread. */
export async function openEmbeddedProofDatabase(): Promise<OpenProofDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-prove-ledger-'))
  const dir = join(folder, 'database')
  const open = () =>
    openEmbeddedPostgres({ dir, cacheDir: findTemplateCacheFolder(tmpdir()), statement_timeout_ms, durable: false })
  let database = await open()
  await migrateSchema(database, migrationsDir)
  return {
    get database() {
      return database
    },
    terminate: async (tx) => {
      await tx.query(sql`select pg_sleep(600)`)
    },
    reopen: async () => {
      await database.close()
      database = await open()
    },
    close: async () => {
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A new database on a real server, with `pool_size` connections. */
export async function openPostgresProofDatabase(server: string, pool_size: number): Promise<OpenProofDatabase> {
  const { url, drop } = await createTestDatabase(server)
  const open = () => openPostgres({ url, pool_size, statement_timeout_ms })
  let database = await open()
  await migrateSchema(database, migrationsDir)
  return {
    get database() {
      return database
    },
    terminate: async (tx) => {
      const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await getOwnerConnection(database).query(sql`select pg_terminate_backend(${own!.pid})`)
    },
    reopen: async () => {
      await database.close()
      database = await open()
    },
    close: async () => {
      await database.close()
      await drop()
    },
  }
}
