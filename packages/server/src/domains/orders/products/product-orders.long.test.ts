import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { InputOf, OutputOf } from '@swath/client/operations.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { createFaultyHost, smallScenes } from '../../../../test/hosts/faulty-host.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import {
  findCaptures,
  findDataProduct,
  getEntityEvents,
  getWalletBalance,
  toProductOrder,
  waitForOrder,
  type CaptureInput,
  type ProductOrderInput,
} from '../../../../test/orders.ts'
import { startTestApp, immediateRetries, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../../test/test-organizations.ts'
import { updateBillingPlan } from '../../../../test/billing-helpers.ts'
import { newId } from '../../../platform/ids.ts'

const [scene, otherScene] = smallScenes

let app: TestApp
let org: TestOrganization
let client: Client
let capture: CaptureInput
before(async () => {
  app = await startTestApp({ background: immediateRetries, hosts: [await createFaultyHost('good')] })
  org = await createTestOrganization(app, 100_000)
  client = org.owner.client
  capture = (await findCaptures(client, 'good', [scene]))[0]!
})
after(() => app?.close())

type PlaceOutput = OutputOf<'orders.place'>

const point = { type: 'Point', coordinates: [1, 2] }
const away = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] } // prettier-ignore

/** The input of `orders.place` for the scene, in the project of the organization. */
async function placement(areas?: readonly Record<string, unknown>[], { project, owner } = org) {
  const order = await toProductOrder(owner.client, capture, areas)
  return { ...order, workspaceId: project } as InputOf<'orders.place'> & ProductOrderInput
}

const countOrders = async (caller: Client): Promise<number> => (await caller.call('orders.list', {})).totalElements

/** The paths of the validation errors of a rejected call. */
async function errorPaths(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => assert.fail('the call was accepted'),
    (problem: ApiProblem) => problem,
  )
  assert.equal(error.problem, 'validation')
  return (error.document['errors'] as { path: string }[]).map(({ path }) => path)
}

test('the schema of a product is JSON Schema (draft-07) with its licences and no fee for cancelling', async () => {
  const dataProduct = await findDataProduct(client, 'good', 'naip')
  const output = await client.call('orders.get_schema', { data_product_id: dataProduct.toUpperCase() })
  assert.equal(output.data_product_id, dataProduct)
  assert.deepEqual(output.cancel_policy, { cancellable_until: 'PLACED', fee_pct: 0 })
  const schema = output.schema as {
    $schema: string
    required: string[]
    properties: Record<string, { enum: string[] }>
  }
  assert.equal(schema.$schema, 'http://json-schema.org/draft-07/schema#')
  assert.deepEqual(schema.required, ['id'])
  const { data_product } = await client.call('glossary.data_products.get', { data_product_name: 'good:naip' })
  assert.deepEqual(schema.properties['licenseType']!.enum, data_product.licences)
  await assert.rejects(client.call('orders.get_schema', { data_product_id: newId() }), { problem: 'not-found' })
})

test('parameters that the schema of the product does not accept are refused with their path', async () => {
  const order = await placement()
  const rows: readonly [params: Record<string, unknown> | null, paths: string[]][] = [
    [null, ['params.id']],
    [{ id: null }, ['params.id']],
    [{ id: [] }, ['params.id']],
    [{ id: [scene, scene] }, ['params.id']],
    [{ id: scene, licenseType: 'other' }, ['params.licenseType']],
    [{ id: scene, resolution: 1 }, ['params.resolution']],
  ]
  for (const [params, paths] of rows) {
    const { workspaceId: _, ...input } = { ...order, params }
    assert.deepEqual(await errorPaths(client.call('orders.estimate', input as never)), paths, JSON.stringify(params))
    assert.deepEqual(await errorPaths(client.call('orders.place', { ...order, params } as never)), paths)
  }
  const withNulls = { ...order, params: { id: scene, licenseType: null, splitByDate: null } }
  assert.equal((await client.call('orders.place', { ...withNulls, dry_run: true })).results.length, 1)
})

