import { Pool } from 'pg'
import { hold } from '../../../packages/server/src/domains/ledger/holds.ts'
import { grant } from '../../../packages/server/src/domains/ledger/ledger.ts'
import { systemClock } from '../../../packages/server/src/platform/clock.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { statementOf } from '../../../packages/server/src/platform/database/sql.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { actorOf } from '../../prove/ledger/actor.ts'
import { writeBareHold, type Wallet } from './bare.ts'

/** One implementation of a hold, and the wallets that only it writes to. */
export interface Side {
  readonly wallets: readonly Wallet[]
  readonly hold: (wallet: Wallet) => Promise<unknown>
}

const amount_credits = 10

export async function makeWallets(database: Database, count: number): Promise<Wallet[]> {
  const wallets: Wallet[] = []
  for (let number = 0; number < count; number++) {
    const [organization, user] = [newId(), newId()]
    const actor = actorOf(organization, user, systemClock)
    const plenty = {
      kind: 'purchase',
      amount_credits: 1_000_000_000,
      reference: { type: 'bench', id: 'grant' },
    } as const
    const { lot_id: lot } = await database.of(organization).transaction((tx) => grant(tx, actor, plenty))
    wallets.push({ organization, user, lot })
  }
  return wallets
}

/** The hold of the ledger, on a connection of its organization. */
export const ledgerSide = (database: Database, wallets: readonly Wallet[]): Side => ({
  wallets,
  hold: ({ organization, user }) => {
    const terms = { amount_credits, reference: { type: 'bench', id: newId() } }
    return database.of(organization).transaction((tx) => hold(tx, actorOf(organization, user, systemClock), terms))
  },
})

/** The driver alone: no role, no row-level security, only the locked row is read. */
export const bareSide = (pool: Pool, wallets: readonly Wallet[]): Side => ({
  wallets,
  hold: async (wallet) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await writeBareHold(
        async (statement) => {
          const { text, values } = statementOf(statement)
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
export const bareEmbeddedSide = (database: Database, wallets: readonly Wallet[]): Side => ({
  wallets,
  hold: (wallet) =>
    database.across.transaction((tx) =>
      writeBareHold((statement) => tx.query(statement), wallet, amount_credits, systemClock.now()),
    ),
})
