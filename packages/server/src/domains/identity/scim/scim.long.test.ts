import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf } from '../../../../test/call-operation.ts'
import { createAddress, FederationHarness } from '../../../../test/federation/federation-harness.ts'
import { ScimClient, userSchema, type ScimAnswer } from '../../../../test/federation/scim-client.ts'
import { createTestOrganization } from '../../../../test/test-organizations.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

/** The collection of people. */
const users = '/Users'

let harness: FederationHarness
before(async () => {
  harness = await FederationHarness.start()
})
after(() => harness?.close())

/** An organization with a provider and a directory. */
async function createDirectory(settings: object = {}) {
  const organization = await harness.createOrganization(settings)
  return { organization, scim: await ScimClient.create(organization.owner.client) }
}

type Directory = Awaited<ReturnType<typeof createDirectory>>

const isError = ({ status, body, headers }: ScimAnswer, expected: number, scimType?: string): void => {
  assert.equal(status, expected, JSON.stringify(body))
  assert.deepEqual(body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
  assert.equal(body.status, String(expected))
  assert.equal(body.scimType, scimType)
  assert.match(headers.get('content-type') ?? '', /^application\/scim\+json/)
}

const listMembers = async ({ organization }: Directory) => {
  const { members } = await organization.owner.client.call<{
    members: { user_id: string; email: string; role: string }[]
  }>('organizations.members.list', {})
  return new Map(members.map((member) => [member.email, member]))
}

const listEvents = ({ organization }: Directory) =>
  harness.app.database.unscoped.query<{ kind: string; actor_id: string; operation: string }>(sql`
    select kind, actor_id, operation from events
    where organization_id = ${organization.organization} and kind like 'member.%' order by id`)

test('only a token of SCIM opens it, and a revoked or expired one opens nothing', async () => {
  const { organization, scim } = await createDirectory()
  const [{ client }, url] = [organization.owner, `${harness.app.url}/scim/v2`]
  const { body } = await harness.passwordGrant(organization.owner)
  const { key } = await client.call<{ key: string }>('api_keys.create', { name: 'k', permissions: ['can_write'] })
  for (const token of ['', 'x', 'swathscim_x', body.access_token, key, `${scim.token}x`]) {
    const refused = await new ScimClient(url, token).get('/Users')
    isError(refused, 401)
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer/)
  }
  assert.equal((await scim.get('/Users')).status, 200)
  await client.call('organizations.scim_tokens.revoke', { scim_token_id: scim.token_id })
  isError(await scim.get('/Users'), 401)
  const { token } = await client.call<{ token: string }>('organizations.scim_tokens.create', {
    name: 'x',
    expires_in_days: 1,
  })
  assert.equal((await new ScimClient(url, token).get('/Users')).status, 200)
  harness.clock.advance(86_400_001)
  isError(await new ScimClient(url, token).get('/Users'), 401)
})

test('a person is provisioned, found, changed and removed, with events and rows of the token', async () => {
  const directory = await createDirectory()
  const { scim, organization } = directory
  const email = createAddress(organization)
  const created = await scim.createUser(email, {
    externalId: 'E1',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: email, type: 'work', primary: true }],
  })
  assert.equal(created.status, 201)
  const { id } = created.body
  assert.equal(created.headers.get('location'), `${harness.app.url}/scim/v2/Users/${id}`)
  assert.deepEqual([created.body.active, created.body.meta.version], [undefined, 'W/"1"'])
  assert.equal((await listMembers(directory)).get(email)?.role, 'member')
  for (const filter of [
    `userName eq "${email.toUpperCase()}"`,
    'externalId eq "E1"',
    `id eq "${id}"`,
    `emails[type eq "work" and value eq "${email}"]`,
  ])
    assert.deepEqual(
      (await scim.find(filter)).map((found) => found.id),
      [id],
      filter,
    )
  isError(await scim.createUser(email.toUpperCase()), 409, 'uniqueness')

  const replaced = await scim.send('PUT', `/Users/${id}`, {
    schemas: [userSchema],
    userName: email,
    displayName: 'Countess',
    active: true,
  })
  assert.deepEqual(
    [replaced.status, replaced.body.displayName, replaced.body.name, replaced.body.externalId],
    [200, 'Countess', undefined, undefined],
  )
  assert.equal((await scim.send('DELETE', `/Users/${id}`)).status, 204)
  isError(await scim.get(`/Users/${id}`), 404)
  isError(await scim.send('DELETE', `/Users/${id}`), 404)
  assert.equal((await listMembers(directory)).has(email), false)
  assert.deepEqual(await listEvents(directory), [
    { kind: 'member.joined', actor_id: scim.token_id, operation: 'scim.users.create' },
    { kind: 'member.removed', actor_id: scim.token_id, operation: 'scim.users.delete' },
  ])
  const rows = await harness.app.database.unscoped.query<{ operation: string; target_id: string }>(sql`
    select operation, target_id from audit_entries
    where organization_id = ${organization.organization} and principal_id = ${scim.token_id} order by at, id`)
  assert.deepEqual(
    rows,
    ['create', 'replace', 'delete'].map((verb) => ({ operation: `scim.users.${verb}`, target_id: id })),
  )
})

