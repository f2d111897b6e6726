import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { findTemplateCacheFolder } from '../../../packages/server/src/platform/database/embedded/cache-folder.ts'
import { openEmbeddedPostgres } from '../../../packages/server/src/platform/database/embedded/open.ts'
import { migrateSchema, migrationsDir } from '../../../packages/server/src/platform/database/migrate.ts'
import { openPostgres } from '../../../packages/server/src/platform/database/postgres.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { withPostgresServer } from '../../../tools/postgres-server.ts'
import { createDatabase, createFolder, closeAtEnd } from '../../prove/harness/resources.ts'
import { describeMachine, readOptions, alternate, median, ratiosOf, type Figure } from '../runner.ts'
import {
  createBareEmbeddedContender,
  createBareContender,
  createLedgerContender,
  createWallets,
  type HoldContender,
} from './contenders.ts'
import { createRandom } from '../../prove/harness/random.ts'

const min_ratio = 0.5
const writers = [1, 16, 64]
const many_wallets = 1_000

/**
 * Holds per second of the ledger compared with bare transactions that write the same rows, alternating in one run: on one
 * hot wallet and on many, with one writer and with many. `--rounds`, `--seconds` of each; `--only embedded` or `postgres`.
 */
export async function benchLedger(args: readonly string[]): Promise<readonly Figure[]> {
  const { rounds, seconds, only } = readOptions(args, { rounds: 5, seconds: 2, only: '' }).values
  const load = { rounds, duration_ms: 1000 * seconds }
  console.log(`${describeMachine()}; ${rounds} rounds of ${seconds} s`)
  const figures = only === 'embedded' ? [] : await withPostgresServer((url) => onPostgres(url, load))
  if (only !== 'postgres') await onEmbedded(load)
  return figures
}

async function onPostgres(server: string, load: LedgerLoad): Promise<Figure[]> {
  await using created = await createDatabase(server)
  const { url } = created
  const pool_size = Math.max(...writers)
  await using database = closeAtEnd(await openPostgres({ url, pool_size, statement_timeout_ms: 30_000 }))
  await using pool = closeAtEnd(new Pool({ connectionString: url, max: pool_size }))
  await migrateSchema(database, migrationsDir)
  await printServer(database)
  return await compareAll(database, (wallets) => createBareContender(pool, wallets), load)
}

/** Prints figures only: no bound applies to the embedded database. */
async function onEmbedded(load: LedgerLoad): Promise<void> {
  await using folder = await createFolder('bench-ledger')
  const options = { dir: join(folder.path, 'database'), cacheDir: findTemplateCacheFolder(tmpdir()) }
  await using database = closeAtEnd(await openEmbeddedPostgres({ ...options, statement_timeout_ms: 30_000 }))
  await migrateSchema(database, migrationsDir)
  console.log('the embedded database, every commit on disk; figures only')
  await compareAll(database, (wallets) => createBareEmbeddedContender(database, wallets), load)
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

interface LedgerCase {
  /** Such as `1,000 wallets, 16 writers`. */
  readonly name: string
  readonly writers: number
}

interface LedgerLoad {
  readonly rounds: number
  readonly duration_ms: number
}

const warmup_ms = 500

/** Holds per second with several writers; each starts the next hold when the previous one is committed. */
async function measure({ wallets, hold }: HoldContender, writers: number, duration_ms: number): Promise<number> {
  const random = createRandom(writers)
  const start = performance.now()
  const end = start + duration_ms
  let written = 0
  const write = async (): Promise<void> => {
    while (performance.now() < end) {
      await hold(wallets[Math.floor(random() * wallets.length)]!)
      written++
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return (written * 1000) / (performance.now() - start)
}

/** Alternates the contenders, each first equally often; the figure is the median of the ratios. */
async function compareContenders({
  benchCase,
  ledgerContender,
  bareContender,
  load,
  min_ratio,
}: {
  readonly benchCase: LedgerCase
  readonly ledgerContender: HoldContender
  readonly bareContender: HoldContender
  readonly load: LedgerLoad
  readonly min_ratio: number
}): Promise<Figure> {
  for (const contender of [bareContender, ledgerContender]) await measure(contender, benchCase.writers, warmup_ms)
  const sides = [ledgerContender, bareContender].map(
    (contender) => () => measure(contender, benchCase.writers, load.duration_ms),
  )
  const [own = [], plain = []] = await alternate(load.rounds, ...sides)
  const ratio = median(ratiosOf(own, plain))
  const [ledgerRate, bareRate] = [median(own), median(plain)]
  console.log(
    `${benchCase.name}: ledger ${ledgerRate.toFixed(0)}/s, bare ${bareRate.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`,
  )
  return { name: `ledger, ${benchCase.name}: holds / bare`, value: ratio, must: min_ratio }
}
