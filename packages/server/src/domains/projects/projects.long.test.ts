import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Call, Principal } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import {
  adminEmail,
  adminPassword,
  startIdentityTestApp,
  rejectedWith,
  type IdentityTestApp,
  type SignedInUser,
} from '../../../test/identity-test-app.ts'
import { findFirstWritableProject, lockOpenProject, requireProject, listReadableProjectIds } from './access.ts'

let app: IdentityTestApp
let owner: SignedInUser & { readonly organization: string }
before(async () => {
  app = await startIdentityTestApp()
  owner = await app.createFounder()
})
after(() => app.close())

interface ProjectJson {
  readonly id: string
  readonly name: string
  readonly is_archived: boolean
  readonly [name: string]: unknown
}

const createTestProject = async (person: Pick<SignedInUser, 'token'>, name: string): Promise<ProjectJson> =>
  (await app.callOperation('projects.create', person.token, { name })) as ProjectJson
const listNames = async (person: Pick<SignedInUser, 'token'>, input: object = {}): Promise<string[]> =>
  ((await app.callOperation('projects.list', person.token, input))['projects'] as ProjectJson[]).map(({ name }) => name)
const addMember = (project: ProjectJson, person: SignedInUser, role: string) =>
  app.callOperation('projects.add_member', owner.token, { project_id: project.id, user_id: person.id, role })

async function createCallAs(token: string): Promise<Pick<Call, 'organization' | 'principal' | 'db'>> {
  const credentials = { authorization: `Bearer ${token}`, apiKey: null, address: '' }
  const principal: Principal = await app.identity.authenticate(credentials, { public: false, scope: null })
  const organization = principal.organization!
  return { principal, organization, db: app.database.forOrganization(organization) }
}

test('a project is created with an event, read and updated', async () => {
  const created = (await app.callOperation('projects.create', owner.token, {
    name: 'Reef',
    description: 'corals',
    region: 'au-1',
  })) as ProjectJson
  assert.equal(created['organization_id'], owner.organization)
  assert.equal(created['storage_bucket'], null)
  const [event] = await app.database
    .forOrganization(owner.organization)
    .query<{ kind: string; data: object; actor_id: string }>(
      sql`select kind, data, actor_id from events where organization_id = ${owner.organization} and entity_id = ${created.id}`,
    )
  assert.deepEqual(event, { kind: 'project.created', data: { name: 'Reef' }, actor_id: owner.id })

  const renamed = await app.callOperation('projects.update', owner.token, {
    project_id: created.id,
    name: 'Great reef',
  })
  assert.equal(renamed['name'], 'Great reef')
  assert.equal(renamed['description'], 'corals')
  const cleared = await app.callOperation('projects.update', owner.token, {
    project_id: created.id,
    name: null,
    description: null,
  })
  assert.equal(cleared['name'], 'Great reef')
  assert.equal(cleared['description'], null)
  assert.deepEqual(await app.callOperation('projects.get', owner.token, { project_id: created.id }), {
    project: cleared,
  })
  const members = await app.callOperation('projects.members.list', owner.token, { project_id: created.id })
  assert.equal(members['total'], 1)
  assert.deepEqual((members['members'] as { user_id: string; role: string }[])[0]?.role, 'owner')
})

test('an archived project rejects changes until it is unarchived', async () => {
  const project = await createTestProject(owner, 'Archive me')
  const { id: project_id } = project
  assert.equal((await app.callOperation('projects.archive', owner.token, { project_id }))['is_archived'], true)
  assert.equal((await listNames(owner)).includes('Archive me'), false)
  assert.equal((await listNames(owner, { include_archived: true })).includes('Archive me'), true)
  await assert.rejects(
    app.callOperation('projects.update', owner.token, { project_id, name: 'x' }),
    rejectedWith('invalid-state'),
  )
  const member = await app.addMember(owner.token, 'member')
  await assert.rejects(addMember(project, member, 'viewer'), rejectedWith('invalid-state'))
  const readCall = await createCallAs(owner.token)
  assert.equal((await requireProject(readCall, project_id, 'read')).id, project_id)
  await assert.rejects(requireProject(readCall, project_id, 'write'), rejectedWith('invalid-state'))
  assert.equal(
    (await app.callOperation('projects.archive', owner.token, { project_id, is_archived: false }))['is_archived'],
    false,
  )
  assert.equal(
    (await app.callOperation('projects.update', owner.token, { project_id, is_archived: true }))['is_archived'],
    true,
  )
  assert.equal(
    (await app.callOperation('projects.update', owner.token, { project_id, is_archived: false }))['is_archived'],
    false,
  )
})

