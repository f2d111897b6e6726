import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findOperation } from '@swath/contract/registry.ts'
import { humanScopes, resolveApiKeyScopes } from '@swath/contract/scopes.ts'
import type { Principal } from '../../engine/call.ts'
import { requirePermittedCaller } from '../../engine/pipeline/scope.ts'
import { narrowPrincipal } from './requested-scopes.ts'
import {
  adminEmail,
  adminPassword,
  startIdentityTestApp,
  type FormResponse,
  rejectedWith,
  type IdentityTestApp,
} from '../../../test/identity-test-app.ts'
import { authorizationParameters, createPkce, exchangeCode, readCode, TestBrowser } from '../../../test/test-browser.ts'

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp()
})
after(() => app.close())

const signIn = (more: Record<string, string> = {}): Promise<FormResponse> =>
  app.postForm('token', { grant_type: 'password', username: adminEmail, password: adminPassword, ...more })

const refresh = (refresh_token: unknown, more: Record<string, string> = {}): Promise<FormResponse> =>
  app.postForm('token', { grant_type: 'refresh_token', refresh_token: String(refresh_token), ...more })

const tokenOf = ({ body }: FormResponse): string => String(body['access_token'])

test('without a scope of a resource a token has every scope that is not privileged', async () => {
  for (const scope of ['', 'openid profile email offline_access', 'openid address phone']) {
    const signedIn = await signIn({ scope })
    assert.equal(signedIn.body['scope'], humanScopes.join(' '))
    await assert.rejects(app.callOperation('admin.users.list', tokenOf(signedIn)), rejectedWith('insufficient-scope'))
  }
})

test('an administrator has the scope of operators if it is asked for, another user does not get it', async () => {
  const asked = await signIn({ scope: 'admin:* items:read' })
  assert.equal(asked.body['scope'], 'admin:* items:read')
  assert.ok(await app.callOperation('admin.users.list', tokenOf(asked)))
  const { email: username, password } = await app.createFounder()
  const refused = await signIn({ username, password, scope: 'admin:*' })
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_scope'])
  const others = await signIn({ username, password, scope: 'admin:* items:read' })
  assert.equal(others.body['scope'], 'items:read')
})

test('a token calls what it was asked for and nothing else, also where its user may', async () => {
  const { email: username, password } = await app.createFounder()
  const token = tokenOf(await signIn({ username, password, scope: 'openid organizations:read' }))
  assert.ok(await app.callOperation('organizations.members.list', token))
  await assert.rejects(app.callOperation('projects.create', token, { name: 'P' }), rejectedWith('insufficient-scope'))
  await assert.rejects(app.callOperation('api_keys.list', token), rejectedWith('insufficient-scope'))
})

test('an administrator whose token has no scope of operators does not act as one', async () => {
  const { organization } = await app.createFounder()
  const token = tokenOf(await signIn())
  const member = { organization_id: organization, email: 'added@example.org', role: 'member' }
  await assert.rejects(app.callOperation('organizations.members.add', token, member), rejectedWith('not-found'))
  const asked = tokenOf(await signIn({ scope: 'organizations:* admin:*' }))
  assert.ok(await app.callOperation('organizations.members.add', asked, member))
})

test('a scope that does not exist is refused before the password is looked at', async () => {
  for (const scope of ['items:fly', '*', '*:*', 'items', 'nothing:read']) {
    const { status, body } = await signIn({ scope, password: 'wrong' })
    assert.deepEqual([status, body['error']], [400, 'invalid_scope'], scope)
  }
})

test('a refresh narrows its own token, never widens, and a refused one is not consumed', async () => {
  const first = await signIn({ scope: 'items:* orders:read' })
  const wider = await refresh(first.body['refresh_token'], { scope: 'orders:write' })
  assert.deepEqual([wider.status, wider.body['error']], [400, 'invalid_scope'])
  const narrower = await refresh(first.body['refresh_token'], { scope: 'items:read' })
  assert.equal(narrower.body['scope'], 'items:read')
  const whole = await refresh(narrower.body['refresh_token'])
  assert.equal(whole.body['scope'], 'items:* orders:read')
  const privileged = await refresh(whole.body['refresh_token'], { scope: 'admin:*' })
  assert.equal(privileged.body['error'], 'invalid_scope')
})

