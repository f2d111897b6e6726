import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { migrationsDir } from '../../src/platform/database/migrate.ts'

/** A temporary folder with the migrations of an earlier version: those before a number, such as `0076`. The caller removes it. */
export async function copyMigrationsBefore(number: string): Promise<string> {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-migrations-'))
  for (const name of await fs.readdir(migrationsDir))
    if (name.endsWith('.sql') && name < number) await fs.copyFile(path.join(migrationsDir, name), path.join(dir, name))
  return dir
}
