import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { problemOf } from '../../../../test/call-operation.ts'
import { FederationHarness, createAddress, readLink } from '../../../../test/federation/federation-harness.ts'
import { TestBrowser, type BrowserResponse } from '../../../../test/test-browser.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let harness: FederationHarness
before(async () => {
  harness = await FederationHarness.start()
})
after(() => harness?.close())

test('somebody new becomes a member by the provider, and signs in with state, nonce and PKCE', async () => {
  const organization = await harness.createOrganization()
  const email = createAddress(organization)
  const { me, tokens } = await harness.signInAndCall(email)
  assert.deepEqual(
    [me.user?.email, me.organization?.id, me.organization?.role],
    [email, organization.organization, 'member'],
  )
  const request = harness.provider.requests.at(-1)!
  assert.equal(request.get('code_challenge_method'), 'S256')
  assert.match(request.get('nonce') ?? '', /^[\w-]{43}$/)
  assert.equal(request.get('login_hint'), email)
  assert.equal(request.get('scope'), 'openid email profile')
  assert.deepEqual(decodeJwt(tokens.access_token)['organization'], organization.organization)
  const again = await harness.signInAndCall(email)
  assert.equal(again.me.user?.id, me.user?.id)
  const rows = await harness.app.database.unscoped.query<{ kind: string; operation: string; actor_kind: string }>(sql`
    select kind, operation, actor_kind from events where organization_id = ${organization.organization} and kind like 'member.%'`)
  assert.deepEqual(rows, [
    { kind: 'member.joined', operation: 'organizations.provider.sign_in', actor_kind: 'service' },
  ])
  const audit = await harness.app.database.unscoped.query(sql`
    select operation from audit_entries
    where organization_id = ${organization.organization} and operation = 'organizations.provider.sign_in'`)
  assert.equal(audit.length, 1)
})

test('the page shows the way only where an organization has one, and leads nobody else anywhere', async () => {
  const organization = await harness.createOrganization()
  const session = harness.createBrowser({ login_hint: createAddress(organization) })
  const page = await session.browser.open(session.parameters)
  assert.match(page.body, /formnovalidate>Continue with Org /)
  for (const email of ['somebody@example.org', 'nobody', '', `a@${newId()}.example.net`]) {
    const refused = await harness.askForProvider(harness.createBrowser(), email)
    assert.equal(refused.status, 400, email)
    assert.ok(!refused.body.includes('class="button"'), email)
  }
  await organization.owner.client.call('organizations.domains.remove', { domain: organization.domain })
  assert.equal((await harness.askForProvider(harness.createBrowser(), createAddress(organization))).status, 400)
})

test('roles and projects follow the claim at each sign-in, and never make an owner', async () => {
  const organization = await harness.createOrganization()
  const projects = [{ project_id: organization.project, role: 'editor' }]
  await organization.setProvider({
    roles_claim: 'realm_access.roles',
    mappings: [
      { value: 'gis-admins', role: 'admin' },
      { value: 'accounts', role: 'billing' },
      { value: 'fields', projects },
    ],
  })
  const email = createAddress(organization)
  const roleAfter = async (roles: unknown) => {
    const { me, client } = await harness.signInAndCall(email, { realm_access: { roles } })
    const listed = await client.call<{ projects: { id: string }[] }>('projects.list', {})
    return [me.organization?.role, listed.projects.some(({ id }) => id === organization.project)]
  }
  assert.deepEqual(await roleAfter(['accounts', 'gis-admins', 'unknown']), ['admin', true])
  assert.deepEqual(await roleAfter(['accounts']), ['billing', false])
  assert.deepEqual(await roleAfter(['fields']), ['member', true])
  assert.deepEqual(await roleAfter('gis-admins'), ['admin', true])
  assert.deepEqual(await roleAfter(undefined), ['member', false])
  assert.deepEqual(await roleAfter(['owner']), ['member', false])
})

test('an address counts only if the provider confirms it and its domain is proved by that organization', async () => {
  const organization = await harness.createOrganization()
  const other = await harness.createOrganization()
  const attempt = async (who: Record<string, unknown>) => {
    const { response } = await harness.signIn(createAddress(organization), { sub: newId(), ...who })
    return [response.status, response.location === null]
  }
  const refused = [403, true]
  assert.deepEqual(await attempt({ email_verified: false }), refused)
  assert.deepEqual(await attempt({ email_verified: undefined }), refused)
  assert.deepEqual(await attempt({ email: undefined }), refused)
  assert.deepEqual(
    await attempt({ email: createAddress(other) }),
    refused,
    'an address of a domain that another organization has proved',
  )
  assert.deepEqual(await attempt({ email: 'somebody@gmail.com' }), refused)
  assert.deepEqual(await attempt({ email: `x@evil.example@${other.domain}` }), refused)
  await organization.setProvider({ email_trust: 'domain' })
  assert.equal((await attempt({ email_verified: undefined }))[0], 303)
  assert.deepEqual(await attempt({ email_verified: false }), refused)
})

test('the email may come from the userinfo endpoint', async () => {
  const organization = await harness.createOrganization()
  harness.provider.faults = { hidesEmail: true }
  const { me } = await harness.signInAndCall(createAddress(organization)).finally(() => (harness.provider.faults = {}))
  assert.equal(me.organization?.id, organization.organization)
})

