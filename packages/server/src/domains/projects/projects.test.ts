import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Call, Principal } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import {
  adminEmail,
  adminPassword,
  openPeopleHouse,
  problem,
  type PeopleHouse,
  type Person,
} from '../../../test/identity-setup.ts'
import { firstWritableProject, keepProjectOpen, requireProject, visibleProjects } from './access.ts'

let house: PeopleHouse
let owner: Person & { readonly organization: string }
before(async () => {
  house = await openPeopleHouse()
  owner = await house.founder()
})
after(() => house.close())

interface Wire {
  readonly id: string
  readonly name: string
  readonly is_archived: boolean
  readonly [name: string]: unknown
}

const create = async (person: Pick<Person, 'token'>, name: string): Promise<Wire> =>
  (await house.op('projects.create', person.token, { name })) as Wire
const list = async (person: Pick<Person, 'token'>, input: object = {}): Promise<string[]> =>
  ((await house.op('projects.list', person.token, input))['projects'] as Wire[]).map(({ name }) => name)
const join = (project: Wire, person: Person, role: string) =>
  house.op('projects.add_member', owner.token, { project_id: project.id, user_id: person.id, role })

async function askAs(token: string): Promise<Pick<Call, 'organization' | 'principal' | 'db'>> {
  const credentials = { authorization: `Bearer ${token}`, apiKey: null, address: '' }
  const principal: Principal = await house.identity.authenticate(credentials, { public: false, scope: null })
  const organization = principal.organization!
  return { principal, organization, db: house.database.of(organization) }
}

test('a project is created with an event, read and updated', async () => {
  const made = (await house.op('projects.create', owner.token, {
    name: 'Reef',
    description: 'corals',
    region: 'au-1',
  })) as Wire
  assert.equal(made['organization_id'], owner.organization)
  assert.equal(made['storage_bucket'], null)
  const [event] = await house.database
    .of(owner.organization)
    .query<{ kind: string; data: object; actor_id: string }>(
      sql`select kind, data, actor_id from events where organization_id = ${owner.organization} and entity_id = ${made.id}`,
    )
  assert.deepEqual(event, { kind: 'project.created', data: { name: 'Reef' }, actor_id: owner.id })

  const renamed = await house.op('projects.update', owner.token, { project_id: made.id, name: 'Great reef' })
  assert.equal(renamed['name'], 'Great reef')
  assert.equal(renamed['description'], 'corals')
  const emptied = await house.op('projects.update', owner.token, { project_id: made.id, name: null, description: null })
  assert.equal(emptied['name'], 'Great reef')
  assert.equal(emptied['description'], null)
  assert.deepEqual(await house.op('projects.get', owner.token, { project_id: made.id }), { project: emptied })
  const members = await house.op('projects.members.list', owner.token, { project_id: made.id })
  assert.equal(members['total'], 1)
  assert.deepEqual((members['members'] as { user_id: string; role: string }[])[0]?.role, 'owner')
})

test('an archived project rejects changes until it is unarchived', async () => {
  const project = await create(owner, 'Archive me')
  const { id: project_id } = project
  assert.equal((await house.op('projects.archive', owner.token, { project_id }))['is_archived'], true)
  assert.equal((await list(owner)).includes('Archive me'), false)
  assert.equal((await list(owner, { include_archived: true })).includes('Archive me'), true)
  await assert.rejects(house.op('projects.update', owner.token, { project_id, name: 'x' }), problem('invalid-state'))
  const member = await house.member(owner.token, 'member')
  await assert.rejects(join(project, member, 'viewer'), problem('invalid-state'))
  const asking = await askAs(owner.token)
  assert.equal((await requireProject(asking, project_id, 'read')).id, project_id)
  await assert.rejects(requireProject(asking, project_id, 'write'), problem('invalid-state'))
  assert.equal(
    (await house.op('projects.archive', owner.token, { project_id, is_archived: false }))['is_archived'],
    false,
  )
  assert.equal((await house.op('projects.update', owner.token, { project_id, is_archived: true }))['is_archived'], true)
  assert.equal(
    (await house.op('projects.update', owner.token, { project_id, is_archived: false }))['is_archived'],
    false,
  )
})

