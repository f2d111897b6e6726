import { Pool } from 'pg'
import { placeCreditHold } from '../../../packages/server/src/domains/ledger/holds.ts'
import { grantCredits } from '../../../packages/server/src/domains/ledger/ledger.ts'
import { systemClock } from '../../../packages/server/src/platform/clock.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { toStatement } from '../../../packages/server/src/platform/database/sql.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { createActor } from '../../prove/ledger/actor.ts'
import { writeBareHold, type BenchWallet } from './bare-hold.ts'

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
          const { text, values } = toStatement(statement)
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
