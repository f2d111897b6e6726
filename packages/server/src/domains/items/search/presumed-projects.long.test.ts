import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call, Principal } from '../../../engine/call.ts'
import { generateChecksummedToken } from '../../../platform/crypto/secrets.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { deliverItem, openTestServices } from '../../../../test/test-services.ts'
import { insertApiKey, insertApiKeyHash } from '../../api_keys/store.ts'
import { toVerifiedKey } from '../../identity/authenticate.ts'
import { findApiKeyAuthByHash } from '../../identity/store.ts'
import { toSearchableProjectsSql } from '../../projects/access.ts'
import { listFoundFeatureRows, listFoundItemRows } from './store.search.ts'
import type { ItemSearch } from './store.search-conditions.ts'
import { unfilteredSearch } from './search.ts'
import { singleCollection } from './store.collections.ts'

type TestServices = Awaited<ReturnType<typeof openTestServices>>

let app: TestServices
let tenant: Awaited<ReturnType<TestServices['createOrganization']>>
let other: Awaited<ReturnType<TestServices['createOrganization']>>
/** A second project of the organization with one item. */
const secondProject = newId()
let collection: string
/** The items of the two projects. */
let first: string[]
let second: string[]

before(async () => {
  app = await openTestServices()
  tenant = await app.createOrganization()
  other = await app.createOrganization()
  await app.database.unscoped.query(sql`
    insert into projects (organization_id, id, name, is_archived, created_by, created_at, updated_at)
    values (${tenant.organization}, ${secondProject}, 'Second', false, 'test', ${app.clock.now()}, ${app.clock.now()})`)
  const add = async (project: string, day: number, more: { readonly collection_id?: string } = {}) =>
    deliverItem(tenant.owner, project, { datetime: new Date(Date.UTC(2024, 0, day)), ...more })
  const { item_id, collection_id } = await add(tenant.project, 1)
  collection = collection_id
  first = [item_id, (await add(tenant.project, 2, { collection_id })).item_id].toSorted()
  second = [(await add(secondProject, 3)).item_id]
  await deliverItem(other.owner, other.project, { datetime: new Date(Date.UTC(2024, 0, 4)) })
})
after(() => app.close())

/** One search of each form of the statement: by stored counts, by an interval, by collection, and by materializing. */
const searches: readonly Partial<ItemSearch>[] = [
  {},
  { sort: [{ property: 'datetime', direction: 'desc' }] },
  { from: new Date('2023-12-31'), to: new Date('2024-01-20') },
  { from: new Date('2023-06-01'), to: new Date('2024-06-20') },
  { boxes: [[-180, -90, 180, 90]] },
  { sort: [{ property: 'own', direction: 'asc' }] },
]

/** The ids that all searches find, which must be the same, also as flat items, and equal in number to the count. */
async function findItems(call: Call, more: Partial<ItemSearch> = {}): Promise<string[]> {
  const found = new Set<string>()
  for (const variant of searches) {
    const search: ItemSearch = {
      ...unfilteredSearch,
      projects: toSearchableProjectsSql(call),
      limit: 10,
      offset: 0,
      after: null,
      now: call.clock.now(),
      ...variant,
      ...more,
    }
    const { features, matched, whole } = await listFoundFeatureRows(call.itemSearchDb, call.organization, search)
    const { page, matched: matchedItems } = await listFoundItemRows(call.itemSearchDb, call.organization, search)
    const ids = features.map(({ id }) => id).toSorted()
    assert.deepEqual(page.map(({ id }) => id).toSorted(), ids)
    assert.deepEqual([matched, matchedItems, whole], [ids.length, ids.length, true], JSON.stringify(variant))
    found.add(ids.join())
  }
  assert.equal(found.size, 1, [...found].join(' / '))
  return [...found][0]!.split(',').filter((id) => id !== '')
}

const setRole = (call: Call, role: string) =>
  app.database.unscoped.query(sql`
    update memberships set role = ${role}
    where organization_id = ${tenant.organization} and user_id = ${call.principal.user}`)

const addToProject = (call: Call, project: string) =>
  app.database.unscoped.query(sql`
    insert into project_members (organization_id, project_id, user_id, role, created_at, updated_at)
    values (${tenant.organization}, ${project}, ${call.principal.user}, 'viewer', ${app.clock.now()}, ${app.clock.now()})`)

