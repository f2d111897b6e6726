import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { sql } from '../../../platform/database/sql.ts'
import {
  rejectedWith,
  startIdentityTestApp,
  type FormResponse,
  type IdentityTestApp,
  type SignedInUser,
} from '../../../../test/identity-test-app.ts'
import {
  connectProgram,
  createProgram,
  credentialsOf,
  programCallback,
  programRequest,
  type TestProgram,
} from '../../../../test/oauth/programs.ts'
import { createPkce, exchangeCode, readCode, TestBrowser } from '../../../../test/test-browser.ts'

let app: IdentityTestApp
let owner: SignedInUser & { readonly organization: string }
before(async () => {
  app = await startIdentityTestApp()
  owner = await app.createFounder()
})
after(() => app.close())

const asOrganization = (program: TestProgram, more: Record<string, string> = {}): Promise<FormResponse> =>
  app.postForm('token', { ...credentialsOf(program), grant_type: 'client_credentials', ...more })

const refresh = (program: TestProgram, tokens: FormResponse, more: Record<string, string> = {}) =>
  app.postForm('token', {
    ...credentialsOf(program),
    grant_type: 'refresh_token',
    refresh_token: String(tokens.body['refresh_token']),
    ...more,
  })

const errorOf = ({ status, body }: FormResponse): unknown[] => [status, body['error']]

const invoke = (id: string, input: object, token = owner.token) => app.callOperation(id, token, input)

test('owners and admins register clients; the secret is shown once and stored as a hash', async () => {
  const created = await createProgram(app, owner.token)
  assert.match(created.secret!, /^swathclient_[0-9A-Za-z]{48}$/)
  const { client } = await invoke('oauth_clients.get', { client_id: created.id })
  const listed = await invoke('oauth_clients.list', {})
  assert.equal(JSON.stringify([client, listed]).includes(created.secret!), false)
  const stored = await app.database.unscoped.query(sql`select * from oauth_clients where id = ${created.id}`)
  assert.equal(JSON.stringify(stored).includes(created.secret!), false)
  const publicClient = await createProgram(app, owner.token, { type: 'public', grants: ['authorization_code'] })
  assert.equal(publicClient.secret, null)
  const member = await app.addMember(owner.token, 'member')
  await assert.rejects(createProgram(app, member.token), rejectedWith('forbidden'))
  const { key } = await invoke('api_keys.create', { name: 'K', permissions: ['can_write', 'oauth_clients:write'] })
  await assert.rejects(createProgram(app, String(key)), rejectedWith('user-required'))
})

test('what does not fit the type of a client is refused', async () => {
  const refused = [
    { redirect_uris: ['http://agent.example/cb'] },
    { redirect_uris: ['org.example.app:/cb'] },
    { redirect_uris: [] },
    { type: 'public' },
    { scopes: ['admin:read'] },
    { scopes: ['clip:*'] },
    { scopes: ['items:fly'] },
    { grants: ['refresh_token', 'client_credentials'] },
    { grants: ['password'] },
    { home_url: 'http://agent.example' },
    { logo_url: 'data:image/png;base64,x' },
  ]
  for (const input of refused)
    await assert.rejects(createProgram(app, owner.token, input), rejectedWith('validation'), JSON.stringify(input))
})

test('a client has no scope that the token lacks with which it is made or changed', async () => {
  const grant = { grant_type: 'password', username: owner.email, password: owner.password }
  const narrow = String(
    (await app.postForm('token', { ...grant, scope: 'oauth_clients:write items:read' })).body['access_token'],
  )
  await assert.rejects(createProgram(app, narrow, { scopes: ['items:write'] }), rejectedWith('insufficient-scope'))
  const program = await createProgram(app, narrow, { scopes: ['items:read'] })
  await assert.rejects(
    invoke('oauth_clients.update', { client_id: program.id, scopes: ['*:read'] }, narrow),
    rejectedWith('insufficient-scope'),
  )
  const wide = await createProgram(app, owner.token)
  await assert.rejects(
    invoke('oauth_clients.rotate_secret', { client_id: wide.id }, narrow),
    rejectedWith('insufficient-scope'),
  )
})

