import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { InputOf } from '@swath/client/operations.ts'
import { assertBooks, unchanged } from '../books.ts'
import { capturesOf, placeScenes, quiet, waitForOrder, type Capture } from '../orders.ts'
import { makeOrganization, type Person, type TestOrganization } from '../people.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

const scene = 'l8-stormlake-20200829'
let house: TestHouse
let made: TestOrganization
let captures: Capture[]
const people: Record<string, Person> = {}
before(async () => {
  house = await bootHouse()
  made = await makeOrganization(house, 100_000)
  captures = await capturesOf(made.owner.client, 'open', [scene])
  for (const role of ['viewer', 'editor', 'admin', 'owner'] as const) {
    people[role] = await made.join('member')
    await made.owner.client.call('projects.add_member', { project_id: made.project, user_id: people[role].user, role })
  }
  people['outsider'] = await made.join('member')
  people['billing'] = await made.join('billing')
  people['organization admin'] = await made.join('admin')
})
after(() => house?.close())

const statusOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call
    return 200
  } catch (error) {
    return (error as { status: number }).status
  }
}

test('each role may call exactly its operations, and a refused call changes nothing', async () => {
  const { project: project_id } = made
  let number = 0
  const acts: readonly ((client: Client) => Promise<unknown>)[] = [
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
    const { client } = people[role]!
    const statuses: number[] = []
    for (const act of acts) statuses.push(await statusOf(act(client)))
    assert.deepEqual(statuses, expected, role)
  }
  await quiet(house)
  await unchanged(house, async () => {
    for (const act of acts) await statusOf(act(people['outsider']!.client))
  })
})

test('lists contain only what the caller may read', async () => {
  const ordersOf = async (role: string): Promise<number> =>
    (await people[role]!.client.call('orders.list', {})).totalElements
  assert.ok((await ordersOf('viewer')) > 0)
  assert.equal(await ordersOf('viewer'), await ordersOf('organization admin'))
  assert.equal(await ordersOf('outsider'), 0)
  assert.equal((await people['outsider']!.client.call('projects.list', {})).total, 0)
  assert.equal((await people['outsider']!.client.call('items.search_org', {})).numberMatched, 0)
})

test('an order without a project uses the oldest writable one, and returns 422 if there is none', async () => {
  const input: InputOf<'orders.archive.place'> = { captures }
  for (const role of ['viewer', 'outsider']) {
    await unchanged(house, () =>
      assert.rejects(
        people[role]!.client.call('orders.archive.place', input),
        (problem: { status: number; document: object }) => {
          assert.equal(problem.status, 422)
          assert.match(JSON.stringify(problem.document), /projectId/)
          return true
        },
      ),
    )
  }
  const own = await people['outsider']!.client.call('projects.create', { name: 'Mine' })
  const placed = await people['outsider']!.client.call('orders.archive.place', input)
  assert.equal(placed.projectId, own.id)
  await waitForOrder(people['outsider']!.client, placed.id, 'FULFILLED')
})

test('an archived project is readable, refuses writes, and can be unarchived', async () => {
  const { client } = made.owner
  const { id: project_id } = await client.call('projects.create', { name: 'Old' })
  const placed = await client.call('orders.archive.place', { captures, projectId: project_id })
  await waitForOrder(client, placed.id, 'FULFILLED')
  const [feature] = (await client.call('orders.list_assets', { order_id: placed.id })).features
  await client.call('projects.archive', { project_id })
  await unchanged(house, async () => {
    for (const act of [
      () => client.call('collections.create', { project_id, name: 'New' }),
      () => client.call('orders.archive.place', { captures, projectId: project_id }),
      () => client.call('projects.update', { project_id, name: 'Newer' }),
      () => client.call('projects.add_member', { project_id, user_id: people['viewer']!.user }),
    ]) {
      await assert.rejects(act(), { status: 409, problem: 'invalid-state' })
    }
  })
  assert.equal((await client.call('items.list', { project_id })).total, 1)
  assert.ok((await client.bytes('items.tile.render', { item_id: feature!.item_id, z: 5, x: 7, y: 11 })).length > 0)
  await client.call('projects.archive', { project_id, is_archived: false })
  await client.call('collections.create', { project_id, name: 'New' })
})

test('deleting a project removes its items from all lists and leaves tombstones in the lineage', async () => {
  const { client } = made.owner
  const { id: project_id } = await client.call('projects.create', { name: 'Short-lived' })
  const before = (await client.call('items.search_org', {})).numberMatched
  const placed = await client.call('orders.archive.place', {
    captures: await capturesOf(client, 'commercial', ['naip-va-17n']),
    projectId: project_id,
  })
  await waitForOrder(client, placed.id, 'FULFILLED')
  const [feature] = (await client.call('orders.list_assets', { order_id: placed.id })).features
  const item_id = feature!.item_id
  assert.equal((await client.call('items.search_org', {})).numberMatched, before + 1)

  for (const role of ['viewer', 'editor', 'outsider']) {
    await assert.rejects(people[role]!.client.call('projects.delete', { project_id: made.project }), { status: 403 })
  }
  const gone = await client.call('projects.delete', { project_id })
  assert.ok(gone.storage_freed_bytes > 0)
  await assert.rejects(client.call('projects.get', { project_id }), { status: 404 })
  await assert.rejects(client.call('items.get', { item_id }), { status: 404 })
  // Paid orders stay readable.
  assert.equal((await client.call('orders.get', { order_id: placed.id })).status, 'FULFILLED')
  assert.equal((await client.call('items.search_org', {})).numberMatched, before)
  const lineage = await client.call('provenance.get', { entity_type: 'item', entity_id: item_id })
  assert.equal(lineage.nodes.find((node) => node.entity_id === item_id)?.deleted, true)
  assert.ok(lineage.nodes.some((node) => node.entity_type === 'capture' && node.entity_id === 'commercial:naip-va-17n'))
  await assertBooks(house)
})

test('a removed member loses access to the project at once', async () => {
  const { client } = made.owner
  const editor = people['editor']!
  const order_id = await placeScenes(editor.client, 'open', [scene])
  await waitForOrder(editor.client, order_id, 'FULFILLED')
  await client.call('projects.remove_member', { project_id: made.project, user_id: editor.user })
  for (const act of [
    () => editor.client.call('projects.get', { project_id: made.project }),
    () => editor.client.call('orders.get', { order_id }),
    () => editor.client.call('orders.list_assets', { order_id }),
  ]) {
    await assert.rejects(act(), { status: 403, problem: 'not-a-member' })
  }
})
