import { isDeepStrictEqual } from 'node:util'
import { verifyLedger } from '../../../packages/server/src/domains/ledger/verify.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { ledgerRules, ofOne } from '../../../packages/server/test/books-rules.ts'
import { chainStart } from '../../../packages/server/src/domains/ledger/chain.ts'
import { differenceFrom, look, type End } from './check.ts'
import type { Wallet } from './model.ts'
import type { World } from './world.ts'

/**
 * Checks the final state of a history: ledger invariants, the verified chain, and every lot, hold, balance, window, deadline
 * and event as in the model. Returns the problems.
 */
export async function faultsAtTheEnd(world: World, wallet: Wallet, head: End | null): Promise<string[]> {
  const end = head ?? { position: 0, hash: chainStart }
  const {
    organization,
    ground: { database },
  } = world
  const faults: string[] = []
  for (const [sentence, statement] of ledgerRules) {
    const rows = await database.across.query(statement(ofOne(organization)))
    if (rows.length > 0) faults.push(`${sentence}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  const verdict = await verifyLedger(database.of(organization), organization)
  if (!verdict.valid || !isDeepStrictEqual(verdict.head, end)) faults.push(`verification: ${JSON.stringify(verdict)}`)
  const all = { lots: [...wallet.lots.keys()], holds: [...wallet.holds.keys()] }
  const difference = differenceFrom(wallet, await look(world, end, all), world, all)
  if (difference !== null) faults.push(difference)
  const [due, told] = [await dueIn(world), await toldIn(world)]
  if (!isDeepStrictEqual(due, wallet.due)) faults.push(`deadlines are ${show(due)}, and in the model ${show(wallet.due)}`)
  if (!isDeepStrictEqual(told, wallet.told))
    faults.push(`events are ${show(told)}, and in the model ${show(wallet.told)}`)
  return faults
}

const show = (map: Map<string, number>): string => JSON.stringify([...map])

async function dueIn({ organization, names, ground: { database } }: World): Promise<Map<string, number>> {
  const rows = await database.of(organization).query<{ kind: string; subject_id: string; due_at: Date }>(sql`
    select kind, subject_id, due_at from billing_deadlines where organization_id = ${organization}`)
  return new Map(
    rows.map((row) => [`${row.kind} ${names.get(row.subject_id) ?? row.subject_id}`, row.due_at.getTime()]),
  )
}

async function toldIn({ organization, ground: { database } }: World): Promise<Map<string, number>> {
  const rows = await database.of(organization).query<{ kind: string; count: number }>(sql`
    select kind, count(*) as count from events where organization_id = ${organization} group by kind`)
  return new Map(rows.map((row) => [row.kind, row.count]))
}