test('a confidential client acts for its organization, as an API key may, and gets no refresh token', async () => {
  const program = await createProgram(app, owner.token, {
    scopes: ['projects:write', 'organizations:read', 'api_keys:write'],
  })
  const tokens = await asOrganization(program)
  assert.equal(tokens.status, 200, JSON.stringify(tokens.body))
  assert.equal('refresh_token' in tokens.body, false)
  assert.equal(tokens.body['scope'], 'projects:write organizations:read api_keys:write')
  const token = String(tokens.body['access_token'])
  const me = await app.callOperation('users.me', token)
  assert.equal((me['organization'] as { id: string }).id, owner.organization)
  assert.ok(await app.callOperation('projects.create', token, { name: 'By program' }))
  await assert.rejects(app.callOperation('api_keys.create', token, { name: 'K' }), rejectedWith('user-required'))
  await assert.rejects(app.callOperation('billing.topup', token, { credits: 1 }), rejectedWith('insufficient-scope'))
  const narrowed = await asOrganization(program, { scope: 'organizations:read' })
  assert.equal(narrowed.body['scope'], 'organizations:read')
  assert.deepEqual(errorOf(await asOrganization(program, { scope: 'orders:write' })), [400, 'invalid_scope'])
  const basic = Buffer.from(`${program.id}:${program.secret}`).toString('base64')
  const byHeader = await app.postForm(
    'token',
    { grant_type: 'client_credentials' },
    { authorization: `Basic ${basic}` },
  )
  assert.equal(byHeader.status, 200)
})

test('its rights are no API key that lists show or that can be revoked as one', async () => {
  const program = await createProgram(app, owner.token)
  const { api_keys } = (await invoke('api_keys.list', {})) as { api_keys: { id: string }[] }
  assert.equal(
    api_keys.some(({ id }) => id === program.id),
    false,
  )
  await assert.rejects(invoke('api_keys.revoke', { key_id: program.id }), rejectedWith('not-found'))
  const form = { grant_type: 'client_credentials', client_id: 'swath', client_secret: program.secret! }
  assert.deepEqual(errorOf(await app.postForm('token', form)), [401, 'invalid_client'])
})

test('a wrong, missing or foreign secret is refused alike, and a client that does not exist as well', async () => {
  const [program, other] = [await createProgram(app, owner.token), await createProgram(app, owner.token)]
  const refusals = [
    { ...program, secret: 'wrong' },
    { ...program, secret: null },
    { ...program, secret: other.secret },
    { id: '0190a000-0000-7000-8000-000000000000', secret: program.secret },
  ]
  const answers = await Promise.all(refusals.map((one) => asOrganization(one)))
  for (const answer of answers)
    assert.deepEqual(
      [...errorOf(answer), answer.body['error_description']],
      [401, 'invalid_client', answers[0]!.body['error_description']],
    )
  const noGrant = await createProgram(app, owner.token, { grants: ['authorization_code'] })
  assert.deepEqual(errorOf(await asOrganization(noGrant)), [400, 'unauthorized_client'])
  const password = {
    ...credentialsOf(program),
    grant_type: 'password',
    username: owner.email,
    password: owner.password,
  }
  assert.deepEqual(errorOf(await app.postForm('token', password)), [400, 'unauthorized_client'])
  const { client_id: _id, client_secret: _secret, ...form } = password as Record<string, string>
  const basic = Buffer.from(`${program.id}:${program.secret}`).toString('base64')
  assert.deepEqual(errorOf(await app.postForm('token', form, { authorization: `Basic ${basic}` })), [
    400,
    'unauthorized_client',
  ])
})

test('after a rotation both secrets are accepted for a time, and without an overlap only the new one', async () => {
  const program = await createProgram(app, owner.token)
  const rotate = async (overlap_hours: number) =>
    String((await invoke('oauth_clients.rotate_secret', { client_id: program.id, overlap_hours }))['client_secret'])
  const next = { ...program, secret: await rotate(1) }
  assert.deepEqual([(await asOrganization(program)).status, (await asOrganization(next)).status], [200, 200])
  app.clock.advance(3600_000)
  owner = { ...owner, token: (await app.signIn(owner.email, owner.password)).access_token }
  assert.deepEqual([(await asOrganization(program)).status, (await asOrganization(next)).status], [401, 200])
  const last = { ...program, secret: await rotate(0) }
  assert.deepEqual([(await asOrganization(next)).status, (await asOrganization(last)).status], [401, 200])
  const open = await createProgram(app, owner.token, { type: 'public', grants: ['authorization_code'] })
  await assert.rejects(invoke('oauth_clients.rotate_secret', { client_id: open.id }), rejectedWith('invalid-state'))
})

