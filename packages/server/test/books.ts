import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { verifyLedger } from '../src/domains/ledger/verify.ts'
import { everyOrganization } from '../src/domains/organizations/named.ts'
import { sql, type Sql } from '../src/platform/database/sql.ts'
import { billingRules } from './billing-rules.ts'
import { ledgerRules, ofAll } from './books-rules.ts'
import type { TestHouse } from './setup.ts'

/** What is true of orders and their money besides. */
const orderRules: readonly (readonly [string, Sql])[] = [
  [
    'a hold and its order have not ended together',
    sql`select o.id from orders o
        left join credit_hold_resolutions resolution
          on resolution.organization_id = o.organization_id and resolution.hold_id = o.hold_id
        where o.hold_id is not null
          and (o.status in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED')) <> (resolution.hold_id is not null)`,
  ],
  [
    'an order says of its money what its hold does not',
    sql`select o.id from orders o
        join credit_hold_resolutions resolution
          on resolution.organization_id = o.organization_id and resolution.hold_id = o.hold_id
        where (o.captured_credits, o.refunded_credits) <> (resolution.settled_credits, resolution.released_credits)`,
  ],
  [
    'a priced order without a hold, or a free one with one',
    sql`select id from orders where (total_credits > 0) <> (hold_id is not null)`,
  ],
  [
    'an item was delivered twice',
    sql`select order_id from items where order_id is not null
        group by organization_id, order_id, scene_key having count(*) > 1`,
  ],
  [
    'a delivered capture without its item, or the other way round',
    sql`select capture.item_id from order_captures capture
        left join items item on item.organization_id = capture.organization_id and item.id = capture.item_id
        where (capture.delivered_at is null) <> (item.id is null)`,
  ],
]

/** Looks at the books of every organization of a house and fails with each sentence that is not true of them. */
export async function assertBooks(house: Pick<TestHouse, 'database'>): Promise<void> {
  const violations: string[] = []
  const rules = [
    ...ledgerRules.map(([sentence, statement]) => [sentence, statement(ofAll)] as const),
    ...orderRules,
    ...billingRules,
  ]
  for (const [sentence, statement] of rules) {
    const rows = await house.database.across.query(statement)
    if (rows.length > 0) violations.push(`${sentence}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  for (const organization of await everyOrganization(house.database.across)) {
    const { faults } = await verifyLedger(house.database.of(organization), organization)
    violations.push(...faults.map((fault) => `the journal: ${JSON.stringify(fault)}`))
  }
  assert.deepEqual(violations, [])
}

/** Tables that change by signing in and by time alone, and those that no call can change. */
const leftOut = new Set([
  'sessions',
  'refresh_tokens',
  'signing_key_ring',
  'principal_changes',
  'spatial_ref_sys',
  'schema_migrations',
  'reconciliation_runs',
])

/** A digest of all rows of every table, and of the tasks that wait: equal before and after a call that changed nothing. */
export async function digestOf(house: TestHouse): Promise<Record<string, string>> {
  const tables = await house.database.across.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`)
  const names = tables.map((table) => table.name).filter((name) => !leftOut.has(name))
  const digests: Record<string, string> = {}
  for (const name of names) {
    const rows = await house.database.across.query<{ text: string }>(sql`
      select (to_jsonb(whole_row) - 'last_used_at')::text as text from ${sql.identifier(name, names)} as whole_row`)
    digests[name] = `${rows.length} rows, ${hashOf(rows)}`
  }
  const tasks = await house.database.across.query<{ text: string }>(sql`
    select id::text as text from boss.job where name like 'orders.%' and name <> 'orders.sweep'`)
  digests['tasks'] = `${tasks.length} rows, ${hashOf(tasks)}`
  return digests
}

function hashOf(rows: readonly { text: string }[]): string {
  const hash = createHash('sha256')
  for (const row of rows.map(({ text }) => text).sort()) hash.update(row).update('\n')
  return hash.digest('hex').slice(0, 16)
}

/** Runs `work` and fails when anything in the database is another than before, but for what is in the named tables. */
export async function unchanged<T>(house: TestHouse, work: () => Promise<T>, but: readonly string[] = []): Promise<T> {
  const others = async (): Promise<object> =>
    Object.fromEntries(Object.entries(await digestOf(house)).filter(([name]) => !but.includes(name)))
  const before = await others()
  const result = await work()
  assert.deepEqual(await others(), before)
  return result
}
