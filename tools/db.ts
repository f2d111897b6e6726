import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readConfig } from '../packages/server/src/platform/config.ts'
import type { Database } from '../packages/server/src/platform/database/database.ts'
import { findTemplateCacheFolder } from '../packages/server/src/platform/database/embedded/cache-folder.ts'
import { openEmbeddedPostgres } from '../packages/server/src/platform/database/embedded/open.ts'
import { distributeTenantTables } from '../packages/server/src/platform/database/distribution/distribute.ts'
import {
  rebalanceShards,
  type RebalanceProgress,
} from '../packages/server/src/platform/database/distribution/rebalance.ts'
import { migrateSchema, migrationsDir } from '../packages/server/src/platform/database/migrate.ts'
import { openDatabase } from '../packages/server/src/platform/database/open-database.ts'
import { resetDatabase } from '../packages/server/src/platform/database/reset.ts'
import { withSchemaOwner } from '../packages/server/src/platform/database/schema-owner.ts'
import { formatTableSizes, readTableSizes } from '../packages/server/src/platform/database/schema/size.ts'
import { readSchemaCatalog } from '../packages/server/src/platform/database/schema/catalog.ts'
import { golden_schema_path, printSchema } from '../packages/server/src/platform/database/schema/print.ts'
import { loadMasterSecrets } from '../packages/server/src/platform/crypto/master-secret.ts'
import { replaceMasterSecret } from '../packages/server/src/platform/secret-rotation/replace-master-secret.ts'
import { createJobReceiptSigner } from '../packages/server/src/domains/processing/receipts.ts'
import { listEveryOrganizationId } from '../packages/server/src/domains/organizations/all-organizations.ts'
import { forgetInstallationStorage } from '../packages/server/src/platform/installation.ts'
import { ensureQueueSchema } from '../packages/server/src/platform/queue/queue-schema.ts'
import { runCommand } from './command.ts'

const usage = `usage: npm run db -- migrate         applies pending migrations to the configured database
       npm run db -- distribute      distributes the tables of organizations over the nodes of Citus, in DATABASE_SHARDS shards; repeatable
       npm run db -- rebalance       moves shards while rows are written, until the workers have about the same size of them;
                                     with host:port of a worker, all of them off it
       npm run db -- dump            generates packages/server/schema.sql
       npm run db -- size            prints what each table takes and how it grows
       npm run db -- forget-storage  after the files were moved: the next start records their new location
       npm run db -- reseal          encrypts with SWATH_SECRET what SWATH_SECRET_PREVIOUS encrypted; repeatable
       npm run db -- reset --yes     deletes all data of the configured database and creates the schema again`

/** Schema changes are made by the role that owns the schema. */
const withSchemaOwnerOfConfigured = (work: (owner: Database, service: string | null) => Promise<void>): Promise<void> =>
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
  withSchemaOwnerOfConfigured(async (database, service) => {
    const names = await migrateSchema(database, migrationsDir, service)
    await ensureQueueSchema(database)
    console.log(names.length > 0 ? names.map((name) => `applied ${name}`).join('\n') : 'nothing to do')
    console.log(`spatial policy: ${database.spatial_policy}`)
  })

const distributeConfigured = (): Promise<void> =>
  withSchemaOwnerOfConfigured(async (database) => {
    const { database_shards: shards } = readConfig()
    const report = await distributeTenantTables(database, { shards })
    const { reference, tenant, triggers, policies, emptied, leakproof } = report
    for (const { table, name, replacement } of triggers)
      console.log(`dropped the trigger ${name} of ${table}; replaced by: ${replacement}`)
    for (const table of reference) console.log(`copied to each node: ${table}`)
    for (const table of tenant) console.log(`distributed: ${table}`)
    for (const table of policies) console.log(`policy replaced: ${table}`)
    for (const table of emptied) console.log(`removed from the coordinator, since the nodes have it: rows of ${table}`)
    if (reference.length + tenant.length + policies.length + emptied.length === 0) console.log('nothing to do')
    console.log(`shards of each table of organizations: ${report.shards}`)
    console.log(`marked leakproof on each node: ${leakproof.length} functions`)
  })

const rebalanceConfigured = (drained: string | null): Promise<void> =>
  withSchemaOwnerOfConfigured(async (database) => {
    let printed = ''
    const onProgress = ({ state, moves }: RebalanceProgress): void => {
      const line = `${state}: ${Object.entries(moves)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ')}`
      if (line !== printed) console.log(line)
      printed = line
    }
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort(new Error('cancelled: what has moved stays')))
    await rebalanceShards(database, { drained, onProgress, signal: stop.signal })
    console.log(printed === '' ? 'nothing to move' : 'done')
  })

async function resealSecrets(database: Database): Promise<void> {
  const masterSecrets = await loadMasterSecrets(readConfig())
  const count = await replaceMasterSecret(database, {
    masterSecrets,
    listOrganizations: () => listEveryOrganizationId(database.unscoped, { sandboxes: true }),
    receiptKeyOf: (secret) => createJobReceiptSigner(secret).publicKey,
  })
  console.log(`encrypted ${count} texts with the current master secret`)
}

const resetConfigured = (): Promise<void> =>
  withSchemaOwnerOfConfigured(async (database, service) => {
    await resetDatabase(database, migrationsDir, service)
    await ensureQueueSchema(database)
    console.log('all data deleted, schema created')
  })

/** Generates the schema from an empty temporary database, so that only the migrations determine it. */
async function dumpSchema(): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'swath-dump-'))
  const cacheDir = findTemplateCacheFolder(readConfig().data_dir)
  try {
    const database = await openEmbeddedPostgres({
      dir: path.join(folder, 'database'),
      cacheDir,
      statement_timeout_ms: 60_000,
      durable: false,
    })
    try {
      await migrateSchema(database, migrationsDir)
      await fs.writeFile(golden_schema_path, printSchema(await readSchemaCatalog(database.unscoped)))
    } finally {
      await database.close()
    }
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
  console.log(`printed ${path.relative(process.cwd(), golden_schema_path)}`)
}

async function main([command, option]: readonly string[]): Promise<number> {
  if (command === 'migrate') await migrateConfigured()
  else if (command === 'distribute') await distributeConfigured()
  else if (command === 'rebalance') await rebalanceConfigured(option ?? null)
  else if (command === 'dump') await dumpSchema()
  else if (command === 'size')
    await withConfigured(async (database) => console.log(formatTableSizes(await readTableSizes(database))))
  else if (command === 'forget-storage') await withConfigured(forgetInstallationStorage)
  else if (command === 'reseal') await withConfigured(resealSecrets)
  else if (command === 'reset' && option === '--yes') await resetConfigured()
  else {
    console.error(usage)
    return 2
  }
  return 0
}

await runCommand(main)