test('an estimate needs a product and features, and has no more captures than an order', async () => {
  const { workspaceId: _, ...order } = await placement()
  await assert.rejects(client.call('orders.estimate', { ...order, dataProduct: newId() }), { problem: 'not-found' })
  const empty = { type: 'FeatureCollection', features: [] }
  for (const featureCollection of [{}, null, empty])
    assert.deepEqual(await errorPaths(client.call('orders.estimate', { ...order, featureCollection } as never)), [
      'featureCollection',
    ])
  const ids = Array.from({ length: 600 }, (_each, index) => `scene-${index}`)
  const { featureCollection } = await placement([capture.geometry, capture.geometry])
  const tooMany = client.call('orders.estimate', { ...order, params: { id: ids }, featureCollection } as never)
  assert.deepEqual(await errorPaths(tooMany), ['featureCollection'])
  const features = Array.from({ length: 101 }, () => featureCollection.features[0]!)
  const tooLong = { ...order, featureCollection: { ...featureCollection, features } }
  assert.deepEqual(await errorPaths(client.call('orders.estimate', tooLong as never)), ['featureCollection.features'])
})

test('an estimate prices each feature as the archive estimate does, and has an error for each of the others', async () => {
  const multi = { type: 'MultiPolygon', coordinates: [capture.geometry['coordinates']] }
  const { workspaceId: _, ...order } = await placement([point, capture.geometry, away, multi])
  const { features } = order.featureCollection
  const featureCollection = { ...order.featureCollection, features: [...features, { type: 'Feature', geometry: null }] }
  const estimate = await client.call('orders.estimate', { ...order, featureCollection } as never)
  const archive = await client.call('orders.archive.estimate', { captures: [capture] as never })
  const credits = archive.total_credits
  const size = archive.groups[0]!.aoi_km2
  assert.deepEqual(estimate.results, [
    { index: 1, credits, size, unit: 'SQ_KM' },
    { index: 3, credits, size, unit: 'SQ_KM' },
  ])
  assert.equal(estimate.summary.totalCredits, 2 * credits)
  assert.equal(estimate.total_aud, (2 * credits) / 100)
  assert.ok(Math.abs(estimate.summary.totalSize - 2 * size) < 1e-6)
  assert.deepEqual(
    estimate.errors.map(({ index, details }) => [index, details]),
    [
      [0, `not-a-polygon: ${scene}`],
      [2, `outside-footprint: ${scene}`],
      [4, 'not-a-polygon'],
    ],
  )
  for (const error of estimate.errors) assert.deepEqual(Object.keys(error).toSorted(), ['details', 'index', 'message'])
  assert.equal(await countOrders(client), 0)
})

test('several scenes are one order, priced by date if the parameters request it', async () => {
  const areas = [capture.geometry]
  const { workspaceId: _, ...order } = await placement(areas)
  const captures = smallScenes.map((id) => ({ id, host: 'good', geometry: capture.geometry }))
  for (const splitByDate of [false, true]) {
    const params = { id: [...smallScenes], splitByDate }
    const { results, errors } = await client.call('orders.estimate', { ...order, params })
    const expected = await client.call('orders.archive.estimate', { captures, splitByDate })
    assert.deepEqual(errors, [])
    assert.deepEqual(
      results.map(({ credits }) => credits),
      [expected.total_credits],
    )
  }
})

test('with `partial` each feature that can be ordered is one order, and all their holds are written together', async () => {
  const { owner, project, organization } = await createTestOrganization(app, 100_000)
  const order = { ...(await placement([capture.geometry, point, capture.geometry])), workspaceId: project }
  const { results, errors, orders } = await owner.client.call('orders.place', {
    ...order,
    params: { id: scene, licenseType: 'extended' },
    displayName: 'Harvest',
    tags: ['wheat'],
    partial: true,
  })
  assert.deepEqual([results.map(({ index }) => index), errors.map(({ index }) => index)], [[0, 2], [1]])
  for (const result of results) assert.deepEqual(Object.keys(result).toSorted(), ['id', 'index'])
  assert.deepEqual(
    orders.map(({ id }) => id),
    results.map(({ id }) => id),
  )
  const total_credits = orders.reduce((sum, { totalCredits }) => sum + totalCredits, 0)
  for (const { id } of results) {
    const placed = await owner.client.call('orders.get', { order_id: id })
    const { displayName, tags, licenseType, dataProductId, projectId, organizationId } = placed
    assert.deepEqual([displayName, tags, licenseType], ['Harvest', ['wheat'], 'extended'])
    assert.deepEqual([dataProductId, projectId], [order.dataProduct, project])
    assert.equal(organizationId, organization)
    assert.deepEqual(placed.captures[0]!.geometry, capture.geometry)
    assert.equal((await getEntityEvents(owner.client, id))[0]!.event_type, 'order.created')
  }
  for (const { id } of results) await waitForOrder(owner.client, id, 'FULFILLED')
  assert.deepEqual(await getWalletBalance(owner.client), { available: 100_000 - total_credits, held: 0 })
  await assertLedgerConsistent(app)
})

