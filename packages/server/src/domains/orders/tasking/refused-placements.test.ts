import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { InputOf } from '@swath/client/operations.ts'
import { limits } from '@swath/contract/limits.ts'
import { createManualClock } from '../../../platform/clock.ts'
import { square } from '../../../../test/geometries.ts'
import { createTaskingHost, type TestTaskingHost } from '../../../../test/hosts/tasking-host.ts'
import { assertUnchanged } from '../../../../test/ledger-assertions.ts'
import { immediateRetries, startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../../test/test-organizations.ts'

const agreement = {
  name: 'standard',
  title: 'Standard licence',
  documents: [
    { version: '1', valid_from: new Date(0), language: 'en', media_type: 'text/plain', content: 'Internal use.' },
  ],
}

/** A host whose products need a licence agreement; it counts the requests for passes. */
async function createLicensedHost(name: string) {
  const host = await createTaskingHost(name)
  const asked = { count: 0 }
  const opportunities: typeof host.tasking.opportunities = async (...request) => {
    asked.count++
    return host.tasking.opportunities(...request)
  }
  const products = host.tasking.products.map((product) => ({ ...product, eula: agreement.name }))
  return { ...host, eulas: [agreement], tasking: { ...host.tasking, products, opportunities }, asked }
}

let app: TestApp
let org: TestOrganization
let free: TestTaskingHost
let licensed: Awaited<ReturnType<typeof createLicensedHost>>
const area = square(10, 50, 0.1)
before(async () => {
  // Passes begin every twelve hours.
  const clock = createManualClock(new Date('2026-03-01T09:30:00Z'))
  free = await createTaskingHost('free')
  licensed = await createLicensedHost('licensed')
  app = await startTestApp({ hosts: [free, licensed], clock, background: immediateRetries })
})
after(() => app?.close())
beforeEach(async () => {
  org = await createTestOrganization(app, 1_000_000)
})

/** The input of `orders.place` for an area, which is ordered as far as it can be. */
const toProductOrder = (dataProduct: string, params: Record<string, unknown> = {}) => {
  const featureCollection = { type: 'FeatureCollection', features: [{ type: 'Feature', geometry: area }] }
  const request = {
    workspaceId: org.project,
    dataProduct,
    displayName: 'Area',
    params,
    featureCollection,
    partial: true,
  }
  return request as unknown as InputOf<'orders.place'>
}

test('a host is not asked for passes before its agreement is accepted', async () => {
  const { client } = org.owner
  const placeAreas = (displayName = 'Areas') =>
    client.call<{ id: string }>('orders.tasking.place', {
      dataProduct: 'licensed:direct',
      displayName,
      groups: [{ geometry: area }],
    })
  const placeFeatures = () => client.call('orders.place', toProductOrder('licensed:direct'))
  await assertUnchanged(app, async () => {
    for (const place of [placeAreas, placeFeatures]) await assert.rejects(place(), { problem: 'eula-not-accepted' })
  })
  assert.equal(licensed.asked.count, 0)
  const { content } = await client.call('eulas.list', {})
  const eula_id = content[0]!.id
  const documents = await client.call('eulas.documents.list', { eula_id })
  await client.call('eulas.document.accept', { eula_id, document_id: documents.content[0]!.id, is_accepted: true })
  assert.ok((await placeAreas()).id)
  assert.equal((await placeFeatures()).results.length, 1)
  assert.ok(licensed.asked.count > 0)
})

test('a feature without a pass has the reason as its code, and a message without a path of another operation', async () => {
  const { client } = org.owner
  const end = (hour: number) => `2026-03-01T${hour}:00:00Z`
  free.occupiedPasses.add(0)
  for (const [params, error] of [
    [
      { acquisitionEnd: end(11) },
      { details: 'no-opportunity', message: 'No satellite can acquire the area within the window.' },
    ],
    [
      { opportunityId: 'pass-unknown' },
      { details: 'unknown-opportunity', message: 'The opportunityId is not a pass of the window.' },
    ],
    [
      { opportunityId: 'pass-2026-03-01T12:00:00.000Z' },
      {
        details: 'invalid-state',
        message: 'The pass is occupied by the task task-of-somebody of the same satellite.',
      },
    ],
  ] as const) {
    const { results, errors } = await client.call('orders.place', toProductOrder('free:direct', params))
    assert.deepEqual([results, errors], [[], [{ index: 0, ...error }]])
  }
})

test('the name among the parameters of an order has the limit of a name, also if each area has one of its own', async () => {
  const { client } = org.owner
  const place = (length: number) =>
    client.call<{ id: string }>('orders.tasking.place', {
      dataProduct: 'free:direct',
      displayName: '',
      groups: [{ geometry: area, params: { displayName: 'Own' } }],
      params: { displayName: 'n'.repeat(length) },
    })
  const { id } = await place(limits.max_name_length)
  assert.equal((await client.call('orders.get', { order_id: id })).displayName.length, limits.max_name_length)
  await assert.rejects(place(limits.max_name_length + 1), (error: { problem: string; document: object }) => {
    assert.equal(error.problem, 'validation')
    assert.match(JSON.stringify(error.document), /"path":"params\.displayName"/)
    return true
  })
})
