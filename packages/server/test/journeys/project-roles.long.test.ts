import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { InputOf } from '@swath/client/operations.ts'
import { assertLedgerConsistent, assertUnchanged } from '../ledger-assertions.ts'
import { findCaptures, placeSceneOrder, waitForOrderTasks, waitForOrder, type CaptureInput } from '../orders.ts'
import { createTestOrganization, type TestUser, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

const scene = 'l8-stormlake-20200829'
let app: TestApp
let org: TestOrganization
let captures: CaptureInput[]
const users: Record<string, TestUser> = {}
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app, 100_000)
  captures = await findCaptures(org.owner.client, 'open', [scene])
  for (const role of ['viewer', 'editor', 'admin', 'owner'] as const) {
    users[role] = await org.addMember('member')
    await org.owner.client.call('projects.add_member', { project_id: org.project, user_id: users[role].user, role })
  }
  users['outsider'] = await org.addMember('member')
  users['billing'] = await org.addMember('billing')
  users['organization admin'] = await org.addMember('admin')
})
after(() => app?.close())

const readStatus = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call
    return 200
  } catch (error) {
    return (error as { status: number }).status
  }
}

test('each role may call exactly its operations, and a refused call changes nothing', async () => {
  const { project: project_id } = org
  let number = 0
  const actions: readonly ((client: Client) => Promise<unknown>)[] = [
    (client) => client.call('projects.get', { project_id }),
    (client) => client.call('items.list', { project_id }),
    (client) => client.call('collections.create', { project_id, name: `Folder ${++number}` }),
    (client) => client.call('orders.archive.place', { captures, projectId: project_id }),
    (client) => client.call('projects.update', { project_id, description: 'changed' }),
    (client) => client.call('projects.members.list', { project_id }),
  ]
  const table: Readonly<Record<string, readonly number[]>> = {
    viewer: [200, 200, 403, 403, 403, 200],
    editor: [200, 200, 200, 200, 403, 200],
    admin: [200, 200, 200, 200, 200, 200],
    owner: [200, 200, 200, 200, 200, 200],
    outsider: [403, 403, 403, 403, 403, 403],
    billing: [403, 403, 403, 403, 403, 403],
    'organization admin': [200, 200, 200, 200, 200, 200],
  }
  for (const [role, expected] of Object.entries(table)) {
    const { client } = users[role]!
    const statuses: number[] = []
    for (const action of actions) statuses.push(await readStatus(action(client)))
    assert.deepEqual(statuses, expected, role)
  }
  await waitForOrderTasks(app)
  await assertUnchanged(app, async () => {
    for (const action of actions) await readStatus(action(users['outsider']!.client))
  })
})

test('lists contain only what the caller may read', async () => {
  const countOrders = async (role: string): Promise<number> =>
    (await users[role]!.client.call('orders.list', {})).totalElements
  assert.ok((await countOrders('viewer')) > 0)
  assert.equal(await countOrders('viewer'), await countOrders('organization admin'))
  assert.equal(await countOrders('outsider'), 0)
  assert.equal((await users['outsider']!.client.call('projects.list', {})).total, 0)
  assert.equal((await users['outsider']!.client.call('items.search_org', {})).numberMatched, 0)
})

test('an order without a project uses the oldest writable one, and returns 422 if there is none', async () => {
  const input: InputOf<'orders.archive.place'> = { captures }
  for (const role of ['viewer', 'outsider']) {
    await assertUnchanged(app, () =>
      assert.rejects(
        users[role]!.client.call('orders.archive.place', input),
        (problem: { status: number; document: object }) => {
          assert.equal(problem.status, 422)
          assert.match(JSON.stringify(problem.document), /projectId/)
          return true
        },
      ),
    )
  }
  const ownProject = await users['outsider']!.client.call('projects.create', { name: 'Mine' })
  const orderResponse = await users['outsider']!.client.call('orders.archive.place', input)
  assert.equal(orderResponse.projectId, ownProject.id)
  await waitForOrder(users['outsider']!.client, orderResponse.id, 'FULFILLED')
})