test('project roles determine permissions; other members of the organization get 403', async () => {
  const project = await createTestProject(owner, 'Roles')
  const { id: project_id } = project
  const [viewer, editor, admin, nonMember] = [
    await app.addMember(owner.token, 'member'),
    await app.addMember(owner.token, 'member'),
    await app.addMember(owner.token, 'member'),
    await app.addMember(owner.token, 'member'),
  ]
  await addMember(project, viewer, 'viewer')
  assert.equal((await addMember(project, editor, 'member'))['role'], 'editor')
  await addMember(project, admin, 'admin')

  const permissionResult = async (person: SignedInUser, permission: 'read' | 'write' | 'admin'): Promise<string> => {
    try {
      await requireProject(await createCallAs(person.token), project_id, permission)
      return 'yes'
    } catch (error) {
      if (error instanceof Problem) return error.problem
      throw error
    }
  }
  const table: readonly (readonly [SignedInUser, string, string, string])[] = [
    [viewer, 'yes', 'not-a-member', 'not-a-member'],
    [editor, 'yes', 'yes', 'not-a-member'],
    [admin, 'yes', 'yes', 'yes'],
    [nonMember, 'not-a-member', 'not-a-member', 'not-a-member'],
    [owner, 'yes', 'yes', 'yes'],
    [await app.addMember(owner.token, 'admin'), 'yes', 'yes', 'yes'],
    [await app.addMember(owner.token, 'billing'), 'not-a-member', 'not-a-member', 'not-a-member'],
  ]
  for (const [person, ...expected] of table) {
    assert.deepEqual(
      [
        await permissionResult(person, 'read'),
        await permissionResult(person, 'write'),
        await permissionResult(person, 'admin'),
      ],
      expected,
    )
  }
  for (const id of [
    'projects.get',
    'projects.members.list',
    'projects.delete',
    'projects.archive',
    'projects.update',
  ]) {
    await assert.rejects(app.callOperation(id, nonMember.token, { project_id }), rejectedWith('not-a-member'), id)
  }
  assert.equal((await listNames(nonMember)).includes('Roles'), false)
  assert.equal((await listNames(viewer)).includes('Roles'), true)
})

test('only owners grant or revoke the role owner, and the last owner stays', async () => {
  const project = await createTestProject(owner, 'Owners')
  const { id: project_id } = project
  const admin = await app.addMember(owner.token, 'member')
  const other = await app.addMember(owner.token, 'member')
  await addMember(project, admin, 'admin')
  const callAs = (person: SignedInUser, id: string, user: SignedInUser, role?: string) =>
    app.callOperation(id, person.token, { project_id, user_id: user.id, ...(role ? { role } : {}) })

  await assert.rejects(callAs(admin, 'projects.add_member', other, 'owner'), rejectedWith('forbidden'))
  await callAs(admin, 'projects.add_member', other, 'viewer')
  await assert.rejects(callAs(admin, 'projects.add_member', other, 'viewer'), rejectedWith('invalid-state'))
  await assert.rejects(callAs(admin, 'projects.update_member', other, 'owner'), rejectedWith('forbidden'))
  await assert.rejects(callAs(admin, 'projects.remove_member', owner), rejectedWith('forbidden'))
  await assert.rejects(callAs(owner, 'projects.remove_member', owner), rejectedWith('invalid-state'))
  await assert.rejects(callAs(owner, 'projects.update_member', owner, 'viewer'), rejectedWith('invalid-state'))
  assert.equal((await callAs(owner, 'projects.update_member', other, 'owner'))['role'], 'owner')
  assert.equal((await callAs(other, 'projects.update_member', owner, 'editor'))['role'], 'editor')
  assert.deepEqual(await callAs(other, 'projects.remove_member', owner), { ok: true })
  await assert.rejects(callAs(other, 'projects.remove_member', owner), rejectedWith('not-found'))
  await assert.rejects(
    app.callOperation('projects.add_member', owner.token, { project_id, user_id: newId() }),
    rejectedWith('not-found'),
  )
  await assert.rejects(callAs(owner, 'projects.add_member', admin, 'emperor'), rejectedWith('validation'))
})

