import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openEmbedded } from '../src/platform/database/embedded/open.ts'
import type { Database } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { newId } from '../src/platform/ids.ts'

export const migrationsDir = fileURLToPath(new URL('../migrations/', import.meta.url))
export const testCacheDir = fileURLToPath(new URL('../../../node_modules/.cache/swath/', import.meta.url))

export interface TestDatabaseOptions {
  /** False leaves the database empty; true (the default) runs every migration. */
  readonly migrated?: boolean
  readonly statement_timeout_ms?: number
}

/** A database of its own for one test file, gone after `close()`. */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  const dir = path.join(os.tmpdir(), `swath-test-${newId()}`)
  const database = await openEmbedded({
    dir,
    cacheDir: testCacheDir,
    statement_timeout_ms: options.statement_timeout_ms ?? 30_000,
    durable: false,
  })
  const close = database.close
  const whole = Object.defineProperties({} as Database, Object.getOwnPropertyDescriptors(database))
  whole.close = async () => {
    await close()
    await fs.rm(dir, { recursive: true, force: true })
    await fs.rm(`${dir}.lock`, { force: true })
  }
  if (options.migrated ?? true) await migrate(whole, migrationsDir)
  return whole
}
