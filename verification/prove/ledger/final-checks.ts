import { isDeepStrictEqual } from 'node:util'
import { verifyLedger } from '../../../packages/server/src/domains/ledger/verify.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { ledgerInvariants, oneOrganization } from '../../../packages/server/test/ledger-invariants.ts'
import { genesisHash } from '../../../packages/server/src/platform/crypto/hash-chain.ts'
import { compareWithModel, readLedger, type ChainHead } from './check.ts'
import type { ModelWallet } from './model.ts'
import type { LedgerFixture } from './fixture.ts'

/**
 * Checks the final state of a history: ledger invariants, the verified chain, and every lot, hold, balance, window, deadline
 * and event as in the model. Returns the problems.
 */
export async function findFinalProblems(
  fixture: LedgerFixture,
  wallet: ModelWallet,
  head: ChainHead | null,
): Promise<string[]> {
  const end = head ?? { position: 0, hash: genesisHash }
  const {
    organization,
    proofDatabase: { database },
  } = fixture
  const problems: string[] = []
  for (const [sentence, statement] of ledgerInvariants) {
    const rows = await database.unscoped.query(statement(oneOrganization(organization)))
    if (rows.length > 0) problems.push(`${sentence}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  const verdict = await verifyLedger(database.forOrganization(organization), organization)
  if (!verdict.valid || !isDeepStrictEqual(verdict.head, end)) problems.push(`verification: ${JSON.stringify(verdict)}`)
  const all = { lots: [...wallet.lots.keys()], holds: [...wallet.holds.keys()] }
  const difference = compareWithModel(wallet, await readLedger(fixture, end, all), fixture, all)
  if (difference !== null) problems.push(difference)
  const [due, eventCounts] = [await readDeadlines(fixture), await countEvents(fixture)]
  if (!isDeepStrictEqual(due, wallet.due))
    problems.push(`deadlines are ${show(due)}, and in the model ${show(wallet.due)}`)
  if (!isDeepStrictEqual(eventCounts, wallet.eventCounts))
    problems.push(`events are ${show(eventCounts)}, and in the model ${show(wallet.eventCounts)}`)
  return problems
}

const show = (map: Map<string, number>): string => JSON.stringify([...map])

async function readDeadlines({
  organization,
  names,
  proofDatabase: { database },
}: LedgerFixture): Promise<Map<string, number>> {
  const rows = await database.forOrganization(organization).query<{
    kind: string
    subject_id: string
    due_at: Date
  }>(sql`
    select kind, subject_id, due_at from billing_deadlines where organization_id = ${organization}`)
  return new Map(
    rows.map((row) => [`${row.kind} ${names.get(row.subject_id) ?? row.subject_id}`, row.due_at.getTime()]),
  )
}

async function countEvents({ organization, proofDatabase: { database } }: LedgerFixture): Promise<Map<string, number>> {
  const rows = await database.forOrganization(organization).query<{ kind: string; count: number }>(sql`
    select kind, count(*) as count from events where organization_id = ${organization} group by kind`)
  return new Map(rows.map((row) => [row.kind, row.count]))
}