test('of two owners who demote each other at once one stays owner', async () => {
  const project = await createTestProject(owner, 'Race')
  const other = await app.addMember(owner.token, 'member')
  await addMember(project, other, 'owner')
  const demote = (person: SignedInUser, target: SignedInUser) =>
    app.callOperation('projects.update_member', person.token, {
      project_id: project.id,
      user_id: target.id,
      role: 'viewer',
    })
  const outcomes = await Promise.allSettled([demote(owner, other), demote(owner, owner)])
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('a project of another organization answers the same not-found as an unknown id', async () => {
  const project = await createTestProject(owner, 'Hidden')
  const foreigner = await app.createFounder()
  const inputs: readonly (readonly [string, object])[] = [
    ['projects.get', {}],
    ['projects.members.list', {}],
    ['projects.update', { name: 'x' }],
    ['projects.archive', {}],
    ['projects.delete', {}],
    ['projects.add_member', { user_id: foreigner.id }],
    ['projects.update_member', { user_id: owner.id, role: 'viewer' }],
    ['projects.remove_member', { user_id: owner.id }],
  ]
  const problemText = async (id: string, project_id: string, input: object): Promise<string> => {
    try {
      await app.callOperation(id, foreigner.token, { project_id, ...input })
      return 'answered'
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return `${error.problem} ${error.message} ${JSON.stringify(error.extra)}`
    }
  }
  const unknownId = newId()
  for (const [id, input] of inputs) {
    const other = await problemText(id, project.id, input)
    assert.match(other, /^not-found /, id)
    assert.equal(other.replaceAll(project.id, unknownId), await problemText(id, unknownId, input), id)
  }
  await assert.rejects(
    addMember(project, foreigner, 'viewer'),
    rejectedWith('not-found'),
    'users of other organizations cannot be added',
  )
  assert.deepEqual(await listNames(foreigner), [])
  const { access_token } = await app.signIn(adminEmail, adminPassword)
  await assert.rejects(
    app.callOperation('projects.get', access_token, { project_id: project.id }),
    rejectedWith('not-found'),
  )
})

test('lockOpenProject throws in the transaction if the project was archived or deleted', async () => {
  const { id: project_id } = await createTestProject(owner, 'Kept')
  const readCall = await createCallAs(owner.token)
  const lock = () => readCall.db.transaction((tx) => lockOpenProject(tx, readCall, project_id))
  await lock()
  await app.callOperation('projects.archive', owner.token, { project_id })
  await assert.rejects(lock(), rejectedWith('invalid-state'))
  await app.callOperation('projects.delete', owner.token, { project_id })
  await assert.rejects(lock(), rejectedWith('not-found'))
})

test('a deleted project answers not-found to everybody', async () => {
  const project = await createTestProject(owner, 'Gone')
  const { id: project_id } = project
  const member = await app.addMember(owner.token, 'member')
  await addMember(project, member, 'editor')
  await assert.rejects(app.callOperation('projects.delete', member.token, { project_id }), rejectedWith('not-a-member'))
  assert.deepEqual(await app.callOperation('projects.delete', owner.token, { project_id }), {
    deleted: true,
    project_id,
    storage_freed_bytes: 0,
  })
  for (const person of [owner, member]) {
    await assert.rejects(app.callOperation('projects.get', person.token, { project_id }), rejectedWith('not-found'))
    assert.equal((await listNames(person, { include_archived: true })).includes('Gone'), false)
  }
  await assert.rejects(app.callOperation('projects.delete', owner.token, { project_id }), rejectedWith('not-found'))
})

test('an API key reads the projects that its issuer can read now', async () => {
  const founder = await app.createFounder()
  const admin = await app.addMember(founder.token, 'admin')
  const project = await createTestProject(founder, 'Keys')
  const { key } = await app.callOperation('api_keys.create', admin.token, { name: 'k', permissions: ['can_write'] })
  const readCall = await createCallAs(String(key))
  assert.deepEqual(await listReadableProjectIds(readCall), [project.id])
  assert.equal((await findFirstWritableProject(readCall))?.id, project.id)
  assert.ok(await requireProject(readCall, project.id, 'admin'))
  await app.database.unscoped.query(sql`update memberships set role = 'member' where user_id = ${admin.id}`)
  assert.deepEqual(await listReadableProjectIds(readCall), [])
  assert.equal(await findFirstWritableProject(readCall), null)
  await assert.rejects(requireProject(readCall, project.id, 'read'), rejectedWith('not-a-member'))
  await app.database.unscoped.query(sql`delete from memberships where user_id = ${admin.id}`)
  await assert.rejects(requireProject(readCall, project.id, 'read'), rejectedWith('not-a-member'))
})

test('an API key of an owner writes to a project and cannot change its members', async () => {
  const project = await createTestProject(owner, 'People only')
  const [member, other] = [await app.addMember(owner.token, 'member'), await app.addMember(owner.token, 'member')]
  await addMember(project, member, 'editor')
  const { key } = await app.callOperation('api_keys.create', owner.token, { name: 'k', permissions: ['can_write'] })
  const asKey = (id: string, input: object) => app.callOperation(id, String(key), { project_id: project.id, ...input })
  for (const [id, input] of [
    ['projects.add_member', { user_id: other.id, role: 'owner' }],
    ['projects.update_member', { user_id: member.id, role: 'owner' }],
    ['projects.remove_member', { user_id: member.id }],
  ] as const) {
    await assert.rejects(asKey(id, input), rejectedWith('user-required'), id)
  }
  const { members } = (await asKey('projects.members.list', {})) as { members: { user_id: string; role: string }[] }
  assert.deepEqual(
    members.map(({ user_id, role }) => [user_id, role]).toSorted(),
    [
      [owner.id, 'owner'],
      [member.id, 'editor'],
    ].toSorted(),
  )
  assert.equal((await asKey('projects.update', { name: 'Renamed' }))['name'], 'Renamed')
})

test('findFirstWritableProject returns the oldest project that is writable and not archived', async () => {
  const founder = await app.createFounder()
  const member = await app.addMember(founder.token, 'member')
  const created: ProjectJson[] = []
  for (const name of ['archived', 'read-only', 'writable', 'younger']) {
    app.clock.advance(1000)
    created.push(await createTestProject(founder, name))
  }
  const [archived, readOnly, writable, newer] = created as [ProjectJson, ProjectJson, ProjectJson, ProjectJson]
  for (const [project, role] of [
    [archived, 'editor'],
    [readOnly, 'viewer'],
    [writable, 'editor'],
    [newer, 'owner'],
  ] as const) {
    await app.callOperation('projects.add_member', founder.token, { project_id: project.id, user_id: member.id, role })
  }
  await app.callOperation('projects.archive', founder.token, { project_id: archived.id })
  const session = await app.signIn(member.email, member.password)
  const readCall = await createCallAs(session.access_token)
  assert.equal((await findFirstWritableProject(readCall))?.name, 'writable')
  assert.deepEqual(await listReadableProjectIds(readCall), created.map(({ id }) => id).toSorted())
  assert.deepEqual(await listNames({ token: session.access_token }, { limit: 2, offset: 1 }), ['writable', 'read-only'])
})

test('projects need an organization, and creating one needs a sufficient role', async () => {
  const userWithoutOrganization = await app.createOutsider()
  await assert.rejects(
    app.callOperation('projects.list', userWithoutOrganization.token),
    rejectedWith('no-organization'),
  )
  const billingMember = await app.addMember((await app.createFounder()).token, 'billing')
  await assert.rejects(createTestProject(billingMember, 'x'), rejectedWith('not-a-member'))
})
