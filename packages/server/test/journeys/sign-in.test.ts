import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { tokenSource } from '@swath/client/tokens.ts'
import { unchanged } from '../books.ts'
import { capturesOf } from '../orders.ts'
import { makeOrganization, type Person, type TestOrganization } from '../people.ts'
import { bootHouse, untilHeard, type TestHouse } from '../setup.ts'

const realm = '/realms/public/protocol/openid-connect'

let house: TestHouse
let made: TestOrganization
let owner: Person
before(async () => {
  house = await bootHouse()
  made = await makeOrganization(house)
  owner = made.owner
})
after(() => house?.close())

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
}

const form = (fields: Record<string, string>, path = 'token'): Promise<Response> =>
  fetch(`${house.url}${realm}/${path}`, { method: 'POST', body: new URLSearchParams(fields) })

const with_ = (token: string): Client => createClient({ base: house.url, token })

async function makeKey(permissions?: string[]): Promise<{ id: string; key: string }> {
  return owner.client.call('api_keys.create', { name: 'A script', ...(permissions ? { permissions } : {}) })
}

/** Clients that use a key directly and exchanged for an access token. */
const clientsOf = (key: string): Client[] => [
  with_(key),
  createClient({ base: house.url, token: tokenSource(house.url, { apiKey: key }) }),
]

test('a user signs in, reads users.me and refreshes the session', async () => {
  const response = await form({ grant_type: 'password', username: owner.email, password: owner.password })
  assert.equal(response.status, 200)
  const tokens = (await response.json()) as Tokens
  assert.equal(tokens.expires_in, 300)
  const me = await with_(tokens.access_token).call('users.me', {})
  assert.equal(me.kind, 'human')
  assert.equal(me.user?.email, owner.email)
  assert.equal(me.organization?.id, made.organization)
  assert.equal(me.organization.role, 'owner')
  assert.deepEqual(me.wallet, { available_credits: 10_000, held_credits: 0 })
  assert.ok(!me.scopes.some((scope) => scope.startsWith('admin') || scope === '*'))

  const refreshed = await form({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
  const next = (await refreshed.json()) as Tokens
  assert.notEqual(next.refresh_token, tokens.refresh_token)
  assert.equal((await with_(next.access_token).call('users.me', {})).user?.email, owner.email)
  // A reused refresh token may be stolen: the whole session is revoked.
  assert.equal((await form({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).status, 400)
  assert.equal((await form({ grant_type: 'refresh_token', refresh_token: next.refresh_token })).status, 400)
})

test('the discovery document contains every endpoint', async () => {
  const discovery = (await (
    await fetch(`${house.url}/realms/public/.well-known/openid-configuration`)
  ).json()) as Record<string, string>
  for (const name of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])
    assert.ok(discovery[name]?.startsWith(house.url), name)
  const { keys } = (await (await fetch(discovery['jwks_uri']!)).json()) as { keys: { kid: string; d?: string }[] }
  assert.ok(keys.length > 0 && keys.every((key) => key.kid && !('d' in key)))
  const info = await owner.client.fetch(new URL(discovery['userinfo_endpoint']!).pathname)
  assert.equal(((await info.json()) as { email: string }).email, owner.email)
})

test('wrong passwords return 400, invalid tokens and keys 401', async () => {
  const wrong = [
    { grant_type: 'password', username: owner.email, password: 'not this one' },
    { grant_type: 'password', username: 'nobody@example.org', password: owner.password },
  ]
  const texts = await Promise.all(wrong.map(async (fields) => [await form(fields)].map((response) => response.status)))
  assert.deepEqual(texts, [[400], [400]])
  const { key } = await makeKey()
  const damaged = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
  for (const token of ['x', 'a.b.c', damaged, '']) {
    const response = await fetch(`${house.url}/v1/op/users.me`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(response.status, 401, token)
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/)
  }
})

test('a key has the permissions of its flags, directly and exchanged for a token', async () => {
  const outcomes = async (permissions: string[] | undefined): Promise<string[]> => {
    const { key } = await makeKey(permissions)
    const answers: string[] = []
    for (const client of clientsOf(key)) {
      for (const [operation, input] of [
        ['items.list', { project_id: made.project }],
        ['collections.create', { project_id: made.project, name: `By ${permissions} ${answers.length}` }],
        ['processing.create', {}],
        ['admin.orgs.credit_adjust', {}],
      ] as const) {
        const response = await client.fetch(`/v1/op/${operation}`, { method: 'POST', body: JSON.stringify(input) })
        answers.push(String(response.status))
      }
    }
    assert.deepEqual(answers.slice(0, 4), answers.slice(4), 'the key and its token differ')
    return answers.slice(0, 4)
  }
  assert.deepEqual(await outcomes(undefined), ['200', '403', '403', '403'])
  assert.deepEqual(await outcomes(['can_read']), ['200', '403', '403', '403'])
  assert.deepEqual(await outcomes(['can_write']), ['200', '200', '403', '403'])
  assert.deepEqual(await outcomes(['can_process']), ['200', '403', '422', '403'])
  assert.deepEqual(await outcomes(['collections:write']), ['403', '200', '403', '403'])
})

test('an order by an API key returns user-required and changes nothing, also exchanged for a token', async () => {
  const captures = await capturesOf(owner.client, 'commercial', ['naip-va-17n'])
  for (const permissions of [['can_write'], ['can_read', 'can_write', 'can_process'], ['orders:write']]) {
    const { key } = await makeKey(permissions)
    for (const client of clientsOf(key)) {
      assert.equal((await client.call('users.me', {})).kind, 'api_key')
      await unchanged(house, () =>
        assert.rejects(client.call('orders.archive.place', { captures }, { idempotencyKey: 'by a key' }), {
          status: 403,
          problem: 'user-required',
        }),
      )
    }
  }
})

test('a revoked key is refused at once, and so are its tokens', async () => {
  const { id, key } = await makeKey(['can_read'])
  const [plain, exchanged] = clientsOf(key) as [Client, Client]
  await plain.call('items.list', { project_id: made.project })
  await exchanged.call('items.list', { project_id: made.project })
  await owner.client.call('api_keys.revoke', { key_id: id })
  for (const client of [plain, exchanged]) {
    await untilHeard(() => assert.rejects(client.call('items.list', { project_id: made.project }), { status: 401 }))
  }
  assert.equal((await form({ grant_type: 'client_credentials', client_id: 'swath', client_secret: key })).status, 401)
})
