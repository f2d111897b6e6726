import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import { problemOf } from '../../../../test/call-operation.ts'
import {
  FederationHarness,
  createAddress,
  readLink,
  tokenPath,
} from '../../../../test/federation/federation-harness.ts'
import { createTestOrganization, testPassword } from '../../../../test/test-organizations.ts'
import { authorizationParameters, codeGrant, readCode, TestBrowser } from '../../../../test/test-browser.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let harness: FederationHarness
before(async () => {
  harness = await FederationHarness.start()
})
after(() => harness?.close())

test('a hostile provider opens no account that is elsewhere, of an owner, of an operator or of nobody yet', async () => {
  const organization = await harness.createOrganization()
  const elsewhere = await harness.createAccountWith(organization, 'member')
  await harness.addMember(await createTestOrganization(harness.app, 0), elsewhere, 'member')
  const onlyElsewhere = await harness.createAccountWith(organization)
  await harness.addMember(await createTestOrganization(harness.app, 0), onlyElsewhere, 'owner')
  const nowhere = await harness.createAccountWith(organization)
  const owner = await harness.createAccountWith(organization, 'owner')
  const operator = await harness.createAccountWith(organization, 'member')
  await harness.app.database.unscoped.query(sql`update users set is_administrator = true where id = ${operator.user}`)
  const clip = await harness.createAccountWith(organization, 'member')
  await harness.app.database.unscoped.query(sql`update users set is_clip_user = true where id = ${clip.user}`)
  for (const user of [elsewhere, onlyElsewhere, nowhere, owner, operator, clip]) {
    const { session, response } = await harness.signIn(user.email)
    assert.equal(response.status, 200)
    assert.match(response.body, /Connect your account/)
    assert.equal(session.browser.cookies.has('swath-session'), false)
    const silent = authorizationParameters(session.pkce, { redirect_uri: harness.callbackUrl, prompt: 'none' })
    assert.match((await session.browser.open(silent)).location?.href ?? '', /error=login_required/)
  }
})

test('an account that is elsewhere is connected once by its own password, and by that of nobody else', async () => {
  const organization = await harness.createOrganization()
  const user = await harness.createAccountWith(organization)
  const other = await createTestOrganization(harness.app, 0)
  await harness.addMember(other, user, 'owner')
  const wrong = await harness.connect(user, 'not the password')
  assert.equal(wrong.response.status, 400)
  const stranger = new TestBrowser({ url: harness.app.url })
  const form = new URLSearchParams({ ...wrong.hidden, password: testPassword }).toString()
  assert.equal((await stranger.request('POST', wrong.path, form)).status, 400)
  const right = await wrong.submit(testPassword)
  const tokens = await harness.exchange(wrong.session, right)
  const me = await harness.clientOf(tokens).call('users.me', {})
  assert.deepEqual([me.user?.id, me.organization?.id], [user.user, organization.organization])
  assert.equal((await wrong.submit(testPassword)).status, 400, 'the form is used once')
  const again = await harness.signInAndCall(user.email)
  assert.equal(again.me.user?.id, user.user)
  assert.equal((await harness.passwordGrant(user, { organization_id: other.organization })).status, 200)
})

test('a session of a provider is for its organization alone: no switch, nothing of others, no account settings', async () => {
  const organization = await harness.createOrganization()
  const user = await harness.createAccountWith(organization)
  const other = await createTestOrganization(harness.app, 0)
  await harness.addMember(other, user, 'owner')
  const { response, session } = await harness.connect(user, testPassword)
  const tokens = await harness.exchange(session, response)
  const client = harness.clientOf(tokens)
  const switched = await harness.postForm(tokenPath, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    organization_id: other.organization,
  })
  assert.deepEqual([switched.status, switched.body.error], [400, 'invalid_grant'])
  const listed = await client.call<{ organizations: { id: string }[] }>('users.organizations.list', {})
  assert.deepEqual(
    listed.organizations.map(({ id }) => id),
    [organization.organization],
  )
  for (const { id } of operationRegistry.filter(({ callers }) => callers === 'account-owners'))
    assert.equal(await problemOf(client.call(id, {})), 'forbidden', id)
  assert.equal((await client.call('users.me', {})).sign_in, null)
  const personal = { name: 'Mine', scopes: ['organizations:write'], expires_in_days: 1 }
  const { token } = await client.call<{ token: string }>('users.tokens.create', personal)
  const byToken = harness.clientOf({ ...tokens, access_token: token })
  assert.equal(await problemOf(byToken.call('organizations.create', { name: 'Mine' })), 'forbidden')
  const named = authorizationParameters(session.pkce, {
    redirect_uri: harness.callbackUrl,
    organization_id: other.organization,
  })
  assert.match((await session.browser.open(named)).body, /<h1>Sign in</)
  named.set('prompt', 'none')
  assert.match((await session.browser.open(named)).location?.href ?? '', /error=login_required/)
  const own = authorizationParameters(session.pkce, { redirect_uri: harness.callbackUrl, prompt: 'none' })
  const next = harness.clientOf(await harness.exchange(session, await session.browser.open(own)))
  assert.equal((await next.call('users.me', {})).organization?.id, organization.organization)
  const jump = await harness.signIn(user.email, {}, { organization_id: other.organization })
  assert.match(jump.response.location?.href ?? '', /error=access_denied/)
})

