import { Pool } from 'pg'
import { placeCreditHold } from '../../../packages/server/src/domains/ledger/holds.ts'
import { grantCredits } from '../../../packages/server/src/domains/ledger/ledger.ts'
import { systemClock } from '../../../packages/server/src/platform/clock.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { toSqlStatement, sql, type Sql } from '../../../packages/server/src/platform/database/sql.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { createActor } from '../../prove/ledger/fixture.ts'

/** One implementation of a hold, and the wallets that only it writes to. */
export interface HoldContender {
  readonly wallets: readonly BenchWallet[]
  readonly hold: (wallet: BenchWallet) => Promise<unknown>
}

const amount_credits = 10

export async function createWallets(database: Database, count: number): Promise<BenchWallet[]> {
  const wallets: BenchWallet[] = []
  for (let number = 0; number < count; number++) {
    const [organization, user] = [newId(), newId()]
    const actor = createActor(organization, user, systemClock)
    const grantDefinition = {
      kind: 'purchase',
      amount_credits: 1_000_000_000,
      reference: { type: 'bench', id: 'grant' },
    } as const
    const { lot_id: lot } = await database
      .forOrganization(organization)
      .transaction((tx) => grantCredits(tx, actor, grantDefinition))
    wallets.push({ organization, user, lot })
  }
  return wallets
}

/** The hold of the ledger, on a connection of its organization. */
export const createLedgerContender = (database: Database, wallets: readonly BenchWallet[]): HoldContender => ({
  wallets,
  hold: ({ organization, user }) => {
    const holdDefinition = { amount_credits, reference: { type: 'bench', id: newId() } }
    return database
      .forOrganization(organization)
      .transaction((tx) => placeCreditHold(tx, createActor(organization, user, systemClock), holdDefinition))
  },
})

/** The driver alone: no role, no row-level security, only the locked row is read. */
export const createBareContender = (pool: Pool, wallets: readonly BenchWallet[]): HoldContender => ({
  wallets,
  hold: async (wallet) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await writeBareHold(
        async (statement) => {
          const { text, values } = toSqlStatement(statement)
          return (await client.query(text, [...values])).rows
        },
        wallet,
        amount_credits,
        systemClock.now(),
      )
      await client.query('commit')
    } finally {
      client.release()
    }
  },
})

/** The same statements on the one connection of the embedded database. */
export const createBareEmbeddedContender = (database: Database, wallets: readonly BenchWallet[]): HoldContender => ({
  wallets,
  hold: (wallet) =>
    database.unscoped.transaction((tx) =>
      writeBareHold((statement) => tx.query(statement), wallet, amount_credits, systemClock.now()),
    ),
})

/** An organization with one lot that is large enough for any benchmark. */
interface BenchWallet {
  readonly organization: string
  readonly user: string
  readonly lot: string
}

type RunStatement = (statement: Sql) => Promise<{ position: number }[]>

/** Writes the rows of a ledger hold with one plain statement per table, inside the caller's transaction. */
async function writeBareHold(
  runStatement: RunStatement,
  wallet: BenchWallet,
  amount: number,
  now: Date,
): Promise<void> {
  const { organization, user, lot } = wallet
  const [hold, entry] = [newId(), newId()]
  const [head] = await runStatement(sql`
    select position, hash from ledger_heads where organization_id = ${organization} for update`)
  const position = Number(head!.position) + 1
  await runStatement(sql`
    update ledger_heads set position = ${position}, hash = ${hash} where organization_id = ${organization}`)
  await runStatement(sql`
    update ledger_accounts
    set balance_credits = balance_credits + case name when 'wallet.held' then ${amount}::bigint else -${amount}::bigint end
    where organization_id = ${organization} and name in ('wallet.available', 'wallet.held')`)
  await runStatement(sql`
    update credit_lots
    set available_credits = available_credits - ${amount}, held_credits = held_credits + ${amount}
    where organization_id = ${organization} and id = ${lot}`)
  await runStatement(sql`
    insert into credit_holds (organization_id, id, amount_credits, mode, reference_type, reference_id, user_id, created_at)
    values (${organization}, ${hold}, ${amount}, 'credit', 'bench', ${hold}, ${user}, ${now})`)
  await runStatement(sql`
    insert into credit_hold_lots (organization_id, hold_id, lot_id, amount_credits)
    values (${organization}, ${hold}, ${lot}, ${amount})`)
  await runStatement(sql`
    insert into member_spend_hours as hours (organization_id, user_id, hour, credits)
    values (${organization}, ${user}, date_trunc('hour', ${now}::timestamptz, 'UTC'), ${amount})
    on conflict (organization_id, user_id, hour) do update set credits = hours.credits + excluded.credits`)
  await runStatement(sql`
    insert into journal_entries
      (organization_id, id, position, kind, amount_credits, available_after_credits, held_after_credits, reference_type,
       reference_id, hold_id, actor_kind, actor_id, operation, request_id, created_at, hash)
    values (${organization}, ${entry}, ${position}, 'hold', ${-amount}, 0, 0, 'bench', ${hold}, ${hold}, 'human', ${user},
            'test', 'ledger', ${now}, ${hash})`)
  await runStatement(sql`
    insert into journal_postings (organization_id, entry_id, line, account, lot_id, amount_credits)
    values (${organization}, ${entry}, 1, 'wallet.available', ${lot}, ${-amount}),
           (${organization}, ${entry}, 2, 'wallet.held', ${lot}, ${amount})`)
}

/** A placeholder with the length of a hash. */
const hash = 'b'.repeat(64)
