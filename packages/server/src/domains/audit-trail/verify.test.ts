import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { skipOnCitus } from '../../../test/citus/cluster.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { getSqlState } from '../../platform/database/database.ts'
import { getSchemaOwnerConnection } from '../../platform/database/raw.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { toAuditExportLine } from './entry-json.ts'
import { readAuditExportPages, type ExportedAuditEntry } from './read-trail.ts'
import { sealAuditEntries } from './seal.ts'
import { insertAuditEntry } from './store.ts'
import { verifyAuditTrail } from './verify.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

const start = Date.parse('2026-03-01T00:00:00.000Z')
const timeOf = (second: number): Date => new Date(start + second * 1000)

/** Writes rows of an organization, one for each second from `first`. */
async function insertRows(organization: string, count: number, first = 0): Promise<void> {
  const db = services.database.forOrganization(organization)
  for (let second = first; second < first + count; second++) {
    await insertAuditEntry(db, {
      organization_id: organization,
      id: newId(),
      at: timeOf(second),
      principal_kind: 'human',
      principal_id: newId(),
      operation: 'items.update',
      target_type: 'item',
      target_id: 'naïve 地図 "x"\n',
      reason: null,
      request_id: `r-${second}`,
      address: '2001:db8::1',
      outcome: 'succeeded',
      problem: null,
      refusal_key: null,
    })
  }
}

async function createTrail(
  count: number,
): Promise<{ organization: string; verify: () => ReturnType<typeof verifyAuditTrail> }> {
  const organization = newId()
  await insertRows(organization, count)
  const db = services.database.forOrganization(organization)
  await sealAuditEntries(db, organization, { before: timeOf(count) })
  return { organization, verify: () => verifyAuditTrail(db, organization) }
}

/** Runs a statement as a superuser whom no policy binds, as an attacker with the files of the database could. */
async function tamper(statement: Sql): Promise<void> {
  const owner = getSchemaOwnerConnection(services.database)
  await owner.transaction(async (tx) => {
    await tx.query(sql`select swath_owner_sees(true, 'audit_entries', 'audit_heads')`)
    const rows = await tx.query(statement)
    assert.equal(rows.length, 1, 'one row is changed')
    await tx.query(sql`select swath_owner_sees(false, 'audit_entries', 'audit_heads')`)
  })
}

test('rows are sealed in the order of their calls, and later ones continue the chain', async () => {
  const organization = newId()
  const db = services.database.forOrganization(organization)
  await insertRows(organization, 3, 10)
  await insertRows(organization, 2, 0)
  assert.equal(await sealAuditEntries(db, organization, { before: timeOf(12) }), 4)
  const young = await verifyAuditTrail(db, organization)
  assert.deepEqual([young.valid, young.entries, young.unsealed, young.head.position], [true, 4, 1, 4])
  assert.equal(await sealAuditEntries(db, organization, { before: timeOf(13) }), 1)
  assert.equal(await sealAuditEntries(db, organization, { before: timeOf(13) }), 0)
  const rows = await db.query<{ request_id: string }>(sql`
    select request_id from audit_entries where organization_id = ${organization} order by position`)
  assert.deepEqual(
    rows.map(({ request_id }) => request_id),
    ['r-0', 'r-1', 'r-10', 'r-11', 'r-12'],
  )
  assert.equal((await verifyAuditTrail(db, organization)).valid, true)
})

test('two sealers at once make one chain', async () => {
  const organization = newId()
  const db = services.database.forOrganization(organization)
  await insertRows(organization, 20)
  const counts = await Promise.all([1, 2].map(() => sealAuditEntries(db, organization, { before: timeOf(20) })))
  assert.equal(counts[0]! + counts[1]!, 20)
  const { valid, entries } = await verifyAuditTrail(db, organization)
  assert.deepEqual([valid, entries], [true, 20])
})

test('a changed, a removed and an inserted row are found', async () => {
  const changes: readonly [string, (organization: string) => Sql][] = [
    [
      'changed',
      (o) =>
        sql`update audit_entries set principal_id = 'x' where organization_id = ${o} and position = 3 returning id`,
    ],
    [
      'outcome',
      (o) =>
        sql`update audit_entries set outcome = 'failed' where organization_id = ${o} and position = 2 returning id`,
    ],
    ['removed', (o) => sql`delete from audit_entries where organization_id = ${o} and position = 2 returning id`],
    [
      'removed from the end',
      (o) => sql`delete from audit_entries where organization_id = ${o} and position = 5 returning id`,
    ],
    ['moved end', (o) => sql`update audit_heads set position = 4 where organization_id = ${o} returning position`],
  ]
  for (const [label, change] of changes) {
    const { organization, verify } = await createTrail(5)
    assert.equal((await verify()).valid, true)
    await tamper(change(organization))
    const { valid, faults } = await verify()
    assert.ok(!valid && faults.length > 0, label)
  }
})

test(
  'the server can neither change a sealed row nor delete one',
  skipOnCitus('distributed tables have no triggers'),
  async () => {
    const { organization } = await createTrail(1)
    const connections = [services.database.forOrganization(organization), services.database.unscoped]
    for (const db of connections) {
      const changed = await db.query(sql`
      update audit_entries set outcome = 'failed' where organization_id = ${organization} returning id`)
      assert.deepEqual(changed, [])
      for (const statement of [
        sql`update audit_entries set principal_id = 'x' where organization_id = ${organization}`,
        sql`delete from audit_entries where organization_id = ${organization}`,
        sql`truncate audit_entries`,
      ]) {
        await assert.rejects(db.query(statement), (error) => getSqlState(error) === '42501')
      }
    }
  },
)

test('an export has every sealed row with the hash of the one before, from any position', async () => {
  const { organization } = await createTrail(7)
  const db = services.database.forOrganization(organization)
  const read = async (after: number, limit: number): Promise<ExportedAuditEntry[]> => {
    const lines: ExportedAuditEntry[] = []
    for await (const page of readAuditExportPages(db, organization, { after, limit })) lines.push(...page)
    return lines
  }
  const all = await read(0, 100)
  assert.equal(all.length, 7)
  assert.equal(all[0]!.previous_hash, '0'.repeat(64))
  for (const [index, line] of all.entries()) if (index > 0) assert.equal(line.previous_hash, all[index - 1]!.hash)
  for (const row of all) {
    const line = toAuditExportLine(row)
    const fields = 'organization_id position id at principal_kind principal_id operation target_type target_id reason'
    const names = `${fields} request_id address outcome problem`.split(' ') as (keyof typeof line)[]
    const text = JSON.stringify(names.map((name) => line[name]))
    const hash = createHash('sha256').update(`${line.previous_hash}${text}`).digest('hex')
    assert.equal(line.hash, hash, 'as docs/notes/audit.md says')
  }
  assert.deepEqual(await read(2, 3), all.slice(2, 5))
  assert.deepEqual(await read(7, 3), [])
})