test('active: false ends sessions, keys and memberships at once, and active: true restores the membership', async () => {
  const directory = await createDirectory()
  const { scim, organization } = directory
  const email = createAddress(organization)
  const { body } = await scim.createUser(email, { active: true })
  const { client, session, tokens } = await harness.signInAndCall(email)
  await organization.owner.client.call('organizations.members.set_role', {
    user_id: (await client.call('users.me', {})).user!.id,
    role: 'admin',
  })
  const admin = (await harness.signInAndCall(email)).client
  const { key } = await admin.call<{ key: string }>('api_keys.create', {
    name: 'of the leaver',
    permissions: ['can_read'],
  })
  const patched = await scim.patch(`/Users/${body.id}`, { op: 'Replace', path: 'active', value: 'False' })
  assert.deepEqual([patched.status, patched.body.active], [200, false])
  assert.equal(await problemOf(client.call('users.me', {})), 'unauthenticated')
  assert.equal(await problemOf(harness.clientOf({ access_token: key }).call('users.me', {})), 'unauthenticated')
  const refreshed = await harness.postForm('/realms/public/protocol/openid-connect/token', {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  })
  assert.equal(refreshed.status, 400)
  session.parameters.set('prompt', 'none')
  assert.match((await session.browser.open(session.parameters)).location?.href ?? '', /error=login_required/)
  assert.equal(
    (await harness.signIn(email)).response.status,
    403,
    'the provider alone does not let the person in again',
  )
  const stopped = await organization.owner.client.call<{ delegations: { kind: string }[] }>(
    'organizations.delegations.list',
    {},
  )
  assert.deepEqual(
    stopped.delegations.map(({ kind }) => kind),
    ['api_key'],
  )
  assert.deepEqual(
    (await scim.find('active eq false')).map(({ id }) => id),
    [body.id],
  )

  assert.equal((await scim.patch(`/Users/${body.id}`, { op: 'replace', value: { active: true } })).body.active, true)
  assert.equal((await listMembers(directory)).get(email)?.role, 'member')
  assert.equal((await harness.signInAndCall(email)).me.organization?.id, organization.organization)
})

test('members with an address of a verified domain are seen and taken over; others are not', async () => {
  const directory = await createDirectory()
  const { scim, organization } = directory
  const member = await harness.createAccountWith(organization, 'billing')
  const outsider = await organization.addMember('member')
  assert.deepEqual(
    (await scim.find(`userName eq "${member.email}"`)).map(({ id }) => id),
    [member.user],
  )
  assert.deepEqual(await scim.find(`userName eq "${outsider.email}"`), [])
  isError(await scim.get(`/Users/${outsider.user}`), 404)
  isError(await scim.send('DELETE', `/Users/${outsider.user}`), 404)
  isError(await scim.createUser(member.email), 409, 'uniqueness')
  const patched = await scim.patch(
    `/Users/${member.user}`,
    { op: 'add', path: 'externalId', value: 'E' },
    { op: 'replace', path: 'displayName', value: 'Grace' },
  )
  assert.deepEqual([patched.body.id, patched.body.externalId, patched.body.active], [member.user, 'E', true])
  const seen = (await listMembers(directory)).get(member.email) as { role: string; name?: string } | undefined
  assert.deepEqual([seen?.role, seen?.name], ['billing', 'Grace'])
  await scim.patch(`/Users/${member.user}`, { op: 'replace', path: 'active', value: false })
  assert.equal((await listMembers(directory)).has(member.email), false)
})

test('an organization provisions addresses of its verified domains only, and sees nothing of others', async () => {
  const [ours, theirs] = [await createDirectory(), await createDirectory()]
  for (const userName of [
    createAddress(theirs.organization),
    'ada@gmail.com',
    'ada',
    `${newId()}@unverified.example.net`,
    `a b@${ours.organization.domain}`,
  ])
    isError(await ours.scim.createUser(userName), 400, 'invalidValue')
  const { body } = await theirs.scim.createUser(createAddress(theirs.organization))
  const group = (await theirs.scim.createGroup('Theirs')).body
  isError(await ours.scim.get(`/Users/${body.id}`), 404)
  isError(await ours.scim.get(`/Groups/${group.id}`), 404)
  isError(await ours.scim.patch(`/Users/${body.id}`, { op: 'replace', path: 'active', value: false }), 404)
  isError(await ours.scim.send('DELETE', `/Groups/${group.id}`), 404)
  isError(await ours.scim.createGroup('Ours', [body.id]), 400, 'invalidValue')
  assert.ok(!JSON.stringify((await ours.scim.get('/Users')).body).includes(body.id))
  const mine = (await ours.scim.createUser(createAddress(ours.organization))).body
  isError(
    await ours.scim.patch(`/Users/${mine.id}`, { op: 'replace', path: 'userName', value: body.userName }),
    400,
    'invalidValue',
  )
})

