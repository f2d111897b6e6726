import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readConfig } from '../packages/server/src/platform/config.ts'
import type { Database } from '../packages/server/src/platform/database/database.ts'
import { cacheFolder } from '../packages/server/src/platform/database/embedded/cache-folder.ts'
import { openEmbedded } from '../packages/server/src/platform/database/embedded/open.ts'
import { migrate, migrationsDir } from '../packages/server/src/platform/database/migrate.ts'
import { openDatabase } from '../packages/server/src/platform/database/open-database.ts'
import { resetDatabase } from '../packages/server/src/platform/database/reset.ts'
import { withSchemaOwner } from '../packages/server/src/platform/database/schema-owner.ts'
import { readCatalog } from '../packages/server/src/platform/database/schema/catalog.ts'
import { goldenSchema, printSchema } from '../packages/server/src/platform/database/schema/print.ts'
import { forgetStorage } from '../packages/server/src/platform/installation.ts'
import { ensureQueueSchema } from '../packages/server/src/platform/queue/queue-schema.ts'
import { runCommand } from './command.ts'

const usage = `usage: npm run db -- migrate         applies pending migrations to the configured database
       npm run db -- dump            generates packages/server/schema.sql
       npm run db -- forget-storage  after the files were moved: the next start records their new location
       npm run db -- reset --yes     deletes all data of the configured database and creates the schema again`

/** Schema changes are made by the role that owns the schema. */
const asOwner = (work: (owner: Database, service: string | null) => Promise<void>): Promise<void> =>
  withConfigured((database) => withSchemaOwner(readConfig(), database, work))

async function withConfigured(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(readConfig())
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

const migrateConfigured = (): Promise<void> =>
  asOwner(async (database, service) => {
    const names = await migrate(database, migrationsDir, service)
    await ensureQueueSchema(database)
    console.log(names.length > 0 ? names.map((name) => `applied ${name}`).join('\n') : 'nothing to do')
    console.log(`spatial policy: ${database.spatial_policy}`)
  })

const resetConfigured = (): Promise<void> =>
  asOwner(async (database, service) => {
    await resetDatabase(database, migrationsDir, service)
    await ensureQueueSchema(database)
    console.log('all data deleted, schema created')
  })

/** Generates the schema from an empty temporary database, so that only the migrations determine it. */
async function dump(): Promise<void> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-dump-'))
  const cacheDir = cacheFolder(readConfig().data_dir)
  try {
    const database = await openEmbedded({
      dir: path.join(home, 'database'),
      cacheDir,
      statement_timeout_ms: 60_000,
      durable: false,
    })
    try {
      await migrate(database, migrationsDir)
      await fs.writeFile(goldenSchema, printSchema(await readCatalog(database.across)))
    } finally {
      await database.close()
    }
  } finally {
    await fs.rm(home, { recursive: true, force: true })
  }
  console.log(`printed ${path.relative(process.cwd(), goldenSchema)}`)
}

async function main([command, option]: readonly string[]): Promise<number> {
  if (command === 'migrate') await migrateConfigured()
  else if (command === 'dump') await dump()
  else if (command === 'forget-storage') await withConfigured(forgetStorage)
  else if (command === 'reset' && option === '--yes') await resetConfigured()
  else {
    console.error(usage)
    return 2
  }
  return 0
}

await runCommand(main)