test('without `partial` one feature that cannot be ordered refuses the call, and nothing is written', async () => {
  const { owner, project } = await createTestOrganization(app, 100_000)
  const order = { ...(await placement([capture.geometry, point])), workspaceId: project }
  assert.deepEqual(await errorPaths(owner.client.call('orders.place', order)), ['featureCollection.features.1'])
  assert.equal(await countOrders(owner.client), 0)
  assert.deepEqual(await getWalletBalance(owner.client), { available: 100_000, held: 0 })
})

test('a budget is the project of the order or the caller; anything else is refused, and lists find orders by it', async () => {
  const { owner, project } = await createTestOrganization(app, 100_000)
  const other = await createTestOrganization(app, 0)
  const order = { ...(await placement()), workspaceId: owner.user }
  const placeIn = async (budgetId: string) =>
    (await owner.client.call('orders.place', { ...order, budgetId })).results[0]!.id
  const second = (await owner.client.call('projects.create', { name: 'Second' })).id
  const [inSecond, ownOrder] = [await placeIn(second), await placeIn(owner.user)]
  const projectOf = async (order_id: string) => (await owner.client.call('orders.get', { order_id })).projectId
  assert.deepEqual([await projectOf(inSecond), await projectOf(ownOrder)], [second, project])
  await assert.rejects(placeIn(other.project), { problem: 'not-found' })
  const inAnother = owner.client.call('orders.place', { ...order, workspaceId: project, budgetId: second })
  assert.deepEqual(await errorPaths(inAnother), ['budgetId'])
  const { content } = await owner.client.call('orders.list', { budgetIds: `${second},${newId()}` })
  assert.deepEqual(
    content.map(({ id }) => id),
    [inSecond],
  )
  const moved = owner.client.call('orders.update', { order_id: inSecond, budgetId: project })
  await assert.rejects(moved, { problem: 'invalid-state', status: 409 })
  const usage = await owner.client.call('billing.budgets.usage', { budget_id: second })
  assert.ok(usage.consumedCredits > 0)
  await assert.rejects(other.owner.client.call('billing.budgets.get', { budget_id: second }), { problem: 'not-found' })
})

test('a call with `partial` whose features are all refused has errors only and writes nothing', async () => {
  const { owner, project } = await createTestOrganization(app, 0)
  const order = { ...(await placement([point, away])), workspaceId: project, partial: true }
  const output = await owner.client.call('orders.place', order)
  assert.deepEqual([output.results, output.orders], [[], []])
  assert.deepEqual(
    output.errors.map(({ index }) => index),
    [0, 1],
  )
  const unknown = await owner.client.call('orders.place', { ...order, params: { id: 'no such scene' } })
  assert.equal(unknown.errors[0]!.details, 'unknown-capture: no such scene')
  assert.equal(await countOrders(owner.client), 0)
})

test('without the credits for all features nothing is ordered', async () => {
  const { total_credits } = await client.call('orders.archive.estimate', { captures: [capture] as never })
  const poor = await createTestOrganization(app, 2 * total_credits - 1)
  await updateBillingPlan(app, poor.organization, 'prepaid')
  const order = { ...(await placement([capture.geometry, capture.geometry])), workspaceId: poor.project }
  await assert.rejects(poor.owner.client.call('orders.place', order), { problem: 'insufficient-credits', status: 402 })
  assert.equal(await countOrders(poor.owner.client), 0)
  assert.deepEqual(await getWalletBalance(poor.owner.client), { available: 2 * total_credits - 1, held: 0 })
})

