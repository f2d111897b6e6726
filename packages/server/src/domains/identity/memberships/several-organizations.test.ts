import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  startIdentityTestApp,
  rejectedWith,
  type IdentityTestApp,
  type Tokens,
} from '../../../../test/identity-test-app.ts'
import {
  authorizationParameters,
  createPkce,
  exchangeCode,
  readCode,
  TestBrowser,
} from '../../../../test/test-browser.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { findOldestAdministrator } from '../../users/store.ts'
import { findMemberPrincipal } from '../user-principal.ts'

let app: IdentityTestApp
before(async () => {
  app = await startIdentityTestApp()
})
after(() => app.close())

/** A user who is in the organizations `first`, which is the default one, and `second`. */
async function createUserOfTwo() {
  const user = await app.createFounder()
  const { id } = await app.callOperation('organizations.create', user.token, { name: 'A second one' })
  return { ...user, first: user.organization, second: String(id) }
}

const currentOrganization = async (token: string): Promise<unknown> => {
  const { organization } = await app.callOperation('users.me', token)
  return (organization as { id: string } | null)?.id ?? null
}

const listOrganizations = async (token: string) =>
  (await app.callOperation('users.organizations.list', token))['organizations'] as Record<string, unknown>[]

const signInFor = (user: { email: string; password: string }, organization_id?: string) =>
  app.postForm('token', {
    grant_type: 'password',
    username: user.email,
    password: user.password,
    ...(organization_id === undefined ? {} : { organization_id }),
  })

const refresh = (refresh_token: string, organization_id?: string) =>
  app.postForm('token', {
    grant_type: 'refresh_token',
    refresh_token,
    ...(organization_id === undefined ? {} : { organization_id }),
  })

test('lists the organizations of the caller with the one that the token names', async () => {
  const user = await createUserOfTwo()
  const organizations = await listOrganizations(user.token)
  assert.deepEqual(
    organizations.map(({ id, current, default: isDefault, role, status, sandbox, plan }) => [
      id,
      current,
      isDefault,
      role,
      status,
      sandbox,
      plan,
    ]),
    [
      [user.first, true, true, 'owner', 'active', false, 'free'],
      [user.second, false, false, 'owner', 'active', false, 'free'],
    ],
  )
  const outsider = await app.createOutsider()
  assert.deepEqual(await listOrganizations(outsider.token), [])
})

test('a password grant is for the named organization, and for the one that was named last without the field', async () => {
  const user = await createUserOfTwo()
  const named = await signInFor(user, user.second.toUpperCase())
  assert.equal(named.status, 200)
  assert.equal(await currentOrganization(String(named.body['access_token'])), user.second)
  const unnamed = await signInFor(user)
  assert.equal(await currentOrganization(String(unnamed.body['access_token'])), user.second)
  assert.equal(await currentOrganization(user.token), user.first, 'another session stays where it is')
})

test('a password grant for an organization that is unknown or of others is refused with one message', async () => {
  const user = await createUserOfTwo()
  const stranger = await app.createFounder()
  const responses = await Promise.all([newId(), stranger.organization, 'x'].map((id) => signInFor(user, id)))
  for (const { status, body } of responses) {
    assert.equal(status, 400)
    assert.deepEqual(body, responses[0]!.body)
    assert.equal(body['error'], 'invalid_grant')
  }
})

test('a refresh switches the session in place, and ends its access tokens for the former organization', async () => {
  const user = await createUserOfTwo()
  const tokens = (await signInFor(user, user.first)).body as Tokens
  const { status, body } = await refresh(tokens.refresh_token, user.second)
  assert.equal(status, 200)
  assert.equal(await currentOrganization(String(body['access_token'])), user.second)
  await assert.rejects(currentOrganization(tokens.access_token), rejectedWith('unauthenticated'))
  const next = await refresh(String(body['refresh_token']))
  assert.equal(await currentOrganization(String(next.body['access_token'])), user.second)
  assert.equal(await currentOrganization(user.token), user.first)
})

test('a refresh for an organization of others is refused, and the refresh token stays valid', async () => {
  const user = await createUserOfTwo()
  const stranger = await app.createFounder()
  const tokens = (await signInFor(user, user.first)).body as Tokens
  const responses = [
    await refresh(tokens.refresh_token, stranger.organization),
    await refresh(tokens.refresh_token, newId()),
  ]
  for (const { status, body } of responses) assert.deepEqual([status, body], [400, responses[0]!.body])
  const { status, body } = await refresh(tokens.refresh_token)
  assert.equal(status, 200)
  assert.equal(await currentOrganization(String(body['access_token'])), user.first)
})