test('a response is refused with a wrong issuer, audience, nonce, signature, expiry or without an ID token', async () => {
  const organization = await harness.createOrganization()
  const change = (more: Record<string, unknown>) => ({
    changeClaims: (claims: Record<string, unknown>) => ({ ...claims, ...more }),
  })
  const cases = {
    issuer: change({ iss: 'https://other.example' }),
    audience: change({ aud: 'another client' }),
    nonce: change({ nonce: 'of another sign-in' }),
    expiry: change({ exp: Math.floor(Date.now() / 1000) - 600 }),
    subject: change({ sub: undefined }),
    signature: { usesOtherKey: true },
    token: { sendsNoIdToken: true },
  }
  for (const [name, faults] of Object.entries(cases)) {
    harness.provider.faults = faults
    const { response } = await harness.signIn(createAddress(organization)).finally(() => (harness.provider.faults = {}))
    assert.deepEqual([response.status, response.location], [502, null], name)
  }
})

test('a state is used once, by its browser, at the endpoint of its organization, and in time', async () => {
  const organization = await harness.createOrganization()
  const other = await harness.createOrganization()
  const isEnded = ({ status, location }: BrowserResponse) => assert.deepEqual([status, location], [400, null])
  const first = await harness.signIn(createAddress(organization))
  assert.equal(first.response.status, 303)
  const before = harness.provider.tokenRequests
  isEnded(await first.session.browser.request('GET', `${first.back.pathname}${first.back.search}`))

  const session = harness.createBrowser()
  const page = await harness.askForProvider(session, createAddress(organization))
  harness.provider.claims = { sub: newId(), email: createAddress(organization), email_verified: true }
  const back = new URL(await harness.provider.signIn(readLink(page)))
  isEnded(await new TestBrowser({ url: harness.app.url }).request('GET', `${back.pathname}${back.search}`))
  const victim = harness.createBrowser()
  await victim.browser.open(victim.parameters)
  isEnded(await victim.browser.request('GET', `${back.pathname}${back.search}`))
  const elsewhere = back.pathname.replace(organization.organization, other.organization)
  isEnded(await session.browser.request('GET', `${elsewhere}${back.search}`))
  assert.equal(harness.provider.tokenRequests, before, 'nothing of it is redeemed')

  const late = harness.createBrowser()
  const latePage = await harness.askForProvider(late, createAddress(organization))
  harness.clock.advance(601_000)
  const lateBack = new URL(await harness.provider.signIn(readLink(latePage)))
  isEnded(await late.browser.request('GET', `${lateBack.pathname}${lateBack.search}`))
  isEnded(await late.browser.request('GET', `${lateBack.pathname}?state=x&code=y`))
})

test('two uses of one state at once sign in once', async () => {
  const organization = await harness.createOrganization()
  const session = harness.createBrowser()
  const page = await harness.askForProvider(session, createAddress(organization))
  harness.provider.claims = { sub: newId(), email: createAddress(organization), email_verified: true }
  const back = new URL(await harness.provider.signIn(readLink(page)))
  const path = `${back.pathname}${back.search}`
  const responses = await Promise.all([session.browser.request('GET', path), session.browser.request('GET', path)])
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [303, 400])
})

test('a member of the organization alone is linked at once, and keeps role and password', async () => {
  const organization = await harness.createOrganization()
  const user = await harness.createAccountWith(organization, 'billing')
  const { me } = await harness.signInAndCall(user.email)
  assert.deepEqual([me.user?.id, me.organization?.role], [user.user, 'billing'])
  assert.equal((await harness.passwordGrant(user)).status, 200)
  const { response } = await harness.signIn(user.email, { sub: 'another person with the same address' })
  assert.equal(response.status, 403)
})

test('without just-in-time membership only members come in', async () => {
  const organization = await harness.createOrganization({ just_in_time: false })
  assert.equal((await harness.signIn(createAddress(organization))).response.status, 403)
  const member = await harness.createAccountWith(organization, 'member')
  const { me, client } = await harness.signInAndCall(member.email)
  assert.equal(me.user?.id, member.user)
  await organization.owner.client.call('organizations.members.remove', { user_id: member.user })
  assert.equal(await problemOf(client.call('users.me', {})), 'unauthenticated')
  assert.equal((await harness.signIn(member.email)).response.status, 403)
})

test('a disabled user comes in by no provider', async () => {
  const organization = await harness.createOrganization()
  const { me } = await harness.signInAndCall(createAddress(organization))
  await harness.app.admin.call('admin.users.disable', { user_id: me.user!.id, reason: 'test' })
  assert.equal((await harness.signIn(me.user!.email)).response.status, 403)
})

test('a provider that does not answer is told on the sign-in page', async () => {
  const organization = await harness.createOrganization({ issuer: `${harness.provider.issuer}/missing` })
  const page = await harness.askForProvider(harness.createBrowser(), createAddress(organization))
  assert.equal(page.status, 502)
  assert.match(page.body, /does not answer/)
})

test('one account may be in two organizations by their providers, each for itself', async () => {
  const [ours, theirs] = [await harness.createOrganization(), await harness.createOrganization()]
  const email = createAddress(ours)
  const first = await harness.signInAndCall(email)
  const { response } = await harness.signIn(createAddress(theirs), { sub: 'x', email })
  assert.equal(response.status, 403, 'an address of a domain of others')
  assert.equal(first.me.organization?.id, ours.organization)
})