test('max_credits limits the sum of the orders, a spend limit per order each of them, and then nothing is written', async () => {
  const rich = await createTestOrganization(app, 100_000)
  const { total_credits } = await client.call('orders.archive.estimate', { captures: [capture] as never })
  const order = { ...(await placement([capture.geometry, capture.geometry])), workspaceId: rich.project }
  const isOverLimit = { problem: 'spend-limit-exceeded', status: 403 }
  const caller = rich.owner.client
  await assert.rejects(caller.call('orders.place', { ...order, max_credits: 2 * total_credits - 1 }), isOverLimit)
  const buyer = await rich.addMember('admin')
  await caller.call('projects.add_member', { project_id: rich.project, user_id: buyer.user, role: 'editor' })
  const setLimits = (limits: object) =>
    caller.call('organizations.members.set_spend_limit', { userId: buyer.user, ...limits })
  await setLimits({ perOrderLimitCredits: total_credits, spendLimitCredits: 2 * total_credits - 1 })
  await assert.rejects(buyer.client.call('orders.place', order), isOverLimit)
  await setLimits({ perOrderLimitCredits: total_credits - 1, spendLimitCredits: null })
  await assert.rejects(buyer.client.call('orders.place', order), isOverLimit)
  assert.equal(await countOrders(caller), 0)
  assert.deepEqual(await getWalletBalance(caller), { available: 100_000, held: 0 })
  await setLimits({ perOrderLimitCredits: total_credits, spendLimitCredits: 2 * total_credits })
  assert.equal((await buyer.client.call('orders.place', order)).results.length, 2)
})

test('a dry run names the hold of each order and writes nothing', async () => {
  const { owner, project } = await createTestOrganization(app, 100_000)
  const order = { ...(await placement([capture.geometry, away, capture.geometry])), workspaceId: project }
  const { dry_run, results, errors, orders } = await owner.client.call('orders.place', {
    ...order,
    partial: true,
    dry_run: true,
  })
  assert.deepEqual([results.length, errors.length], [2, 1])
  assert.deepEqual(
    dry_run!.entries.map(({ kind, amount_credits }) => [kind, -amount_credits]),
    orders.map(({ totalCredits }) => ['hold', totalCredits]),
  )
  assert.equal(await countOrders(owner.client), 0)
  assert.deepEqual(await getWalletBalance(owner.client), { available: 100_000, held: 0 })
})

test('a repeated call with the same key returns the same orders and errors', async () => {
  const { owner, project } = await createTestOrganization(app, 100_000)
  const order = { ...(await placement([capture.geometry, point])), workspaceId: project }
  const idempotencyKey = newId()
  const place = (): Promise<PlaceOutput> =>
    owner.client.call('orders.place', { ...order, partial: true }, { idempotencyKey })
  const [first, second] = [await place(), await place()]
  assert.deepEqual(second, first)
  assert.equal(await countOrders(owner.client), 1)
})

test('a quote is one order at its price; it must be of the product, and sets the scenes and areas', async () => {
  const { owner, project } = await createTestOrganization(app, 100_000)
  const { dataProduct, params, featureCollection } = await placement()
  const { quote_id, total_credits } = await owner.client.call('orders.quote', { captures: [capture] as never })
  const place = (input: object) =>
    owner.client.call('orders.place', { workspaceId: project, dataProduct, quote_id, ...input } as never)
  await assert.rejects(place({ params }), { problem: 'conflicting-parameters' })
  await assert.rejects(place({ featureCollection }), { problem: 'conflicting-parameters' })
  const { results, orders } = await place({})
  assert.deepEqual(
    [results.map(({ index }) => index), orders.map(({ totalCredits }) => totalCredits)],
    [[0], [total_credits]],
  )
  await assert.rejects(place({}), { problem: 'invalid-state' })
})

