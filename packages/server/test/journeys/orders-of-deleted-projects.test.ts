import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { ApiProblem } from '@swath/client/problem.ts'
import { smallScenes } from '../hosts/faulty-host.ts'
import { findCaptures, waitForOrder, type OrderJson } from '../orders.ts'
import { createTestOrganization, type TestUser, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
let orderer: TestUser
let colleague: TestUser
let paidOrder: OrderJson
const freeScene = 'l8-stormlake-20200829'

before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app, 100_000)
  orderer = await org.addMember('member')
  colleague = await org.addMember('member')
  for (const { user } of [orderer, colleague]) {
    await org.owner.client.call('projects.add_member', { project_id: org.project, user_id: user, role: 'editor' })
  }
})
after(() => app?.close())

test('an order of several products stores a licence for each capture', async () => {
  const { client } = orderer
  const captures = [
    ...(await findCaptures(client, 'open', [freeScene])),
    ...(await findCaptures(client, 'commercial', smallScenes.slice(0, 1))),
  ]
  const { id } = await client.call('orders.archive.place', { captures, projectId: org.project })
  paidOrder = await waitForOrder(client, id, 'FULFILLED')
  assert.equal((await client.call('orders.get', { order_id: id })).licenseType, null)
  const { features } = await client.call('orders.list_assets', { order_id: id })
  const licences = new Map<unknown, unknown>()
  for (const { item_id } of features) {
    const { properties, links } = await client.call('items.get_stac', { item_id })
    assert.match(links.find(({ rel }) => rel === 'license')?.href ?? '', /^https:/)
    assert.doesNotMatch(String(properties['attribution']), /Copernicus|[{}]/)
    licences.set(properties['service:scene_id'], [properties['license'], properties['service:licence']])
  }
  assert.deepEqual(licences.get(freeScene), ['PDDL-1.0', 'PDDL-1.0'])
  assert.deepEqual(licences.get(smallScenes[0]), ['proprietary', 'standard'])
  const extendedOrder = await client.call('orders.archive.place', {
    captures,
    projectId: org.project,
    licenseType: 'extended',
  })
  await waitForOrder(client, extendedOrder.id, 'FULFILLED')
  assert.equal((await client.call('orders.get', { order_id: extendedOrder.id })).licenseType, 'extended')
})

test('an order of a deleted project stays readable for administrators and for the user who placed it', async () => {
  const { client: owner } = org.owner
  const admin = await org.addMember('admin')
  const { key } = await owner.call('api_keys.create', { name: 'Accounting', permissions: ['can_read'] })
  await owner.call('projects.delete', { project_id: org.project })
  const countOrders = (client: Client, input: { workspaceId?: string } = {}): Promise<number> =>
    client.call<{ totalElements: number }>('orders.list', input).then(({ totalElements }) => totalElements)

  for (const client of [owner, admin.client, orderer.client]) {
    const order = await client.call<OrderJson>('orders.get', { order_id: paidOrder.id })
    assert.deepEqual(order, paidOrder)
    assert.ok(order.creditsCaptured > 0)
    assert.equal(await countOrders(client), 2)
    assert.equal(await countOrders(client, { workspaceId: org.project }), 2)
    const manifest = await client.call('orders.list_assets', { order_id: paidOrder.id })
    assert.deepEqual([manifest.item_count, manifest.features], [0, []])
    await assert.rejects(client.call('orders.cancel', { order_id: paidOrder.id }), { status: 409 })
  }
  const keyResponse = await fetch(`${app.url}/v1/orders/get?order_id=${paidOrder.id}`, {
    headers: { 'x-api-key': key },
  })
  assert.equal(keyResponse.status, 200)

  assert.equal(await countOrders(colleague.client), 0)
  assert.equal(await countOrders(colleague.client, { workspaceId: org.project }), 0)
  await assert.rejects(colleague.client.call('orders.get', { order_id: paidOrder.id }), (problem: ApiProblem) => {
    assert.equal(problem.problem, 'not-a-member')
    return true
  })
  const otherOrg = await createTestOrganization(app, 0)
  await assert.rejects(otherOrg.owner.client.call('orders.get', { order_id: paidOrder.id }), { status: 404 })
  await assert.rejects(countOrders(otherOrg.owner.client, { workspaceId: org.project }), { status: 404 })
})
