import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'pg'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { findTemplateCacheFolder } from '../../../packages/server/src/platform/database/embedded/cache-folder.ts'
import { openEmbeddedPostgres } from '../../../packages/server/src/platform/database/embedded/open.ts'
import { migrateSchema, migrationsDir } from '../../../packages/server/src/platform/database/migrate.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { createTestDatabase } from '../../../packages/server/test/database.ts'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import type { Figure } from '../figure.ts'
import { compareContenders, type LedgerLoad } from './compare.ts'
import {
  createBareEmbeddedContender,
  createBareContender,
  createLedgerContender,
  createWallets,
  type HoldContender,
} from './contenders.ts'

const min_ratio = 0.5
const writers = [1, 16, 64]
const many_wallets = 1_000

/**
 * Holds per second of the ledger compared with bare transactions that write the same rows, alternating in one run: on one
 * hot wallet and on many, with one writer and with many. `--rounds`, `--seconds` of each; `--only embedded` or `postgres`.
 */
export async function benchLedger(args: readonly string[]): Promise<readonly Figure[]> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      only: { type: 'string' },
    },
  })
  const load = { rounds: Number(values.rounds), duration_ms: 1000 * Number(values.seconds) }
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'processor'}; ${load.rounds} rounds of ${values.seconds} s`)
  const figures = values.only === 'embedded' ? [] : await withPostgresServer((url) => onPostgres(url, load))
  if (values.only !== 'postgres') await onEmbedded(load)
  return figures
}

async function onPostgres(server: string, load: LedgerLoad): Promise<Figure[]> {
  const { url, drop } = await createTestDatabase(server)
  const pool_size = Math.max(...writers)
  const database = await openPostgres({ url, pool_size, statement_timeout_ms: 30_000 })
  const pool = new Pool({ connectionString: url, max: pool_size })
  try {
    await migrateSchema(database, migrationsDir)
    await printServer(database)
    return await compareAll(database, (wallets) => createBareContender(pool, wallets), load)
  } finally {
    await pool.end()
    await database.close()
    await drop()
  }
}

/** Prints figures only: no bound applies to the embedded database. */
async function onEmbedded(load: LedgerLoad): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-bench-ledger-'))
  const database = await openEmbeddedPostgres({
    dir: join(folder, 'database'),
    cacheDir: findTemplateCacheFolder(tmpdir()),
    statement_timeout_ms: 30_000,
  })
  try {
    await migrateSchema(database, migrationsDir)
    console.log('the embedded database, every commit on disk; figures only')
    await compareAll(database, (wallets) => createBareEmbeddedContender(database, wallets), load)
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function printServer(database: Database): Promise<void> {
  const [server] = await database.unscoped.query<{ version: string; fsync: string; isolation: string }>(sql`
    select version(), current_setting('fsync') as fsync, current_setting('transaction_isolation') as isolation`)
  console.log(`${server!.version.split(',')[0]}, fsync ${server!.fsync}, ${server!.isolation}`)
}

async function compareAll(
  database: Database,
  createBare: (wallets: HoldContender['wallets']) => HoldContender,
  load: LedgerLoad,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const count of [1, many_wallets]) {
    const ledgerContender = createLedgerContender(database, await createWallets(database, count))
    const bareContender = createBare(await createWallets(database, count))
    // As autovacuum does within a minute: plans for empty tables are discarded.
    await database.runScript('analyze')
    const name = count === 1 ? 'one hot wallet' : `${count} wallets`
    for (const number of writers) {
      const benchCase = { name: `${name}, ${number} ${number === 1 ? 'writer' : 'writers'}`, writers: number }
      figures.push(await compareContenders({ benchCase, ledgerContender, bareContender, load, min_ratio }))
    }
    await compareRowsWritten(database, ledgerContender, bareContender)
  }
  return figures
}

/** Throws if the two contenders write different rows per hold; the rows of each wallet's grant are subtracted. */
async function compareRowsWritten(
  database: Database,
  ledgerContender: HoldContender,
  bareContender: HoldContender,
): Promise<void> {
  const countRows = async ({ wallets }: HoldContender): Promise<string> => {
    const ids = wallets.map((wallet) => wallet.organization)
    const [counts] = await database.unscoped.query<Record<string, number>>(sql`
      select
        (select count(*) from credit_holds where organization_id = any(${ids})) as holds,
        (select count(*) from credit_hold_lots where organization_id = any(${ids})) as lots,
        (select count(*) from journal_entries where organization_id = any(${ids})) - ${ids.length}::bigint as entries,
        (select count(*) from journal_postings where organization_id = any(${ids})) - 2 * ${ids.length}::bigint as postings,
        (select sum(credits) from member_spend_hours where organization_id = any(${ids}))::bigint as window_credits,
        (select sum(balance_credits) from ledger_accounts
         where organization_id = any(${ids}) and name = 'wallet.held')::bigint as held_credits,
        (select sum(held_credits) from credit_lots where organization_id = any(${ids}))::bigint as lot_credits,
        (select sum(position) from ledger_heads where organization_id = any(${ids}))::bigint - ${ids.length}::bigint as positions`)
    const { holds, ...others } = counts!
    return Object.entries(others)
      .map(([name, count]) => `${name} ${count / holds!}`)
      .join(', ')
  }
  const [ledgerRows, bareRows] = [await countRows(ledgerContender), await countRows(bareContender)]
  if (ledgerRows !== bareRows)
    throw new Error(`for each hold the ledger writes ${ledgerRows}; the bare statements ${bareRows}`)
}
