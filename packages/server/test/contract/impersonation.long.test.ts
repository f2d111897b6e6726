import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import { contractRoutes } from '@swath/contract/routes.ts'
import { isPrivilegedScope } from '@swath/contract/scopes.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { grantSupportAccess } from '../test-organizations.ts'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { assertUnchanged } from '../ledger-assertions.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { readExamples } from './examples/reads.ts'
import { writeExamples } from './examples/writes.ts'
import { createContractFixtures, type ContractFixtures } from './fixtures.ts'

let app: TestApp
let fixtures: ContractFixtures
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  fixtures = await createContractFixtures(app)
  await grantSupportAccess(app.admin, fixtures.owner.client, fixtures.organization)
})
after(() => app?.close())

interface Impersonation {
  readonly impersonation_id: string
  readonly access_token: string
  readonly expires_at: string
}

const impersonate = (minutes = 15): Promise<Impersonation> =>
  app.admin.call<Impersonation>('admin.users.impersonate', {
    organization_id: fixtures.organization,
    user_id: fixtures.owner.user,
    reason: 'They see no orders.',
    minutes,
  })

const clientOf = (token: string): Client => createClient({ baseUrl: app.url, token })

const problemOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { type: string }).type.split('/problems/')[1] ?? ''

test('every operation that is not a read is refused on every route, and changes nothing', async () => {
  const { access_token } = await impersonate()
  const client = clientOf(access_token)
  const writes = operationRegistry.filter(({ effect }) => effect !== 'read')
  assert.ok(writes.length > 120, String(writes.length))
  await assertUnchanged(app, async () => {
    for (const operation of writes) {
      const body = JSON.stringify(writeExamples[operation.id]!(fixtures))
      const paths = [
        { method: 'POST', path: `/v1/op/${operation.id}` },
        { method: 'POST', path: `/v1/${operation.id.replaceAll('.', '/')}` },
        ...contractRoutes.filter((route) => route.operation === operation.id),
      ]
      for (const { method, path } of paths) {
        const url = path.replaceAll(/\{\w+\}/g, fixtures.item)
        const response = await client.fetch(url, { method, redirect: 'manual', ...(method === 'GET' ? {} : { body }) })
        assert.equal(response.status, 403, `${method} ${path}: ${await response.clone().text()}`)
        assert.equal(await problemOf(response), 'insufficient-scope', path)
      }
    }
  })
  const [row] = await app.database.unscoped.query<{ principal_id: string; count: number }>(sql`
    select principal_id, count(*) as count from audit_entries
    where organization_id = ${fixtures.organization} and principal_kind = 'impersonator' group by principal_id`)
  const { user } = await app.admin.call<{ user: { id: string } }>('users.me', {})
  assert.equal(row?.principal_id, user.id, 'the refused calls are those of the operator')
  assert.ok(row.count >= writes.length)
})

test('reads answer as they do for the user, and operations of operators are refused', async () => {
  const { access_token } = await impersonate()
  const client = clientOf(access_token)
  const own = ['orders.list', 'items.get', 'projects.list', 'billing.credits.balance', 'organizations.members.list']
  for (const id of own) {
    const init = { method: 'POST', body: JSON.stringify(readExamples[id]!(fixtures)) }
    const [seen, expected] = await Promise.all([client, fixtures.client].map((one) => one.fetch(`/v1/op/${id}`, init)))
    assert.equal(seen!.status, 200, id)
    assert.equal(await seen!.text(), await expected!.text(), id)
  }
  const privileged = operationRegistry.filter(
    ({ scope, effect }) => scope !== null && isPrivilegedScope(scope) && effect === 'read',
  )
  for (const { id } of privileged) {
    const response = await client.fetch(`/v1/op/${id}`, { method: 'POST', body: '{}' })
    assert.equal(response.status, 403, id)
  }
})

test('the act is in the trail of the organization, with the reason and without the token', async () => {
  const { access_token } = await impersonate(5)
  const { entries } = await fixtures.client.call<{ entries: { target_id: string; reason: string }[] }>(
    'organizations.audit.list',
    { operation: 'admin.users.impersonate', limit: 1 },
  )
  assert.deepEqual([entries[0]?.target_id, entries[0]?.reason], [fixtures.owner.user, 'They see no orders.'])
  const rows = await app.database.unscoped.query<{ text: string }>(sql`
    select t::text as text from impersonations t union all select t::text from audit_entries t`)
  assert.ok(rows.every(({ text }) => !text.includes(access_token)))
})

test('a token ends when it expires, with the operator and with the user', async () => {
  const status = async (token: string): Promise<number> => (await clientOf(token).fetch('/v1/op/users.me')).status
  const expired = await impersonate()
  assert.equal(await status(expired.access_token), 200)
  await app.database.unscoped.query(sql`
    update impersonations set expires_at = ${new Date(app.clock.now().getTime() - 1)}
    where id = ${expired.impersonation_id}`)
  assert.equal(await status(expired.access_token), 401)
  const { access_token } = await impersonate()
  const { user } = await app.admin.call<{ user: { id: string } }>('users.me', {})
  for (const [column, id] of [
    ['disabled_at', fixtures.owner.user],
    ['disabled_at', user.id],
  ] as const) {
    const name = sql.identifier(column, ['disabled_at'])
    await app.database.unscoped.query(sql`update users set ${name} = ${app.clock.now()} where id = ${id}`)
    assert.equal(await status(access_token), 401)
    await app.database.unscoped.query(sql`update users set ${name} = null where id = ${id}`)
  }
  assert.equal(await status(access_token), 200)
  assert.equal(await status(`${access_token.slice(0, -1)}${access_token.endsWith('x') ? 'y' : 'x'}`), 401)
})