test('disabling a client ends its tokens at once, and deleting it what was granted to it', async () => {
  const program = await createProgram(app, owner.token)
  const [ofUser, ofOrganization] = [await connectProgram(app, program, owner), await asOrganization(program)]
  const tokens = [ofUser, ofOrganization].map(({ body }) => String(body['access_token']))
  for (const token of tokens) assert.ok(await app.callOperation('users.me', token))
  await invoke('oauth_clients.update', { client_id: program.id, disabled: true })
  for (const token of tokens)
    await assert.rejects(app.callOperation('users.me', token), rejectedWith('unauthenticated'))
  assert.deepEqual(errorOf(await refresh(program, ofUser)), [401, 'invalid_client'])
  assert.deepEqual(errorOf(await asOrganization(program)), [401, 'invalid_client'])
  await invoke('oauth_clients.update', { client_id: program.id, disabled: false })
  assert.equal((await asOrganization(program)).status, 200)
  assert.deepEqual(errorOf(await refresh(program, ofUser)), [400, 'invalid_grant'])
  await invoke('oauth_clients.delete', { client_id: program.id })
  assert.deepEqual(errorOf(await asOrganization(program)), [401, 'invalid_client'])
  const { consents } = (await invoke('users.consents.list', {})) as { consents: { client_id: string }[] }
  assert.equal(
    consents.some(({ client_id }) => client_id === program.id),
    false,
  )
})

test('a client of another organization is unknown, and an admin does not change that of an owner', async () => {
  const program = await createProgram(app, owner.token)
  const [foreigner, admin] = [await app.createFounder(), await app.addMember(owner.token, 'admin')]
  const operations = ['oauth_clients.update', 'oauth_clients.rotate_secret', 'oauth_clients.delete']
  for (const id of ['oauth_clients.get', ...operations])
    await assert.rejects(invoke(id, { client_id: program.id }, foreigner.token), rejectedWith('not-found'), id)
  for (const id of operations)
    await assert.rejects(invoke(id, { client_id: program.id }, admin.token), rejectedWith('forbidden'), id)
})

test('a client ends with the membership of who made it', async () => {
  const admin = await app.addMember(owner.token, 'admin')
  const program = await createProgram(app, admin.token)
  const token = String((await asOrganization(program)).body['access_token'])
  assert.ok(await app.callOperation('users.me', token))
  await invoke('organizations.members.remove', { user_id: admin.id })
  await assert.rejects(app.callOperation('users.me', token), rejectedWith('unauthenticated'))
  assert.deepEqual(errorOf(await asOrganization(program)), [401, 'invalid_client'])
  const taken = { kind: 'api_key', delegation_id: program.id }
  const { secret } = await invoke('organizations.delegations.take_over', taken)
  assert.equal((await asOrganization({ ...program, secret: String(secret) })).status, 200)
  assert.deepEqual(errorOf(await asOrganization(program)), [401, 'invalid_client'])
})

test('a refresh needs the client, its secret and its grant, and never widens', async () => {
  const [program, other] = [await createProgram(app, owner.token), await createProgram(app, owner.token)]
  const tokens = await connectProgram(app, program, owner)
  const refresh_token = String(tokens.body['refresh_token'])
  const anonymous = await app.postForm('token', { grant_type: 'refresh_token', refresh_token })
  assert.deepEqual(errorOf(anonymous), [400, 'invalid_grant'])
  assert.deepEqual(errorOf(await refresh(other, tokens)), [400, 'invalid_grant'])
  assert.deepEqual(errorOf(await refresh({ ...program, secret: 'wrong' }, tokens)), [401, 'invalid_client'])
  assert.deepEqual(errorOf(await refresh(program, tokens, { scope: 'projects:write' })), [400, 'invalid_scope'])
  const narrowed = await refresh(program, tokens, { scope: 'items:read' })
  assert.equal(narrowed.body['scope'], 'openid items:read')
  const ofConsole = await app.postForm('token', {
    grant_type: 'refresh_token',
    refresh_token: owner.refresh_token,
    ...credentialsOf(program),
  })
  assert.deepEqual(errorOf(ofConsole), [400, 'invalid_grant'])
  await invoke('oauth_clients.update', { client_id: program.id, scopes: ['organizations:read'] })
  assert.equal((await refresh(program, narrowed)).body['scope'], 'openid organizations:read')
  const withoutRefresh = await createProgram(app, owner.token, { grants: ['authorization_code'] })
  const once = await connectProgram(app, withoutRefresh, owner)
  assert.equal('refresh_token' in once.body, false)
})