test('an authorization request names the organization of the code', async () => {
  const user = await createUserOfTwo()
  const stranger = await app.createFounder()
  const pkce = createPkce()
  const browser = new TestBrowser(app)
  const request = authorizationParameters(pkce, { organization_id: user.second })
  const code = readCode(await browser.signIn(request, user.email, user.password))
  const { body } = await exchangeCode(app, code, pkce)
  assert.equal(await currentOrganization(String(body['access_token'])), user.second)

  const silent = authorizationParameters(pkce, { organization_id: user.first, prompt: 'none' })
  const second = await exchangeCode(app, readCode(await browser.open(silent)), pkce)
  assert.equal(await currentOrganization(String(second.body['access_token'])), user.first)
  assert.equal(await currentOrganization(String(body['access_token'])), user.second)

  const locations = []
  for (const organization_id of [stranger.organization, newId(), 'x']) {
    const { location } = await browser.open(authorizationParameters(pkce, { organization_id }))
    locations.push(location?.href)
  }
  assert.match(locations[0] ?? '', /error=access_denied/)
  assert.deepEqual(new Set(locations).size, 1)
})

test('a sign-in without a named organization leaves one that is deleted aside', async () => {
  const user = await createUserOfTwo()
  await app.database.unscoped.query(
    sql`update organizations set status = 'deleted' where organization_id = ${user.first}`,
  )
  const tokens = await app.signIn(user.email, user.password)
  assert.equal(await currentOrganization(tokens.access_token), user.second)
  assert.deepEqual(
    (await listOrganizations(tokens.access_token)).map(({ id }) => id),
    [user.second],
  )
  assert.equal((await signInFor(user, user.first)).body['error'], 'invalid_grant')
})

test('background work acts for a user in each organization of it, whichever was chosen last', async () => {
  const user = await createUserOfTwo()
  await signInFor(user, user.second)
  const { unscoped } = app.database
  for (const organization of [user.first, user.second]) {
    const principal = await findMemberPrincipal(unscoped, organization, user.id)
    assert.deepEqual([principal?.organization, principal?.role], [organization, 'owner'])
  }
  assert.equal(await findMemberPrincipal(unscoped, app.admin.organization, user.id), null)
})

test('an organization of the previous version, which wrote only the users, is listed and can be named', async () => {
  const user = await createUserOfTwo()
  await app.database.unscoped.query(
    sql`delete from user_organizations where user_id = ${user.id} and organization_id = ${user.first}`,
  )
  const ids = (await listOrganizations(user.token)).map(({ id }) => id)
  assert.deepEqual(ids.sort(), [user.first, user.second].sort())
  assert.equal((await signInFor(user, user.first)).status, 200)
})

test('a disabled user is disabled in all organizations', async () => {
  const user = await createUserOfTwo()
  const { access_token } = await app.signIn('admin@example.org', 'correct horse battery staple')
  const disabled = await app.callOperation('admin.users.disable', access_token, { user_id: user.id, reason: 'test' })
  assert.deepEqual(
    (disabled['organizations'] as { id: string }[]).map(({ id }) => id),
    [user.first, user.second],
  )
  const rows = await app.database.unscoped.query(
    sql`select organization_id from memberships where user_id = ${user.id} and disabled_at is not null`,
  )
  assert.equal(rows.length, 2)
  const listed = await app.callOperation('admin.users.list', access_token, { organization_id: user.second })
  assert.deepEqual(
    (listed['users'] as { id: string }[]).map(({ id }) => id),
    [user.id],
  )
})

test('the key of the terminal stays in the organization that the administrator joined first', async () => {
  const { access_token } = await app.signIn('admin@example.org', 'correct horse battery staple')
  const { id } = await app.callOperation('organizations.create', access_token, {
    name: 'Another one',
    billing_admin_id: app.admin.id,
  })
  await signInFor({ email: 'admin@example.org', password: 'correct horse battery staple' }, String(id))
  assert.deepEqual(await findOldestAdministrator(app.database.unscoped), {
    id: app.admin.id,
    organization_id: app.admin.organization,
  })
})
