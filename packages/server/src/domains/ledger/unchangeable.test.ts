import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listCitusNodes } from '../../../test/citus/cluster.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { getSchemaOwnerConnection } from '../../platform/database/raw.ts'
import { getSqlState, type SqlStatementRunner } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { placeCreditHold, settleHold } from './holds.ts'
import { grantCredits } from './ledger.ts'
import { verifyLedger } from './verify.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

/** Append-only tables, each with a column to update. */
const tables = {
  journal_entries: 'note',
  journal_postings: 'account',
  credit_holds: 'reference_id',
  credit_hold_lots: 'hold_id',
  credit_hold_resolutions: 'outcome',
  charge_lines: 'description',
  charge_line_settlements: 'settled_at',
} as const
const names = Object.keys(tables) as (keyof typeof tables)[]

function writesTo(name: keyof typeof tables, organization: string): Sql[] {
  const table = sql.identifier(name, names)
  const column = sql.identifier(tables[name], Object.values(tables))
  return [
    sql`update ${table} set ${column} = ${column} where organization_id = ${organization}`,
    sql`delete from ${table} where organization_id = ${organization}`,
    sql`truncate ${table}`,
    sql`truncate ${table} cascade`,
  ]
}

async function errorCodeOf(db: SqlStatementRunner, statement: Sql): Promise<string | null> {
  try {
    await db.query(statement)
  } catch (error) {
    return getSqlState(error)
  }
  return null
}

test('rows of the ledger tables cannot be updated, deleted or truncated by any role', async () => {
  const { owner, organization } = await holdings.createOrganization()
  const reference = { type: 'order', id: newId() }
  const line = {
    product: 'p',
    description: 'd',
    unit: 'km2',
    measured_quantity: '1',
    charged_quantity: '1',
    minimum_quantity: '0',
    list_rate_credits: '40',
    rate_credits: '40',
    priced_on: '2026-01-01',
    discount_credits: 0,
    amount_credits: 40,
    commitment_id: null,
  }
  await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits: 100, reference }))
  const id = await owner.transaction((tx) =>
    placeCreditHold(tx, owner, { amount_credits: 40, reference, lines: [line] }),
  )
  await owner.transaction((tx) => settleHold(tx, owner, { hold_id: id, amount_credits: 40 }))
  for (const name of names) {
    const rows = await owner.db.query(sql`
      select 1 from ${sql.identifier(name, names)} where organization_id = ${organization}`)
    assert.ok(rows.length > 0, `${name} has rows`)
    for (const statement of writesTo(name, organization)) {
      const label = `${name}: ${statement.strings[0]}`
      // The server's roles lack the privilege; the owner of the tables is stopped by a trigger or a foreign key.
      assert.equal(await errorCodeOf(owner.db, statement), '42501', label)
      assert.equal(await errorCodeOf(holdings.database.unscoped, statement), '42501', label)
      // Distributed tables have no triggers.
      if (listCitusNodes() !== null) continue
      assert.match(
        (await errorCodeOf(getSchemaOwnerConnection(holdings.database), statement)) ?? 'no error',
        /^(23001|0A000)$/,
        label,
      )
    }
  }
  assert.deepEqual((await verifyLedger(owner.db, organization)).faults, [])
})