test('an operator whom a provider signs in is none, whatever is asked for', async () => {
  const organization = await harness.createOrganization()
  const user = await harness.createAccountWith(organization, 'member')
  await harness.app.database.unscoped.query(
    sql`update users set is_administrator = true, is_clip_user = true where id = ${user.user}`,
  )
  const first = await harness.connect(user, testPassword)
  assert.ok(!(await harness.exchange(first.session, first.response)).scope.includes('admin'))
  for (const scope of ['openid admin:*', 'openid clip:*', 'openid admin:read']) {
    const { session, response } = await harness.signIn(user.email, {}, { scope })
    const fields = { ...codeGrant(readCode(response), session.pkce), redirect_uri: harness.callbackUrl }
    assert.deepEqual((await harness.postForm(tokenPath, fields)).body.error, 'invalid_scope', scope)
  }
  const mixed = await harness.signInAndCall(user.email, {}, { scope: 'openid items:read admin:*' })
  assert.equal(mixed.tokens.scope, 'openid items:read')
  assert.equal(await problemOf(mixed.client.call('admin.users.list', {})), 'insufficient-scope')
})

test('the mode required refuses passwords of the domain everywhere, but for owners with emergency access', async () => {
  const organization = await harness.createOrganization()
  const member = await harness.createAccountWith(organization, 'member')
  const admin = await harness.createAccountWith(organization, 'admin')
  const owner = await harness.createAccountWith(organization, 'owner')
  const secondOwner = await harness.createAccountWith(organization, 'owner')
  const before = (await harness.passwordGrant(member)).body
  const signedIn = harness.createBrowser()
  await harness.exchange(signedIn, await signedIn.browser.signIn(signedIn.parameters, member.email, testPassword))
  assert.equal((await harness.clientOf(before).call('users.me', {})).organization?.id, organization.organization)

  await organization.setProvider({ mode: 'required' })
  assert.equal((await harness.passwordGrant(owner)).status, 200, 'all owners, as long as none is named')
  await organization.setProvider({ mode: 'required', emergency_access: [owner.user] })
  for (const user of [member, admin, secondOwner]) {
    const { status, body } = await harness.passwordGrant(user)
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    assert.match(body.error_description ?? '', /requires that its members sign in with its own provider/)
  }
  const wrong = await harness.passwordGrant({ ...member, password: 'wrong' })
  assert.match(wrong.body.error_description ?? '', /username or the password is wrong/)
  assert.equal((await harness.passwordGrant(owner)).status, 200)
  assert.equal(
    await problemOf(harness.clientOf(before).call('users.me', {})),
    'unauthenticated',
    'sessions of before end',
  )
  assert.equal(
    (await harness.postForm(tokenPath, { grant_type: 'refresh_token', refresh_token: before.refresh_token })).status,
    400,
  )
  signedIn.parameters.set('prompt', 'none')
  assert.match((await signedIn.browser.open(signedIn.parameters)).location?.href ?? '', /error=login_required/)

  const page = harness.createBrowser()
  const response = await page.browser.signIn(page.parameters, member.email, testPassword)
  assert.match(readLink(response), new RegExp(`^${harness.provider.issuer}/authorize`))
  const device = await page.browser.request('GET', '/device')
  assert.match(device.location?.pathname ?? '', /openid-connect\/auth$/)
  const { me } = await harness.signInAndCall(member.email)
  assert.equal(me.user?.id, member.user)
})

test('what is required in one organization does not lock its member out of others', async () => {
  const organization = await harness.createOrganization({ mode: 'required' })
  const user = await harness.createAccountWith(organization, 'member')
  const other = await createTestOrganization(harness.app, 0)
  await harness.addMember(other, user, 'member')
  const unnamed = (await harness.passwordGrant(user)).body
  assert.equal((await harness.clientOf(unnamed).call('users.me', {})).organization?.id, other.organization)
  assert.equal((await harness.passwordGrant(user, { organization_id: organization.organization })).status, 400)
  const switched = await harness.postForm(tokenPath, {
    grant_type: 'refresh_token',
    refresh_token: unnamed.refresh_token,
    organization_id: organization.organization,
  })
  assert.equal(switched.status, 400)
  const { browser, parameters, pkce } = harness.createBrowser()
  await browser.signIn(parameters, user.email, testPassword)
  const named = authorizationParameters(pkce, {
    redirect_uri: harness.callbackUrl,
    organization_id: organization.organization,
    login_hint: user.email,
  })
  assert.match((await browser.open(named)).body, /Continue with Org/)
})