test('project roles determine permissions; other members of the organization get 403', async () => {
  const project = await create(owner, 'Roles')
  const { id: project_id } = project
  const [viewer, editor, admin, outsider] = [
    await house.member(owner.token, 'member'),
    await house.member(owner.token, 'member'),
    await house.member(owner.token, 'member'),
    await house.member(owner.token, 'member'),
  ]
  await join(project, viewer, 'viewer')
  assert.equal((await join(project, editor, 'member'))['role'], 'editor')
  await join(project, admin, 'admin')

  const may = async (person: Person, need: 'read' | 'write' | 'admin'): Promise<string> => {
    try {
      await requireProject(await askAs(person.token), project_id, need)
      return 'yes'
    } catch (error) {
      if (error instanceof Problem) return error.problem
      throw error
    }
  }
  const table: readonly (readonly [Person, string, string, string])[] = [
    [viewer, 'yes', 'not-a-member', 'not-a-member'],
    [editor, 'yes', 'yes', 'not-a-member'],
    [admin, 'yes', 'yes', 'yes'],
    [outsider, 'not-a-member', 'not-a-member', 'not-a-member'],
    [owner, 'yes', 'yes', 'yes'],
    [await house.member(owner.token, 'admin'), 'yes', 'yes', 'yes'],
    [await house.member(owner.token, 'billing'), 'not-a-member', 'not-a-member', 'not-a-member'],
  ]
  for (const [person, ...answers] of table) {
    assert.deepEqual([await may(person, 'read'), await may(person, 'write'), await may(person, 'admin')], answers)
  }
  for (const id of [
    'projects.get',
    'projects.members.list',
    'projects.delete',
    'projects.archive',
    'projects.update',
  ]) {
    await assert.rejects(house.op(id, outsider.token, { project_id }), problem('not-a-member'), id)
  }
  assert.equal((await list(outsider)).includes('Roles'), false)
  assert.equal((await list(viewer)).includes('Roles'), true)
})

test('only owners grant or revoke the role owner, and the last owner stays', async () => {
  const project = await create(owner, 'Owners')
  const { id: project_id } = project
  const admin = await house.member(owner.token, 'member')
  const other = await house.member(owner.token, 'member')
  await join(project, admin, 'admin')
  const as = (person: Person, id: string, user: Person, role?: string) =>
    house.op(id, person.token, { project_id, user_id: user.id, ...(role ? { role } : {}) })

  await assert.rejects(as(admin, 'projects.add_member', other, 'owner'), problem('forbidden'))
  await as(admin, 'projects.add_member', other, 'viewer')
  await assert.rejects(as(admin, 'projects.add_member', other, 'viewer'), problem('invalid-state'))
  await assert.rejects(as(admin, 'projects.update_member', other, 'owner'), problem('forbidden'))
  await assert.rejects(as(admin, 'projects.remove_member', owner), problem('forbidden'))
  await assert.rejects(as(owner, 'projects.remove_member', owner), problem('invalid-state'))
  await assert.rejects(as(owner, 'projects.update_member', owner, 'viewer'), problem('invalid-state'))
  assert.equal((await as(owner, 'projects.update_member', other, 'owner'))['role'], 'owner')
  assert.equal((await as(other, 'projects.update_member', owner, 'editor'))['role'], 'editor')
  assert.deepEqual(await as(other, 'projects.remove_member', owner), { ok: true })
  await assert.rejects(as(other, 'projects.remove_member', owner), problem('not-found'))
  await assert.rejects(
    house.op('projects.add_member', owner.token, { project_id, user_id: newId() }),
    problem('not-found'),
  )
  await assert.rejects(as(owner, 'projects.add_member', admin, 'emperor'), problem('validation'))
})