test('a quote or a scene of another product is refused', async () => {
  const { client: stranger } = org.owner
  const [foreign] = (await stranger.call('catalog.search', { host_name: 'open', limit: 1 })).features
  const geometry = foreign!.geometry as unknown as Record<string, unknown>
  const { quote_id } = await stranger.call('orders.quote', {
    captures: [{ id: foreign!.id, host: 'open', geometry }] as never,
  })
  const order = await placement()
  const quoted = { workspaceId: org.project, dataProduct: order.dataProduct, quote_id }
  assert.deepEqual(await errorPaths(stranger.call('orders.place', quoted)), ['quote_id'])
  // A scene of the same host in another collection.
  const products = (await stranger.call('glossary.data_products.list', { size: 100 })).content
  const other = products.find(
    ({ host_name, collection }) => host_name === 'open' && collection !== foreign!.collection,
  )!
  const input = await toProductOrder(stranger, { id: foreign!.id, host: 'open', geometry })
  const { errors, results } = await stranger.call('orders.estimate', { ...input, dataProduct: other.id } as never)
  assert.deepEqual(results, [])
  assert.equal(errors[0]!.details, `unknown-capture: ${foreign!.id}`)
})

test('the id of the calling user as workspaceId is the oldest project of the caller', async () => {
  const order = await placement()
  const { results } = await client.call('orders.place', { ...order, workspaceId: org.owner.user })
  const { projectId } = await client.call('orders.get', { order_id: results[0]!.id })
  assert.equal(projectId, org.project)
  const { content } = await client.call('orders.list', { workspaceId: org.owner.user })
  assert.ok(content.some(({ id }) => id === results[0]!.id))
  const other = await createTestOrganization(app, 0)
  const elsewhere = client.call('orders.place', { ...order, workspaceId: other.owner.user })
  await assert.rejects(elsewhere, { problem: 'not-found' })
})

test('an archive order has the data product of its scenes, none if they have different ones, and is found by it', async () => {
  const { owner } = await createTestOrganization(app, 100_000)
  const dataProduct = await findDataProduct(client, 'good', 'naip')
  const [free] = (await client.call('catalog.search', { host_name: 'open', limit: 1 })).features
  const open = { id: free!.id, host: 'open', geometry: free!.geometry }
  const { id } = await owner.client.call('orders.archive.place', { captures: [capture] as never })
  const mixed = await owner.client.call('orders.archive.place', { captures: [capture, open] as never })
  assert.equal((await owner.client.call('orders.get', { order_id: id })).dataProductId, dataProduct)
  assert.equal((await owner.client.call('orders.get', { order_id: mixed.id })).dataProductId, null)
  const { content } = await owner.client.call('orders.list', { dataProductIds: dataProduct })
  assert.deepEqual(
    content.map((order) => order.id),
    [id],
  )
})

test('the coverage groups of an order are its dates, each with its delivered part', async () => {
  const captures = await findCaptures(client, 'good', [scene, otherScene])
  const { id } = await client.call('orders.archive.place', { captures: captures as never })
  await waitForOrder(client, id, 'FULFILLED')
  const { groups, total } = await client.call('orders.coverage.groups.list', { order_id: id })
  const whole = await client.call('orders.coverage.get', { order_id: id })
  const order = await client.call('orders.get', { order_id: id })
  const dates = new Set(order.captures.map(({ datetime }) => datetime.slice(0, 10)))
  assert.deepEqual(
    groups.map(({ date }) => date),
    [...dates].toSorted(),
  )
  assert.equal(total, groups.length)
  assert.deepEqual(groups.flatMap((group) => group.captures).toSorted(), [scene, otherScene].toSorted())
  assert.deepEqual(
    groups.flatMap(({ item_ids }) => item_ids).toSorted(),
    order.captures.map(({ item_id }) => item_id).toSorted(),
  )
  for (const { covered, remainder } of groups) assert.deepEqual([covered.percentage, remainder.sqKmArea], [100, 0])
  const covered_km2 = groups.reduce((sum, { covered }) => sum + covered.sqKmArea, 0)
  assert.ok(covered_km2 >= whole.covered.sqKmArea - 0.001)
  const stranger = await createTestOrganization(app, 0)
  await assert.rejects(stranger.owner.client.call('orders.coverage.groups.list', { order_id: id }), {
    problem: 'not-found',
  })
})
