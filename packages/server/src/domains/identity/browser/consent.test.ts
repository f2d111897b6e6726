import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  rejectedWith,
  startIdentityTestApp,
  type IdentityTestApp,
  type SignedInUser,
} from '../../../../test/identity-test-app.ts'
import {
  connectProgram,
  createProgram,
  credentialsOf,
  openConsent,
  programCallback,
  programRequest,
  type TestProgram,
} from '../../../../test/oauth/programs.ts'
import { createPkce, exchangeCode, readCode, TestBrowser } from '../../../../test/test-browser.ts'

let app: IdentityTestApp
let owner: SignedInUser & { readonly organization: string }
let program: TestProgram
before(async () => {
  app = await startIdentityTestApp()
  owner = await app.createFounder()
  program = await createProgram(app, owner.token)
})
after(() => app.close())

const errorOf = (location: URL | null): (string | null)[] =>
  ['error', 'iss'].map((name) => location?.searchParams.get(name) ?? null)

test('the page says who asks, for what and where, and an allowed program gets tokens of the user', async () => {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const page = await openConsent(browser, programRequest(program, pkce), owner)
  assert.equal(page.status, 200)
  for (const text of ['Allow Agent?', owner.email, 'see projects, their imagery', 'agent.example', 'Founded by'])
    assert.ok(page.body.includes(text), text)
  assert.match(String(page.headers['content-security-policy']), /form-action 'self' https:\/\/agent\.example;/)
  const back = await browser.submit(page, { decision: 'allow' })
  assert.equal(back.location?.origin, 'https://agent.example')
  assert.equal(back.location?.searchParams.get('iss'), 'http://localhost:8080/realms/public')
  const tokens = await exchangeCode(app, readCode(back), pkce, {
    ...credentialsOf(program),
    redirect_uri: programCallback,
  })
  assert.equal(tokens.body['scope'], 'openid items:read organizations:read')
  assert.equal(typeof tokens.body['id_token'], 'string')
  const token = String(tokens.body['access_token'])
  assert.ok(await app.callOperation('organizations.members.list', token))
  await assert.rejects(app.callOperation('projects.create', token, { name: 'P' }), rejectedWith('insufficient-scope'))
})

test('a consent is remembered for the same scopes and asked again for more, and with prompt=consent', async () => {
  const member = await app.addMember(owner.token, 'member')
  const replaced = await chooseOwnPassword(member)
  const { browser } = await connectProgram(app, program, replaced)
  const [pkce, fewer] = [createPkce(), { scope: 'items:read' }]
  assert.ok(readCode(await browser.open(programRequest(program, pkce))))
  assert.ok(readCode(await browser.open(programRequest(program, pkce, { ...fewer, prompt: 'none' }))))
  const more = { scope: 'openid items:read projects:write' }
  assert.deepEqual(
    errorOf((await browser.open(programRequest(program, pkce, { ...more, prompt: 'none' }))).location)[0],
    'consent_required',
  )
  assert.match((await browser.open(programRequest(program, pkce, more))).body, /create, change and delete projects/)
  assert.match((await browser.open(programRequest(program, pkce, { prompt: 'consent' }))).body, /Allow Agent\?/)
})

/** A one-time password is replaced before the first code. */
async function chooseOwnPassword(member: SignedInUser): Promise<SignedInUser> {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const page = await browser.signIn(programRequest(program, pkce), member.email, member.password)
  const password = 'another password of mine'
  await browser.submit(page, { new_password: password, new_password_again: password })
  return { ...member, password, token: (await app.signIn(member.email, password)).access_token }
}

test('a refusal is sent to the program, with nothing remembered', async () => {
  const founder = await app.createFounder()
  const own = await createProgram(app, founder.token)
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const page = await openConsent(browser, programRequest(own, pkce), founder)
  const back = await browser.submit(page, { decision: 'deny' })
  assert.deepEqual(errorOf(back.location), ['access_denied', 'http://localhost:8080/realms/public'])
  assert.match((await browser.open(programRequest(own, pkce))).body, /Allow Agent\?/)
})