test('of two owners who demote each other at once one stays owner', async () => {
  const project = await create(owner, 'Race')
  const other = await house.member(owner.token, 'member')
  await join(project, other, 'owner')
  const demote = (person: Person, whom: Person) =>
    house.op('projects.update_member', person.token, { project_id: project.id, user_id: whom.id, role: 'viewer' })
  const outcomes = await Promise.allSettled([demote(owner, other), demote(owner, owner)])
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('a project of another organization answers the same not-found as an unknown id', async () => {
  const project = await create(owner, 'Hidden')
  const foreigner = await house.founder()
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
  const refusal = async (id: string, project_id: string, input: object): Promise<string> => {
    try {
      await house.op(id, foreigner.token, { project_id, ...input })
      return 'answered'
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return `${error.problem} ${error.message} ${JSON.stringify(error.extra)}`
    }
  }
  const nowhere = newId()
  for (const [id, input] of inputs) {
    const other = await refusal(id, project.id, input)
    assert.match(other, /^not-found /, id)
    assert.equal(other.replaceAll(project.id, nowhere), await refusal(id, nowhere, input), id)
  }
  await assert.rejects(
    join(project, foreigner, 'viewer'),
    problem('not-found'),
    'users of other organizations cannot be added',
  )
  assert.deepEqual(await list(foreigner), [])
  const { access_token } = await house.signIn(adminEmail, adminPassword)
  await assert.rejects(house.op('projects.get', access_token, { project_id: project.id }), problem('not-found'))
})

test('lockOpenProject throws in the transaction if the project was archived or deleted', async () => {
  const { id: project_id } = await create(owner, 'Kept')
  const asking = await askAs(owner.token)
  const keep = () => asking.db.transaction((tx) => keepProjectOpen(tx, asking, project_id))
  await keep()
  await house.op('projects.archive', owner.token, { project_id })
  await assert.rejects(keep(), problem('invalid-state'))
  await house.op('projects.delete', owner.token, { project_id })
  await assert.rejects(keep(), problem('not-found'))
})

test('a deleted project answers not-found to everybody', async () => {
  const project = await create(owner, 'Gone')
  const { id: project_id } = project
  const member = await house.member(owner.token, 'member')
  await join(project, member, 'editor')
  await assert.rejects(house.op('projects.delete', member.token, { project_id }), problem('not-a-member'))
  assert.deepEqual(await house.op('projects.delete', owner.token, { project_id }), {
    deleted: true,
    project_id,
    storage_freed_bytes: 0,
  })
  for (const person of [owner, member]) {
    await assert.rejects(house.op('projects.get', person.token, { project_id }), problem('not-found'))
    assert.equal((await list(person, { include_archived: true })).includes('Gone'), false)
  }
  await assert.rejects(house.op('projects.delete', owner.token, { project_id }), problem('not-found'))
})

test('an API key reads the projects that its issuer can read now', async () => {
  const founder = await house.founder()
  const admin = await house.member(founder.token, 'admin')
  const project = await create(founder, 'Keys')
  const { key } = await house.op('api_keys.create', admin.token, { name: 'k', permissions: ['can_write'] })
  const asking = await askAs(String(key))
  assert.deepEqual(await visibleProjects(asking), [project.id])
  assert.equal((await firstWritableProject(asking))?.id, project.id)
  assert.ok(await requireProject(asking, project.id, 'admin'))
  await house.database.across.query(sql`update memberships set role = 'member' where user_id = ${admin.id}`)
  assert.deepEqual(await visibleProjects(asking), [])
  assert.equal(await firstWritableProject(asking), null)
  await assert.rejects(requireProject(asking, project.id, 'read'), problem('not-a-member'))
  await house.database.across.query(sql`delete from memberships where user_id = ${admin.id}`)
  await assert.rejects(requireProject(asking, project.id, 'read'), problem('not-a-member'))
})

test('an API key of an owner writes to a project and cannot change its members', async () => {
  const project = await create(owner, 'People only')
  const [member, other] = [await house.member(owner.token, 'member'), await house.member(owner.token, 'member')]
  await join(project, member, 'editor')
  const { key } = await house.op('api_keys.create', owner.token, { name: 'k', permissions: ['can_write'] })
  const asKey = (id: string, input: object) => house.op(id, String(key), { project_id: project.id, ...input })
  for (const [id, input] of [
    ['projects.add_member', { user_id: other.id, role: 'owner' }],
    ['projects.update_member', { user_id: member.id, role: 'owner' }],
    ['projects.remove_member', { user_id: member.id }],
  ] as const) {
    await assert.rejects(asKey(id, input), problem('user-required'), id)
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
  const founder = await house.founder()
  const member = await house.member(founder.token, 'member')
  const made: Wire[] = []
  for (const name of ['archived', 'read-only', 'writable', 'younger']) {
    house.clock.advance(1000)
    made.push(await create(founder, name))
  }
  const [archived, readOnly, writable, younger] = made as [Wire, Wire, Wire, Wire]
  for (const [project, role] of [
    [archived, 'editor'],
    [readOnly, 'viewer'],
    [writable, 'editor'],
    [younger, 'owner'],
  ] as const) {
    await house.op('projects.add_member', founder.token, { project_id: project.id, user_id: member.id, role })
  }
  await house.op('projects.archive', founder.token, { project_id: archived.id })
  const again = await house.signIn(member.email, member.password)
  const asking = await askAs(again.access_token)
  assert.equal((await firstWritableProject(asking))?.name, 'writable')
  assert.deepEqual(await visibleProjects(asking), made.map(({ id }) => id).toSorted())
  assert.deepEqual(await list({ token: again.access_token }, { limit: 2, offset: 1 }), ['writable', 'read-only'])
})

test('projects need an organization, and creating one needs a sufficient role', async () => {
  const stranger = await house.stranger()
  await assert.rejects(house.op('projects.list', stranger.token), problem('no-organization'))
  const clerk = await house.member((await house.founder()).token, 'billing')
  await assert.rejects(create(clerk, 'x'), problem('not-a-member'))
})