test('a code is for its client alone, with its secret', async () => {
  const [program, other] = [await createProgram(app, owner.token), await createProgram(app, owner.token)]
  const { browser } = await connectProgram(app, program, owner)
  const redeem = async (by: Record<string, string>, changes: Record<string, string> = {}) => {
    const pkce = createPkce()
    const code = readCode(await browser.open(programRequest(program, pkce)))
    return exchangeCode(app, code, pkce, { redirect_uri: programCallback, ...by, ...changes })
  }
  assert.deepEqual(errorOf(await redeem(credentialsOf(other))), [400, 'invalid_grant'])
  assert.deepEqual(errorOf(await redeem({ client_id: program.id })), [401, 'invalid_client'])
  assert.deepEqual(errorOf(await redeem(credentialsOf(program), { code_verifier: 'v'.repeat(43) })), [
    400,
    'invalid_grant',
  ])
  assert.equal((await redeem(credentialsOf(program))).status, 200)
})

test('redirect URIs and PKCE are required as registered', async () => {
  const program = await createProgram(app, owner.token, { redirect_uris: [programCallback, 'http://127.0.0.1/cb'] })
  const browser = new TestBrowser(app)
  const pkce = createPkce()
  const untrusted = await browser.open(programRequest(program, pkce, { redirect_uri: 'https://agent.example/other' }))
  assert.deepEqual([untrusted.status, untrusted.location], [400, null])
  const loopback = await browser.open(programRequest(program, pkce, { redirect_uri: 'http://127.0.0.1:51234/cb' }))
  assert.equal(loopback.status, 200)
  const plain = await browser.open(
    programRequest(program, pkce, { code_challenge: undefined, code_challenge_method: undefined }),
  )
  assert.equal(plain.location?.searchParams.get('error'), 'invalid_request')
  const noCode = await createProgram(app, owner.token, { grants: ['client_credentials'] })
  const refused = await browser.open(programRequest(noCode, pkce))
  assert.equal(refused.location?.searchParams.get('error'), 'unauthorized_client')
})

test('a client is told of its own tokens only, and revokes only them', async () => {
  const [program, other] = [await createProgram(app, owner.token), await createProgram(app, owner.token)]
  const tokens = await connectProgram(app, program, owner)
  const token = String(tokens.body['access_token'])
  const introspect = (by: TestProgram, text: string) =>
    app.postForm('token/introspect', { ...credentialsOf(by), token: text })
  const own = await introspect(program, token)
  assert.deepEqual([own.body['active'], own.body['client_id']], [true, program.id])
  assert.equal((await introspect(program, String(tokens.body['refresh_token']))).body['active'], true)
  assert.deepEqual((await introspect(other, token)).body, { active: false })
  assert.deepEqual((await introspect(program, owner.token)).body, { active: false })
  assert.deepEqual(errorOf(await app.postForm('token/introspect', { client_id: program.id, token })), [
    401,
    'invalid_client',
  ])
  assert.equal((await app.postForm('revoke', { ...credentialsOf(other), token })).status, 200)
  assert.ok(await app.callOperation('users.me', token))
  assert.equal((await app.postForm('revoke', { ...credentialsOf(program), token })).status, 200)
  await assert.rejects(app.callOperation('users.me', token), rejectedWith('unauthenticated'))
})

test('a token is for the resources that its request names, which must be of this server', async () => {
  const program = await createProgram(app, owner.token)
  const [base, mcp] = ['http://localhost:8080', 'http://localhost:8080/mcp']
  const audience = ({ body }: FormResponse): unknown => decodeJwt(String(body['access_token'])).aud
  assert.deepEqual(audience(await asOrganization(program)), 'swath')
  const named = await asOrganization(program, { resource: mcp })
  assert.deepEqual(audience(named), ['swath', mcp])
  assert.ok(await app.callOperation('users.me', String(named.body['access_token'])))
  for (const resource of ['https://other.example', `${base}.evil.example`, 'http://localhost:8081', `${mcp}#x`, 'mcp'])
    assert.deepEqual(errorOf(await asOrganization(program, { resource })), [400, 'invalid_target'], resource)
  const tokens = await connectProgram(app, program, owner, { resource: mcp })
  assert.deepEqual(audience(tokens), ['swath', mcp])
  assert.deepEqual(errorOf(await refresh(program, tokens, { resource: base })), [400, 'invalid_target'])
  assert.deepEqual(audience(await refresh(program, tokens)), ['swath', mcp])
  const browser = new TestBrowser(app)
  const refused = await browser.open(programRequest(program, createPkce(), { resource: 'https://other.example' }))
  assert.equal(refused.location?.searchParams.get('error'), 'invalid_target')
})