test('a page without its token, or of another browser, is shown again', async () => {
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const founder = await app.createFounder()
  const own = await createProgram(app, founder.token)
  const page = await openConsent(browser, programRequest(own, pkce), founder)
  const again = await browser.submit(page, { decision: 'allow', form_token: 'x.y.z' })
  assert.equal(again.status, 400)
  const stranger = await new TestBrowser(app).submit(page, { decision: 'allow' })
  assert.equal(stranger.status, 400)
  assert.match(stranger.body, /name="password"/)
})

test('a program is for members of its organization unless it is open to all', async () => {
  const stranger = await app.createFounder()
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const refused = await browser.signIn(programRequest(program, pkce), stranger.email, stranger.password)
  assert.equal(errorOf(refused.location)[0], 'access_denied')
  const open = await createProgram(app, owner.token, { open_to_all: true })
  const tokens = await connectProgram(app, open, stranger)
  const me = await app.callOperation('users.me', String(tokens.body['access_token']))
  assert.equal((me['organization'] as { id: string }).id, stranger.organization)
  await app.callOperation('oauth_clients.update', owner.token, { client_id: open.id, open_to_all: false })
  await assert.rejects(
    app.callOperation('users.me', String(tokens.body['access_token'])),
    rejectedWith('unauthenticated'),
  )
  const outsider = await app.createOutsider()
  const nowhere = await new TestBrowser(app).signIn(programRequest(open, pkce), outsider.email, outsider.password)
  assert.equal(errorOf(nowhere.location)[0], 'access_denied')
})

test('a person in several organizations chooses one, and the program cannot switch', async () => {
  const open = await createProgram(app, owner.token, { open_to_all: true })
  const person = await app.createFounder()
  const second = String((await app.callOperation('organizations.create', person.token, { name: 'Second' }))['id'])
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const page = await openConsent(browser, programRequest(open, pkce), person)
  assert.match(page.body, /<select id="organization"/)
  const foreign = await browser.submit(page, { decision: 'allow', organization: owner.organization })
  assert.equal(foreign.status, 400)
  const back = await browser.submit(page, { decision: 'allow', organization: second })
  const form = { ...credentialsOf(open), redirect_uri: programCallback }
  const tokens = await exchangeCode(app, readCode(back), pkce, form)
  const me = await app.callOperation('users.me', String(tokens.body['access_token']))
  assert.equal((me['organization'] as { id: string }).id, second)
  const { organizations } = (await app.callOperation(
    'users.organizations.list',
    String(tokens.body['access_token']),
  )) as {
    organizations: { id: string }[]
  }
  assert.deepEqual(
    organizations.map(({ id }) => id),
    [second],
    'a program does not learn of the others',
  )
  const switched = await app.postForm('token', {
    ...credentialsOf(open),
    grant_type: 'refresh_token',
    refresh_token: String(tokens.body['refresh_token']),
    organization_id: person.organization,
  })
  assert.equal(switched.body['error'], 'invalid_request')
})

test('a person sees what was granted, and ends it with the tokens', async () => {
  const founder = await app.createFounder()
  const own = await createProgram(app, founder.token)
  const { body } = await connectProgram(app, own, founder)
  const token = String(body['access_token'])
  assert.ok(await app.callOperation('users.me', token))
  const listed = (await app.callOperation('users.consents.list', founder.token))['consents'] as Record<
    string,
    unknown
  >[]
  assert.deepEqual(
    listed.map(({ client_id, client_name, organization_id, scopes }) => [
      client_id,
      client_name,
      organization_id,
      scopes,
    ]),
    [[own.id, 'Agent', founder.organization, ['items:read', 'organizations:read']]],
  )
  await assert.rejects(
    app.callOperation('users.consents.revoke', owner.token, { client_id: own.id }),
    rejectedWith('not-found'),
  )
  assert.deepEqual(await app.callOperation('users.consents.revoke', founder.token, { client_id: own.id }), {
    client_id: own.id,
    revoked: 1,
  })
  await assert.rejects(app.callOperation('users.me', token), rejectedWith('unauthenticated'))
  const form = { ...credentialsOf(own), grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) }
  assert.equal((await app.postForm('token', form)).body['error'], 'invalid_grant')
})