test('an archived project is readable, refuses writes, and can be unarchived', async () => {
  const { client } = org.owner
  const { id: project_id } = await client.call('projects.create', { name: 'Old' })
  const orderResponse = await client.call('orders.archive.place', { captures, projectId: project_id })
  await waitForOrder(client, orderResponse.id, 'FULFILLED')
  const [feature] = (await client.call('orders.list_assets', { order_id: orderResponse.id })).features
  await client.call('projects.archive', { project_id })
  await assertUnchanged(app, async () => {
    for (const action of [
      () => client.call('collections.create', { project_id, name: 'New' }),
      () => client.call('orders.archive.place', { captures, projectId: project_id }),
      () => client.call('projects.update', { project_id, name: 'Newer' }),
      () => client.call('projects.add_member', { project_id, user_id: users['viewer']!.user }),
    ]) {
      await assert.rejects(action(), { status: 409, problem: 'invalid-state' })
    }
  })
  assert.equal((await client.call('items.list', { project_id })).total, 1)
  assert.ok((await client.bytes('items.tile.render', { item_id: feature!.item_id, z: 5, x: 7, y: 11 })).length > 0)
  await client.call('projects.archive', { project_id, is_archived: false })
  await client.call('collections.create', { project_id, name: 'New' })
})

test('deleting a project removes its items from all lists and leaves tombstones in the lineage', async () => {
  const { client } = org.owner
  const { id: project_id } = await client.call('projects.create', { name: 'Short-lived' })
  const before = (await client.call('items.search_org', {})).numberMatched
  const orderResponse = await client.call('orders.archive.place', {
    captures: await findCaptures(client, 'commercial', ['naip-va-17n']),
    projectId: project_id,
  })
  await waitForOrder(client, orderResponse.id, 'FULFILLED')
  const [feature] = (await client.call('orders.list_assets', { order_id: orderResponse.id })).features
  const item_id = feature!.item_id
  assert.equal((await client.call('items.search_org', {})).numberMatched, before + 1)

  for (const role of ['viewer', 'editor', 'outsider']) {
    await assert.rejects(users[role]!.client.call('projects.delete', { project_id: org.project }), { status: 403 })
  }
  const deletedProject = await client.call('projects.delete', { project_id })
  assert.ok(deletedProject.storage_freed_bytes > 0)
  await assert.rejects(client.call('projects.get', { project_id }), { status: 404 })
  await assert.rejects(client.call('items.get', { item_id }), { status: 404 })
  // Paid orders stay readable.
  assert.equal((await client.call('orders.get', { order_id: orderResponse.id })).status, 'FULFILLED')
  assert.equal((await client.call('items.search_org', {})).numberMatched, before)
  const lineage = await client.call('provenance.get', { entity_type: 'item', entity_id: item_id })
  assert.equal(lineage.nodes.find((node) => node.entity_id === item_id)?.deleted, true)
  assert.ok(lineage.nodes.some((node) => node.entity_type === 'capture' && node.entity_id === 'commercial:naip-va-17n'))
  await assertLedgerConsistent(app)
})

test('a removed member loses access to the project at once', async () => {
  const { client } = org.owner
  const editor = users['editor']!
  const order_id = await placeSceneOrder(editor.client, 'open', [scene])
  await waitForOrder(editor.client, order_id, 'FULFILLED')
  await client.call('projects.remove_member', { project_id: org.project, user_id: editor.user })
  for (const action of [
    () => editor.client.call('projects.get', { project_id: org.project }),
    () => editor.client.call('orders.get', { order_id }),
    () => editor.client.call('orders.list_assets', { order_id }),
  ]) {
    await assert.rejects(action(), { status: 403, problem: 'not-a-member' })
  }
})