test('an account that is known elsewhere is provisioned like one that is not, and keeps what it has elsewhere', async () => {
  const directory = await createDirectory()
  const { scim, organization } = directory
  const known = await harness.createAccountWith(organization)
  const other = await createTestOrganization(harness.app, 0)
  await harness.addMember(other, known, 'owner')
  const shape = ({ status, body }: ScimAnswer) => [status, Object.keys(body), Object.keys(body.meta)]
  const [one, two] = [await scim.createUser(known.email), await scim.createUser(createAddress(organization))]
  assert.deepEqual(shape(one), shape(two))
  assert.notEqual(one.body.id, known.user)
  assert.match(
    (await harness.signIn(known.email)).response.body,
    /Connect your account/,
    'a provider opens it only with its password',
  )
  await scim.send('DELETE', `/Users/${one.body.id}`)
  const { body } = await harness.passwordGrant(known)
  assert.equal((await harness.clientOf(body).call('users.me', {})).organization?.id, other.organization)
})

test('the last owner and owners with emergency access stay', async () => {
  const directory = await createDirectory()
  const { scim, organization } = directory
  const owner = await harness.createAccountWith(organization, 'owner')
  const { client } = organization.owner
  await organization.setProvider({ emergency_access: [owner.user] })
  isError(await scim.patch(`/Users/${owner.user}`, { op: 'replace', path: 'active', value: false }), 403)
  isError(await scim.send('DELETE', `/Users/${owner.user}`), 403)
  await organization.setProvider({ emergency_access: [] })
  await client.call('organizations.leave', {})
  isError(await scim.patch(`/Users/${owner.user}`, { op: 'replace', path: 'active', value: false }), 409)
  isError(await scim.send('DELETE', `/Users/${owner.user}`), 409)
  assert.equal((await scim.get(`/Users/${owner.user}`)).body.active, true)
})

test('groups give roles and projects by the mappings of the provider, and take them again', async () => {
  const directory = await createDirectory()
  const { scim, organization } = directory
  const projects = [{ project_id: organization.project, role: 'editor' }]
  await organization.setProvider({
    mappings: [
      { value: 'GIS admins', role: 'admin' },
      { value: 'Fields', projects },
      { value: 'accounts', role: 'billing' },
    ],
  })
  const email = createAddress(organization)
  const { body } = await scim.createUser(email)
  const user_id = (await listMembers(directory)).get(email)!.user_id
  const projectRole = async () => {
    const { members } = await organization.owner.client.call<{ members: { user_id: string; role: string }[] }>(
      'projects.members.list',
      { project_id: organization.project },
    )
    return members.find((member) => member.user_id === user_id)?.role
  }
  const role = async () => (await listMembers(directory)).get(email)?.role
  const admins = (await scim.createGroup('GIS admins', [body.id])).body
  assert.deepEqual(admins.members, [
    { value: body.id, $ref: `${harness.app.url}/scim/v2/Users/${body.id}`, type: 'User' },
  ])
  assert.equal(await role(), 'admin')
  const fields = (await scim.createGroup('Fields')).body
  await scim.patch(`/Groups/${fields.id}`, { op: 'add', path: 'members', value: [{ value: body.id }] })
  assert.equal(await projectRole(), 'editor')
  assert.deepEqual(
    (await scim.get(`/Users/${body.id}`)).body.groups.map(({ display }: { display: string }) => display).toSorted(),
    ['Fields', 'GIS admins'],
  )
  await scim.patch(`/Groups/${admins.id}`, { op: 'replace', path: 'displayName', value: 'accounts' })
  assert.equal(await role(), 'billing')
  await scim.patch(`/Groups/${fields.id}`, { op: 'remove', path: `members[value eq "${body.id}"]` })
  assert.equal(await projectRole(), undefined)
  assert.equal((await scim.send('DELETE', `/Groups/${admins.id}`)).status, 204)
  assert.equal(await role(), 'member')
  await scim.patch(`/Users/${body.id}`, { op: 'add', path: 'roles', value: [{ value: 'GIS admins' }] })
  assert.equal(await role(), 'admin')
  isError(await scim.createGroup('x', ['not an id']), 400, 'invalidValue')
  const empty = await scim.get(`/Groups/${fields.id}?excludedAttributes=members`)
  assert.equal(empty.body.members, undefined)
})