test('a program gets nothing of the account, nor what else is for users in person, whatever it asks for', async () => {
  const founder = await app.createFounder()
  await assert.rejects(createProgram(app, founder.token, { scopes: ['users:*'] }), rejectedWith('validation'))
  const own = await createProgram(app, founder.token, { scopes: ['organizations:*', 'users:*', 'personal_tokens:*'] })
  const { body } = await connectProgram(app, own, founder, {
    scope: 'openid organizations:* users:* personal_tokens:*',
  })
  assert.equal(body['scope'], 'openid organizations:read organizations:write')
  const token = String(body['access_token'])
  const call = (operation: string, input = {}) => app.callOperation(operation, token, input)
  for (const operation of ['users.export', 'users.sessions.list', 'users.tokens.create', 'users.consents.list'])
    await assert.rejects(call(operation), rejectedWith('insufficient-scope'), operation)
  await assert.rejects(call('organizations.create', { name: 'Mine' }), rejectedWith('forbidden'))
  await assert.rejects(call('organizations.invitations.accept', { token: 'x' }), rejectedWith('user-required'))
  const second = await app.callOperation('organizations.create', founder.token, { name: 'Second' })
  const { organizations } = (await call('users.organizations.list')) as { organizations: { id: string }[] }
  assert.equal(organizations.length, 1)
  assert.notEqual(organizations[0]!.id, second['id'])
  assert.equal((await call('users.me'))['sign_in'], null)
})

test('scopes beyond those of the program are refused, and a wildcard gives what it may have', async () => {
  const narrow = await createProgram(app, owner.token, { scopes: ['items:read', 'orders:read'] })
  const [browser, pkce] = [new TestBrowser(app), createPkce()]
  const refused = await browser.signIn(
    programRequest(narrow, pkce, { scope: 'billing:write' }),
    owner.email,
    owner.password,
  )
  assert.equal(errorOf(refused.location)[0], 'invalid_scope')
  const wild = await connectProgram(app, narrow, owner, { scope: '*:read admin:read' })
  assert.equal(wild.body['scope'], 'items:read orders:read')
  const all = await connectProgram(app, await createProgram(app, owner.token, { scopes: ['items:read'] }), owner, {
    scope: undefined,
  })
  assert.equal(all.body['scope'], 'items:read')
})

test('a program that only asks who somebody is gets a token that can do nothing else', async () => {
  const tokens = await connectProgram(app, await createProgram(app, owner.token), owner, {
    scope: 'openid profile email',
  })
  assert.equal(tokens.body['scope'], 'openid')
  const token = String(tokens.body['access_token'])
  const info = await app.server.inject({
    url: '/realms/public/protocol/openid-connect/userinfo',
    headers: { authorization: `Bearer ${token}` },
  })
  assert.deepEqual([info.json<{ sub: string }>().sub, info.json<{ email: string }>().email], [owner.id, owner.email])
  await assert.rejects(app.callOperation('items.search', token), rejectedWith('insufficient-scope'))
})

test('max_age and prompt=login ask for the password again before the consent counts', async () => {
  const founder = await app.createFounder()
  const own = await createProgram(app, founder.token)
  const { browser } = await connectProgram(app, own, founder)
  app.clock.advance(60_000)
  for (const changes of [{ max_age: '10' }, { prompt: 'login' }]) {
    const page = await browser.open(programRequest(own, createPkce(), changes))
    assert.match(page.body, /name="password"/)
    assert.ok(readCode(await browser.submit(page, { email: founder.email, password: founder.password })))
  }
  const none = await browser.open(programRequest(own, createPkce(), { prompt: 'none' }))
  assert.ok(readCode(none))
})

test('a program that is signed out does not sign out the browser', async () => {
  const founder = await app.createFounder()
  const own = await createProgram(app, founder.token)
  const { browser, body } = await connectProgram(app, own, founder)
  const query = new URLSearchParams({
    id_token_hint: String(body['id_token']),
    post_logout_redirect_uri: 'https://agent.example/bye',
  })
  const page = await browser.request('GET', `/realms/public/protocol/openid-connect/logout?${query.toString()}`)
  assert.match(page.body, /Sign out\?/)
  await assert.rejects(app.callOperation('users.me', String(body['access_token'])), rejectedWith('unauthenticated'))
  const done = await browser.submit(page, {}, 'logout')
  assert.equal(done.location?.href, 'https://agent.example/bye')
})
