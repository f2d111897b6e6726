import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { assertUnchanged } from '../ledger-assertions.ts'
import { findCaptures } from '../orders.ts'
import { createTestOrganization, type TestUser, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, assertEventually, type TestApp } from '../test-app.ts'

const realm = '/realms/public/protocol/openid-connect'

let app: TestApp
let org: TestOrganization
let owner: TestUser
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app)
  owner = org.owner
})
after(() => app?.close())

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

const postForm = (fields: Record<string, string>, path = 'token'): Promise<Response> =>
  fetch(`${app.url}${realm}/${path}`, { method: 'POST', body: new URLSearchParams(fields) })

const clientWithToken = (token: string): Client => createClient({ baseUrl: app.url, token })

async function createKey(permissions?: string[]): Promise<{ id: string; key: string }> {
  return owner.client.call('api_keys.create', { name: 'A script', ...(permissions ? { permissions } : {}) })
}

/** Clients that use a key directly and exchanged for an access token. */
const clientsOf = (key: string): Client[] => [
  clientWithToken(key),
  createClient({ baseUrl: app.url, token: createTokenSource(app.url, { apiKey: key }) }),
]

test('a user signs in, reads users.me and refreshes the session', async () => {
  const response = await postForm({ grant_type: 'password', username: owner.email, password: owner.password })
  assert.equal(response.status, 200)
  const tokens = (await response.json()) as Tokens
  assert.equal(tokens.expires_in, 300)
  const currentUser = await clientWithToken(tokens.access_token).call('users.me', {})
  assert.equal(currentUser.kind, 'human')
  assert.equal(currentUser.user?.email, owner.email)
  assert.equal(currentUser.organization?.id, org.organization)
  assert.equal(currentUser.organization.role, 'owner')
  assert.deepEqual(currentUser.wallet, { available_credits: 10_000, held_credits: 0, play_money: false })
  assert.ok(!currentUser.scopes.some((scope) => scope.startsWith('admin') || scope === '*'))

  const refreshed = await postForm({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
  const next = (await refreshed.json()) as Tokens
  assert.notEqual(next.refresh_token, tokens.refresh_token)
  assert.equal((await clientWithToken(next.access_token).call('users.me', {})).user?.email, owner.email)
  // A reused refresh token may be stolen: the whole session is revoked.
  assert.equal((await postForm({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).status, 400)
  assert.equal((await postForm({ grant_type: 'refresh_token', refresh_token: next.refresh_token })).status, 400)
})

test('the discovery document contains every endpoint', async () => {
  const discovery = (await (await fetch(`${app.url}/realms/public/.well-known/openid-configuration`)).json()) as Record<
    string,
    string
  >
  for (const name of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])
    assert.ok(discovery[name]?.startsWith(app.url), name)
  const { keys } = (await (await fetch(discovery['jwks_uri']!)).json()) as { keys: { kid: string; d?: string }[] }
  assert.ok(keys.length > 0 && keys.every((key) => key.kid && !('d' in key)))
  const userinfoResponse = await owner.client.fetch(new URL(discovery['userinfo_endpoint']!).pathname)
  assert.equal(((await userinfoResponse.json()) as { email: string }).email, owner.email)
})

test('wrong passwords return 400, invalid tokens and keys 401', async () => {
  const wrongCredentials = [
    { grant_type: 'password', username: owner.email, password: 'not this one' },
    { grant_type: 'password', username: 'nobody@example.org', password: owner.password },
  ]
  const statuses = await Promise.all(
    wrongCredentials.map(async (fields) => [await postForm(fields)].map((response) => response.status)),
  )
  assert.deepEqual(statuses, [[400], [400]])
  const { key } = await createKey()
  const corruptedKey = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
  for (const token of ['x', 'a.b.c', corruptedKey, '']) {
    const response = await fetch(`${app.url}/v1/op/users.me`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(response.status, 401, token)
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/)
  }
})

test('a key has the permissions of its flags, directly and exchanged for a token', async () => {
  const callWithKey = async (permissions: string[] | undefined): Promise<string[]> => {
    const { key } = await createKey(permissions)
    const statuses: string[] = []
    for (const client of clientsOf(key)) {
      for (const [operation, input] of [
        ['items.list', { project_id: org.project }],
        ['collections.create', { project_id: org.project, name: `By ${permissions} ${statuses.length}` }],
        ['processing.create', {}],
        ['admin.orgs.credit_adjust', {}],
      ] as const) {
        const response = await client.fetch(`/v1/op/${operation}`, { method: 'POST', body: JSON.stringify(input) })
        statuses.push(String(response.status))
      }
    }
    assert.deepEqual(statuses.slice(0, 4), statuses.slice(4), 'the key and its token differ')
    return statuses.slice(0, 4)
  }
  assert.deepEqual(await callWithKey(undefined), ['200', '403', '403', '403'])
  assert.deepEqual(await callWithKey(['can_read']), ['200', '403', '403', '403'])
  assert.deepEqual(await callWithKey(['can_write']), ['200', '200', '403', '403'])
  assert.deepEqual(await callWithKey(['can_process']), ['200', '403', '422', '403'])
  assert.deepEqual(await callWithKey(['collections:write']), ['403', '200', '403', '403'])
})

test('an order by an API key returns user-required and changes nothing, also exchanged for a token', async () => {
  const captures = await findCaptures(owner.client, 'commercial', ['naip-va-17n'])
  for (const permissions of [['can_write'], ['can_read', 'can_write', 'can_process'], ['orders:write']]) {
    const { key } = await createKey(permissions)
    for (const client of clientsOf(key)) {
      assert.equal((await client.call('users.me', {})).kind, 'api_key')
      await assertUnchanged(app, () =>
        assert.rejects(client.call('orders.archive.place', { captures }, { idempotencyKey: 'by a key' }), {
          status: 403,
          problem: 'user-required',
        }),
      )
    }
  }
})

test('a revoked key is refused at once, and so are its tokens', async () => {
  const { id, key } = await createKey(['can_read'])
  const [keyClient, tokenClient] = clientsOf(key) as [Client, Client]
  await keyClient.call('items.list', { project_id: org.project })
  await tokenClient.call('items.list', { project_id: org.project })
  await owner.client.call('api_keys.revoke', { key_id: id })
  for (const client of [keyClient, tokenClient]) {
    await assertEventually(() =>
      assert.rejects(client.call('items.list', { project_id: org.project }), { status: 401 }),
    )
  }
  assert.equal(
    (await postForm({ grant_type: 'client_credentials', client_id: 'swath', client_secret: key })).status,
    401,
  )
})