test('owners, admins and services find the items of all projects', async () => {
  const all = [...first, ...second].toSorted()
  assert.deepEqual(await findItems(tenant.owner), all)
  assert.deepEqual(await findItems(await tenant.createMemberCall('admin')), all)
  assert.deepEqual(await findItems(tenant.owner.asOrganization(tenant.organization)), all)
  assert.deepEqual(await findItems(tenant.owner, { collections: singleCollection(collection) }), first)
})

test('a member of one project finds its items, and those of no other', async () => {
  const member = await tenant.createMemberCall('member')
  assert.deepEqual(await findItems(member), [])
  await addToProject(member, secondProject)
  assert.deepEqual(await findItems(member), second)
  assert.deepEqual(await findItems(member, { collections: singleCollection(collection) }), [])
})

test('a caller whose role changes after the token was looked up finds what the new role may read', async () => {
  const admin = await tenant.createMemberCall('admin')
  await addToProject(admin, tenant.project)
  assert.equal((await findItems(admin)).length, 3)
  await setRole(admin, 'member')
  assert.deepEqual(await findItems(admin), first)
  await app.database.unscoped.query(sql`
    delete from project_members where organization_id = ${tenant.organization} and user_id = ${admin.principal.user}`)
  assert.deepEqual(await findItems(admin), [])
  await setRole(admin, 'owner')
  assert.equal((await findItems(admin)).length, 3)
  await app.database.unscoped.query(sql`
    delete from memberships where organization_id = ${tenant.organization} and user_id = ${admin.principal.user}`)
  assert.deepEqual(await findItems(admin), [])
})

test('a member who becomes an admin finds everything before the token is looked up again', async () => {
  const member = await tenant.createMemberCall('member')
  await setRole(member, 'admin')
  assert.equal((await findItems(member)).length, 3)
})

test('the owner of another organization finds nothing of this one', async () => {
  const stranger = { ...tenant.owner, principal: { ...other.owner.principal, organization: tenant.organization } }
  assert.deepEqual(await findItems(stranger), [])
  assert.deepEqual(await findItems(other.owner, { collections: singleCollection(collection) }), [])
  assert.equal((await findItems(other.owner)).length, 1)
})

/** The principal of a new API key of the user, as it is looked up for a token. */
async function createKey(issuer: Call): Promise<() => Promise<Principal | null>> {
  const { hash, prefix, last_four } = generateChecksummedToken('api_key')
  const { organization } = tenant
  const key = {
    id: newId(),
    organization_id: organization,
    name: 'key',
    prefix,
    last_four,
    permissions: ['items:read'],
    rate_limit: null,
    spend_cap_credits: null,
    created_by: issuer.principal.user!,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    created_at: app.clock.forOrganization(organization).now(),
  }
  await app.database.unscoped.transaction(async (tx) => {
    await insertApiKey(tx, key)
    await insertApiKeyHash(tx, hash, organization, key.id)
  })
  const services = { unscoped: app.database.unscoped, clock: app.clock }
  return async () => {
    const row = await findApiKeyAuthByHash(services.unscoped, { hash, last_four: key.last_four })
    return (await toVerifiedKey(services, row!, app.clock.now(), []))?.principal ?? null
  }
}

test('an API key finds what its issuer may read now', async () => {
  const issuer = await tenant.createMemberCall('admin')
  const lookUp = await createKey(issuer)
  const call = { ...issuer, principal: (await lookUp())! }
  assert.deepEqual([call.principal.issuer_role, call.principal.scopes], ['admin', ['items:read']])
  assert.equal((await findItems(call)).length, 3)
  await addToProject(issuer, secondProject)
  await setRole(issuer, 'member')
  assert.deepEqual(await findItems(call), second)
  const again = { ...issuer, principal: (await lookUp())! }
  assert.equal(again.principal.issuer_role, 'member')
  assert.deepEqual(await findItems(again), second)
  await app.database.unscoped.query(sql`
    delete from memberships where organization_id = ${tenant.organization} and user_id = ${issuer.principal.user}`)
  assert.equal(await lookUp(), null, 'the key of a user who has left does not act')
  assert.deepEqual(await findItems(again), [])
})
