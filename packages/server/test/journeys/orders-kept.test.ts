import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { ApiProblem } from '@swath/client/problem.ts'
import { smallScenes } from '../hosts/faulty-host.ts'
import { capturesOf, waitForOrder, type ReadOrder } from '../orders.ts'
import { makeOrganization, type Person, type TestOrganization } from '../people.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

let house: TestHouse
let made: TestOrganization
let placer: Person
let colleague: Person
let paid: ReadOrder
const free = 'l8-stormlake-20200829'

before(async () => {
  house = await bootHouse()
  made = await makeOrganization(house, 100_000)
  placer = await made.join('member')
  colleague = await made.join('member')
  for (const { user } of [placer, colleague]) {
    await made.owner.client.call('projects.add_member', { project_id: made.project, user_id: user, role: 'editor' })
  }
})
after(() => house?.close())

test('an order of several products stores a licence for each capture', async () => {
  const { client } = placer
  const captures = [
    ...(await capturesOf(client, 'open', [free])),
    ...(await capturesOf(client, 'commercial', smallScenes.slice(0, 1))),
  ]
  const { id } = await client.call('orders.archive.place', { captures, projectId: made.project })
  paid = await waitForOrder(client, id, 'FULFILLED')
  assert.equal((await client.call('orders.get', { order_id: id })).licenseType, null)
  const { features } = await client.call('orders.list_assets', { order_id: id })
  const licences = new Map<unknown, unknown>()
  for (const { item_id } of features) {
    const { properties, links } = await client.call('items.get_stac', { item_id })
    assert.match(links.find(({ rel }) => rel === 'license')?.href ?? '', /^https:/)
    assert.doesNotMatch(String(properties['attribution']), /Copernicus|[{}]/)
    licences.set(properties['service:scene_id'], [properties['license'], properties['service:licence']])
  }
  assert.deepEqual(licences.get(free), ['PDDL-1.0', 'PDDL-1.0'])
  assert.deepEqual(licences.get(smallScenes[0]), ['proprietary', 'standard'])
  const asked = await client.call('orders.archive.place', {
    captures,
    projectId: made.project,
    licenseType: 'extended',
  })
  await waitForOrder(client, asked.id, 'FULFILLED')
  assert.equal((await client.call('orders.get', { order_id: asked.id })).licenseType, 'extended')
})

test('an order of a deleted project stays readable for administrators and for the user who placed it', async () => {
  const { client: owner } = made.owner
  const admin = await made.join('admin')
  const { key } = await owner.call('api_keys.create', { name: 'Books', permissions: ['can_read'] })
  await owner.call('projects.delete', { project_id: made.project })
  const seen = (client: Client, input: { workspaceId?: string } = {}): Promise<number> =>
    client.call<{ totalElements: number }>('orders.list', input).then(({ totalElements }) => totalElements)

  for (const client of [owner, admin.client, placer.client]) {
    const order = await client.call<ReadOrder>('orders.get', { order_id: paid.id })
    assert.deepEqual(order, paid)
    assert.ok(order.creditsCaptured > 0)
    assert.equal(await seen(client), 2)
    assert.equal(await seen(client, { workspaceId: made.project }), 2)
    const manifest = await client.call('orders.list_assets', { order_id: paid.id })
    assert.deepEqual([manifest.item_count, manifest.features], [0, []])
    await assert.rejects(client.call('orders.cancel', { order_id: paid.id }), { status: 409 })
  }
  const byKey = await fetch(`${house.url}/v1/orders/get?order_id=${paid.id}`, { headers: { 'x-api-key': key } })
  assert.equal(byKey.status, 200)

  assert.equal(await seen(colleague.client), 0)
  assert.equal(await seen(colleague.client, { workspaceId: made.project }), 0)
  await assert.rejects(colleague.client.call('orders.get', { order_id: paid.id }), (problem: ApiProblem) => {
    assert.equal(problem.problem, 'not-a-member')
    return true
  })
  const stranger = await makeOrganization(house, 0)
  await assert.rejects(stranger.owner.client.call('orders.get', { order_id: paid.id }), { status: 404 })
  await assert.rejects(seen(stranger.owner.client, { workspaceId: made.project }), { status: 404 })
})