test('a refresh of a full session narrows to the scopes of one action', async () => {
  const whole = await signIn()
  const readable = await refresh(whole.body['refresh_token'], { scope: '*:read' })
  assert.equal(readable.status, 200)
  assert.ok(String(readable.body['scope']).split(' ').includes('items:read'))
  assert.equal(/:(?!read)/.test(String(readable.body['scope'])), false)
  const narrow = await signIn({ scope: 'items:read orders:write' })
  const wider = await refresh(narrow.body['refresh_token'], { scope: '*:read' })
  assert.deepEqual([wider.status, wider.body['error']], [400, 'invalid_scope'])
  const resource = await refresh(narrow.body['refresh_token'], { scope: 'items:*' })
  assert.equal(resource.body['error'], 'invalid_scope')
})

test('an API key gives tokens with the requested part of its scopes', async () => {
  const founder = await app.createFounder()
  const permissions = ['can_write', 'billing:write']
  const { key } = await app.callOperation('api_keys.create', founder.token, { name: 'K', permissions })
  const grant = { grant_type: 'client_credentials', client_id: 'swath', client_secret: String(key) }
  const whole = await app.postForm('token', grant)
  assert.equal(whole.body['scope'], '*:read *:write billing:write')
  const part = await app.postForm('token', { ...grant, scope: 'items:* billing:write' })
  assert.equal(part.body['scope'], 'items:read items:write billing:write')
  const none = await app.postForm('token', { ...grant, scope: 'processing:process' })
  assert.deepEqual([none.status, none.body['error']], [400, 'invalid_scope'])
})

test('a token that asked for what a flag of its key covers does not have it by name', () => {
  const topUp = findOperation('billing.topup')!
  const createKey = (...permissions: string[]): Principal => ({
    kind: 'api_key',
    id: 'k',
    user: 'u',
    organization: 'o',
    role: null,
    scopes: resolveApiKeyScopes(permissions),
    administrator: false,
  })
  const asked = ['billing:write']
  const byFlag = narrowPrincipal(createKey('can_write'), asked)
  assert.deepEqual(byFlag.scopes, asked)
  assert.throws(() => requirePermittedCaller(byFlag, topUp), rejectedWith('user-required'))
  requirePermittedCaller(narrowPrincipal(createKey('billing:write'), asked), topUp)
})

test('a key has no scope that the token lacks with which it is made', async () => {
  const { email: username, password } = await app.createFounder()
  const create = async (scope: string, permissions: readonly string[]) =>
    app.callOperation('api_keys.create', tokenOf(await signIn({ username, password, scope })), {
      name: 'K',
      permissions,
    })
  await assert.rejects(create('api_keys:write items:read', ['can_read']), rejectedWith('insufficient-scope'))
  await assert.rejects(create('api_keys:write items:read', ['items:write']), rejectedWith('insufficient-scope'))
  assert.ok(await create('api_keys:write items:read', ['items:read']))
  assert.ok(await create('api_keys:write *:read', ['can_read']))
  assert.ok(await create('', ['can_read', 'can_write', 'can_process', 'billing:write']))
})

test('an authorization code gives the scopes of its request, and one that does not exist is reported to the client', async () => {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const request = authorizationParameters(pkce, { scope: 'openid catalog:read' })
  const { body } = await exchangeCode(app, readCode(await browser.signIn(request, adminEmail, adminPassword)), pkce)
  assert.equal(body['scope'], 'openid catalog:read')
  const refused = await new TestBrowser(app).request(
    'GET',
    `/realms/public/protocol/openid-connect/auth?${authorizationParameters(pkce, { scope: 'items:fly' }).toString()}`,
  )
  assert.equal(refused.location?.searchParams.get('error'), 'invalid_scope')
})

test('introspection needs the secret of a client or a token', async () => {
  const token = tokenOf(await signIn({ scope: 'items:read' }))
  const byId = await app.postForm('token/introspect', { token, client_id: 'swath' })
  assert.deepEqual([byId.status, byId.body['error']], [401, 'invalid_client'])
  const byToken = await app.postForm('token/introspect', { token }, { authorization: `Bearer ${token}` })
  assert.deepEqual([byToken.body['active'], byToken.body['scope']], [true, 'items:read'])
})

test('programs with configured ids sign people in on another device, others do not', async () => {
  const configured = await app.postForm('auth/device', { client_id: 'another-program', scope: 'items:read' })
  assert.equal(configured.status, 200)
  const unknown = await app.postForm('auth/device', { client_id: 'unknown-program' })
  assert.deepEqual([unknown.status, unknown.body['error']], [401, 'invalid_client'])
})
