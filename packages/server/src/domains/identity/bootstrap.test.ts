import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { createManualClock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { testPasswordHasher } from '../../../test/test-crypto.ts'
import { openTestDatabase } from '../../../test/database.ts'
import { noopQueue } from '../../../test/noop-queue.ts'
import { bootstrapDeployment, type BootstrapOptions } from './bootstrap.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const options = (more: Partial<BootstrapOptions> = {}): BootstrapOptions => ({
  unscoped: database.unscoped,
  clock: createManualClock(new Date('2026-01-01T00:00:00Z')),
  passwords: testPasswordHasher,
  queue: noopQueue,
  email: 'Root@example.org',
  password: null,
  demo: true,
  grant: async () => {},
  ...more,
})

const countRows = async (table: string): Promise<number> => {
  const [row] = await database.unscoped.query<{ rows: number }>(sql`
    select count(*) as rows from ${sql.identifier(table, [table])}`)
  return row!.rows
}

test('bootstrap writes nothing if the generated password cannot be saved', async () => {
  const generatePassword = async (): Promise<string> => {
    assert.equal(await countRows('users'), 0)
    throw new Error('no space left on the disk')
  }
  await assert.rejects(bootstrapDeployment(options({ generatePassword })), /no space/)
  assert.equal(await countRows('users'), 0)
})

test('a failed bootstrap leaves nothing behind', async () => {
  const grant = (): Promise<void> => Promise.reject(new Error('no ledger'))
  await assert.rejects(bootstrapDeployment(options({ grant })), /no ledger/)
  for (const table of ['users', 'organizations', 'organization_slugs', 'projects', 'events']) {
    assert.equal(await countRows(table), 0, table)
  }
})

test('of concurrent bootstraps one creates the administrator, the organization, a project and the credits', async () => {
  const grantedOrganizations: string[] = []
  const grant: BootstrapOptions['grant'] = async (tx, actor) => {
    await tx.query(sql`select 1`)
    grantedOrganizations.push(actor.organization)
  }
  const outcomes = await Promise.all([bootstrapDeployment(options({ grant })), bootstrapDeployment(options({ grant }))])
  const [first, ...others] = outcomes.filter((outcome) => outcome !== null)
  assert.ok(first)
  assert.equal(others.length, 0)
  assert.deepEqual(grantedOrganizations, [first.organization_id])
  assert.equal(first.generated, true)
  assert.ok(first.password.length >= 20)

  const [user] = await database.unscoped.query<{ email_key: string; password_hash: string; is_administrator: boolean }>(
    sql`select email_key, password_hash, is_administrator from users where id = ${first.user_id}`,
  )
  assert.equal(user?.email_key, 'root@example.org')
  assert.equal(user?.is_administrator, true)
  assert.equal(await testPasswordHasher.verify(first.password, user!.password_hash), true)
  const organization = database.forOrganization(first.organization_id)
  const [row] = await organization.query<{ name: string; plan: string }>(sql`select name, plan from organizations`)
  assert.deepEqual(row, { name: 'Demo', plan: 'prepaid' })
  const [event] = await organization.query<{ kind: string; entity_id: string }>(sql`select kind, entity_id from events`)
  assert.deepEqual(event, { kind: 'project.created', entity_id: first.project_id })
})

test('bootstrap does nothing if there is a user', async () => {
  assert.equal(await bootstrapDeployment(options({ password: 'another one' })), null)
  assert.equal(await countRows('users'), 1)
})

test('without demo bootstrap creates an organization and its owner, but no project and no credits', async () => {
  const empty = await openTestDatabase()
  const grant = (): Promise<void> => Promise.reject(new Error('credits were granted'))
  const first = await bootstrapDeployment(options({ unscoped: empty.unscoped, demo: false, grant }))
  assert.ok(first)
  assert.equal(first.project_id, null)
  const organizationDb = empty.forOrganization(first.organization_id)
  const rows = await organizationDb.query<{ name: string; role: string }>(sql`
    select o.name, m.role from organizations o join memberships m using (organization_id)`)
  assert.deepEqual(rows, [{ name: 'Organization', role: 'owner' }])
  for (const table of ['projects', 'events']) {
    const [row] = await organizationDb.query<{ rows: number }>(
      sql`select count(*) as rows from ${sql.identifier(table, [table])}`,
    )
    assert.equal(row?.rows, 0, table)
  }
  await empty.close()
})