test('versions guard changes: If-Match, If-None-Match, and two changes at once', async () => {
  const { scim, organization } = await createDirectory()
  const { body } = await scim.createUser(createAddress(organization))
  const path = `/Users/${body.id}`
  const put = (title: string, tag: string) =>
    scim.send('PUT', path, { schemas: [userSchema], userName: body.userName, title }, { 'if-match': tag })
  assert.equal((await scim.get(path, { 'if-none-match': 'W/"1"' })).status, 304)
  isError(await put('a', 'W/"7"'), 412)
  const outcomes = await Promise.all([put('a', 'W/"1"'), put('b', 'W/"1"')])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), [200, 412])
  isError(await scim.send('DELETE', path, undefined, { 'if-match': 'W/"1"' }), 412)
  assert.equal((await put('c', '*')).body.meta.version, 'W/"3"')
  const email = createAddress(organization)
  const created = await Promise.all([scim.createUser(email), scim.createUser(email), scim.createUser(email)])
  assert.deepEqual(created.map(({ status }) => status).toSorted(), [201, 409, 409])
})

test('lists are paged from one, and say how many there are', async () => {
  const { scim, organization } = await createDirectory()
  for (let count = 0; count < 3; count += 1) await scim.createUser(createAddress(organization), { title: 'Paged' })
  const filter = encodeURIComponent('title eq "paged"')
  const list = async (query: string) => {
    const { body } = await scim.get(`/Users?filter=${filter}&${query}`)
    return [body.totalResults, body.startIndex, body.itemsPerPage, body.Resources.length]
  }
  assert.deepEqual(await list(''), [3, 1, 3, 3])
  assert.deepEqual(await list('startIndex=3&count=2'), [3, 3, 1, 1])
  assert.deepEqual(await list('startIndex=-5&count=-1'), [3, 1, 0, 0])
  assert.deepEqual(await list('startIndex=9'), [3, 9, 0, 0])
  isError(await scim.get('/Users?count=many'), 400, 'invalidValue')
  isError(await scim.get('/Users?filter=title'), 400, 'invalidFilter')
  isError(await scim.get('/Users?attributes=title&excludedAttributes=name'), 400, 'invalidValue')
  const search = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
    filter: 'title eq "paged"',
    count: 1,
    attributes: ['userName'],
  }
  const found = await scim.send('POST', `${users}/.search`, search)
  assert.deepEqual([found.body.totalResults, Object.keys(found.body.Resources[0])], [3, ['schemas', 'id', 'userName']])
})

test('requests that are not of SCIM are refused with its documents', async () => {
  const { scim, organization } = await createDirectory()
  isError(await scim.send('POST', '/Users', '{"userName":'), 400, 'invalidSyntax')
  isError(await scim.send('POST', '/Users', '[]'), 400, 'invalidSyntax')
  isError(await scim.send('POST', '/Users'), 400, 'invalidSyntax')
  isError(await scim.send('POST', '/Users', { schemas: [userSchema] }), 400, 'invalidValue')
  isError(await scim.send('POST', '/Users', { userName: { a: 1 } }), 400, 'invalidValue')
  isError(await scim.send('POST', '/Users', `"${'x'.repeat(1_100_000)}"`), 413)
  isError(await scim.send('PATCH', '/Users', {}), 405)
  isError(await scim.send('POST', '/Schemas', {}), 405)
  isError(await scim.send('POST', '/Bulk', {}), 501)
  isError(await scim.get('/Me'), 501)
  for (const path of [
    '/Nothing',
    `${users}/x/y`,
    `/Users/${newId()}`,
    `${users}/x`,
    '/Schemas/x',
    '/__proto__',
    '/Users/%00',
    '',
  ])
    isError(await scim.get(path), 404)
  const before = (await scim.createUser(createAddress(organization))).body
  isError(
    await scim.patch(
      `/Users/${before.id}`,
      { op: 'replace', path: 'title', value: 'x' },
      { op: 'replace', path: 'nothing', value: 1 },
    ),
    400,
    'invalidPath',
  )
  assert.equal((await scim.get(`/Users/${before.id}`)).body.title, undefined, 'all operations of a patch, or none')
})

test('a directory of an organization that is suspended is refused', async () => {
  const { scim, organization } = await createDirectory()
  await harness.app.admin.call('admin.orgs.suspend', { organization_id: organization.organization, reason: 'test' })
  isError(await scim.get('/Users'), 403)
})
