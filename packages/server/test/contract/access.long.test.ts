import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { organizationPermissions } from '@swath/contract/access.ts'
import type { Operation } from '@swath/contract/operation.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import { isInteractiveScope, isPrivilegedScope } from '@swath/contract/scopes.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { createMinimalValue } from './minimal-input.ts'

let app: TestApp
let organization: TestOrganization
before(async () => {
  app = await startTestApp()
  organization = await createTestOrganization(app)
})
after(() => app?.close())

/** The name of the problem that a call returns; null if it succeeds. */
async function findProblem(client: Client, { id, input }: Operation, body: object = {}): Promise<string | null> {
  const minimal = createMinimalValue(input) as object
  const response = await client.fetch(`/v1/op/${id}`, { method: 'POST', body: JSON.stringify({ ...minimal, ...body }) })
  if (response.ok) return null
  const { type } = (await response.json()) as { type: string }
  return type.slice(type.lastIndexOf('/') + 1)
}

const createKey = async (permissions: readonly string[]): Promise<Client> => {
  const { key } = await organization.owner.client.call<{ key: string }>('api_keys.create', { name: 'k', permissions })
  return createClient({ baseUrl: app.url, token: key })
}

const permitted = operationRegistry.filter(({ permission }) => permission !== null)

for (const role of ['admin', 'billing', 'member'] as const satisfies readonly OrganizationRole[])
  test(`a member with the role ${role} and without a project is refused what the table does not permit`, async () => {
    const { client } = await organization.addMember(role)
    const refused = permitted.filter(({ permission }) => {
      const roles: readonly OrganizationRole[] = organizationPermissions[permission!].roles
      return !roles.includes(role)
    })
    assert.ok(refused.length > 0)
    for (const operation of refused) assert.equal(await findProblem(client, operation), 'forbidden', operation.id)
  })

test('who may write in a project may change what the organization shares, and a viewer may not', async () => {
  const member = await organization.addMember('member')
  const { client } = member
  const contributed = permitted.filter(({ permission }) => permission === 'contribute')
  const { owner, project: project_id } = organization
  await owner.client.call('projects.add_member', { project_id, user_id: member.user, role: 'viewer' })
  for (const operation of contributed) assert.equal(await findProblem(client, operation), 'forbidden', operation.id)
  await owner.client.call('projects.update_member', { project_id, user_id: member.user, role: 'editor' })
  for (const operation of contributed) assert.notEqual(await findProblem(client, operation), 'forbidden', operation.id)
})

test('an API key cannot call operations for users, nor with flags those that need a scope by name', async () => {
  const everything = await createKey(['can_read', 'can_write', 'can_process'])
  const named = await createKey(['billing:write'])
  for (const operation of operationRegistry.filter(
    ({ callers, scope }) => callers !== 'any' && !scope?.startsWith('admin:'),
  )) {
    assert.equal(await findProblem(everything, operation), 'user-required', operation.id)
    if (operation.scope !== 'billing:write') continue
    const isRefused = (await findProblem(named, operation)) === 'user-required'
    assert.equal(isRefused, operation.callers === 'users', operation.id)
  }
})

test('only the user in person calls what is for the account, whatever scopes a credential has', async () => {
  const { client } = organization.owner
  const delegated = operationRegistry.filter(
    ({ callers }) => callers !== 'interactive-users' && callers !== 'account-owners',
  )
  const { token } = await client.call<{ token: string }>('users.tokens.create', {
    name: 'Everything',
    scopes: [...new Set(delegated.map(({ scope }) => scope))].filter(
      (scope) => scope !== null && !isPrivilegedScope(scope),
    ),
    expires_in_days: 1,
  })
  const byToken = createClient({ baseUrl: app.url, token })
  const own = operationRegistry.filter((operation) => !delegated.includes(operation))
  assert.ok(own.length > 20)
  for (const operation of own) {
    const expected = isInteractiveScope(operation.scope ?? '') ? 'insufficient-scope' : 'user-required'
    assert.equal(await findProblem(byToken, operation), expected, operation.id)
  }
})

test('a member reads the balance and the own top-up requests, and neither lots nor requests of others', async () => {
  const { owner } = organization
  const { client } = await organization.addMember('member')
  const request = (by: Client) => by.call<{ id: string }>('billing.approvals.request', { credits: 500 })
  const [own, other] = [await request(client), await request(owner.client)]
  const listIds = async (by: Client) =>
    (await by.call<{ approvals: { id: string }[] }>('billing.approvals.list')).approvals.map(({ id }) => id)
  assert.deepEqual(await listIds(client), [own.id])
  assert.deepEqual((await listIds(owner.client)).sort(), [own.id, other.id].sort())
  await client.call('billing.approvals.get', { approval_id: own.id })
  await assert.rejects(client.call('billing.approvals.get', { approval_id: other.id }), { status: 404 })
  interface Balance {
    readonly available_credits: number
    readonly lots: readonly unknown[]
  }
  const [seen, whole] = await Promise.all(
    [client, owner.client].map((by) => by.call<Balance>('billing.credits.balance')),
  )
  assert.equal(seen!.available_credits, whole!.available_credits)
  assert.deepEqual([seen!.lots.length, whole!.lots.length], [0, 1])
})