test('nobody is locked out: without an owner who has emergency access, every owner keeps the password', async () => {
  const organization = await harness.createOrganization()
  const [one, two] = [
    await harness.createAccountWith(organization, 'owner'),
    await harness.createAccountWith(organization, 'owner'),
  ]
  await organization.setProvider({ mode: 'required', emergency_access: [one.user] })
  assert.equal((await harness.passwordGrant(two)).status, 400)
  await two.client.call('users.me', {}).catch(() => undefined)
  await organization.owner.client.call('organizations.members.set_role', { user_id: one.user, role: 'member' })
  assert.equal((await harness.passwordGrant(one)).status, 400)
  assert.equal((await harness.passwordGrant(two)).status, 200)
})

test('the provider ends sessions by its own session or by the subject, and nothing else does', async () => {
  const organization = await harness.createOrganization()
  const other = await harness.createOrganization()
  const [email, second] = [createAddress(organization), createAddress(organization)]
  const one = await harness.signInAndCall(email, { sid: 'first' })
  const two = await harness.signInAndCall(email, { sid: 'second' })
  const third = await harness.signInAndCall(second, { sid: 'third' })
  const event = { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }
  const logout = async (claims: Record<string, unknown>, to = organization) => {
    const logout_token = await harness.provider.createLogoutToken({ ...event, ...claims })
    return (await harness.postForm(`/realms/public/broker/${to.organization}/backchannel-logout`, { logout_token }))
      .status
  }
  const isSignedIn = async ({ client }: { client: Client }) => (await problemOf(client.call('users.me', {}))) === 'ok'
  const refused = [
    { sid: 'first', nonce: 'n' },
    { sid: 'first', events: {} },
    { sid: 'first', aud: 'another client' },
    { sid: 'first', iss: 'https://other.example' },
    { sid: 'first', jti: undefined },
    {},
    { sid: 'first', exp: Math.floor(Date.now() / 1000) - 3600 },
  ]
  for (const claims of refused) assert.equal(await logout(claims), 400, JSON.stringify(claims))
  harness.provider.faults = { usesOtherKey: true }
  assert.equal(await logout({ sid: 'first' }).finally(() => (harness.provider.faults = {})), 400)
  assert.equal(await logout({ sid: 'first' }, other), 200, 'the other organization has no such session')
  assert.equal(
    (await harness.postForm(`/realms/public/broker/${newId()}/backchannel-logout`, { logout_token: 'x' })).status,
    400,
  )
  assert.ok((await isSignedIn(one)) && (await isSignedIn(two)))

  assert.equal(await logout({ sid: 'first' }), 200)
  assert.deepEqual([await isSignedIn(one), await isSignedIn(two)], [false, true])
  assert.equal(await logout({ sub: `sub of ${email}` }), 200)
  assert.deepEqual([await isSignedIn(two), await isSignedIn(third)], [false, true])
  two.session.parameters.set('prompt', 'none')
  const silent = await two.session.browser.open(two.session.parameters)
  assert.match(silent.location?.href ?? '', /error=login_required/)
  const used = await harness.postForm(tokenPath, {
    grant_type: 'refresh_token',
    refresh_token: two.tokens.refresh_token,
  })
  assert.equal(used.status, 400)
})

test('what the provider said of the sign-in is on record', async () => {
  const organization = await harness.createOrganization()
  await harness.signInAndCall(createAddress(organization), { amr: ['pwd', 'otp'], acr: 'high', sid: 's' })
  const rows = await harness.app.database.unscoped.query(sql`
    select sid, amr, acr from provider_sessions where organization_id = ${organization.organization}`)
  assert.deepEqual(rows, [{ sid: 's', amr: ['pwd', 'otp'], acr: 'high' }])
  const identities = await harness.app.database.unscoped.query(sql`
    select amr, acr from federated_identities where organization_id = ${organization.organization}`)
  assert.deepEqual(identities, [{ amr: ['pwd', 'otp'], acr: 'high' }])
})

test('removing the provider ends the sessions that it began', async () => {
  const organization = await harness.createOrganization()
  const { client } = await harness.signInAndCall(createAddress(organization))
  await organization.owner.client.call('organizations.provider.remove', {})
  assert.equal(await problemOf(client.call('users.me', {})), 'unauthenticated')
  assert.equal((await harness.askForProvider(harness.createBrowser(), createAddress(organization))).status, 400)
})
