import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { hour_ms } from '@swath/geo/time-units.ts'
import type { Client } from '@swath/client/client.ts'
import { writeLicensedArchive } from '../../../test/hosts/licensed-hosts.ts'
import { assertLedgerConsistent } from '../../../test/ledger-assertions.ts'
import { findCaptures, waitForOrder } from '../../../test/orders.ts'
import { administratorCredentials, hoursFromNow, startTestApp, type TestApp } from '../../../test/test-app.ts'
import {
  createTestOrganization,
  createTestUser,
  testPassword,
  type TestOrganization,
  type TestUser,
} from '../../../test/test-organizations.ts'
import { createOrganizationClocks } from '../../platform/clock.ts'
import { sql } from '../../platform/database/sql.ts'

let clock_offset_ms = 0
const clock = createOrganizationClocks({ now: () => new Date(Date.now() + clock_offset_ms) })
const documents = [{ version: '1', valid_from: '2020-01-01', text: 'Internal use.' }]

let app: TestApp
let folder: string
let org: TestOrganization
let secondUser: TestUser
/** Two operators, and the owner of an organization. */
let first: Client
let second: Client
let client: Client

function moveClock(hours: number): void {
  clock_offset_ms += hours * hour_ms
  first = app.createClientFor(administratorCredentials.username, administratorCredentials.password)
  second = app.createClientFor(secondUser.email, testPassword)
  client = app.createClientFor(org.owner.email, testPassword)
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-products-'))
  const environment = { CATALOG_HOSTS_FILE: await writeLicensedArchive(folder, documents) }
  app = await startTestApp({ clock, environment })
  secondUser = await createTestUser(app)
  await app.database.unscoped.query(sql`update users set is_administrator = true where id = ${secondUser.user}`)
  org = await createTestOrganization(app, 1_000_000)
  moveClock(0)
})
after(async () => {
  await app?.close()
  await rm(folder, { recursive: true })
})

const product = 'commercial:naip'
const reason = 'The terms of the year.'

interface Version {
  readonly id: string
  readonly version: number
  readonly status: string
  readonly needs_approval: boolean
  readonly in_force: boolean
  readonly changes: Readonly<Record<string, unknown>>
}

const add = (changes: object, hours: number, data_product_name = product): Promise<Version> =>
  first.call('admin.data_products.versions.create', {
    data_product_name,
    ...changes,
    effective_from: hoursFromNow(app, hours),
    reason,
  })

const approve = (operator: Client, { id }: Version): Promise<Version> =>
  operator.call('admin.data_products.versions.approve', { version_id: id, reason })

const listVersions = async (data_product_name = product): Promise<Version[]> =>
  (await first.call<{ versions: Version[] }>('admin.data_products.versions.list', { data_product_name })).versions

const captures = (): ReturnType<typeof findCaptures> => findCaptures(client, 'commercial', ['naip-va-17n'])
const estimate = async () => client.call('orders.archive.estimate', { captures: await captures() })
const findProduct = async (name: string) =>
  (await client.call('glossary.data_products.list', {})).content.find((one) => one.name === name)

test('minimum and licences are decided by another operator, and hold for orders from the effective date on', async () => {
  const declared_credits = (await estimate()).total_credits
  const order = await client.call('orders.archive.place', { captures: await captures(), licenseType: 'extended' })
  const requested = await add({ minimum_km2: 100_000, licences: ['standard'] }, 0.1)
  assert.deepEqual([requested.version, requested.status, requested.needs_approval], [1, 'pending', true])
  await assert.rejects(approve(first, requested), { problem: 'forbidden' })
  const missed = await add({ minimum_km2: 7 }, 0.1)
  const approved = await approve(second, requested)
  assert.deepEqual([approved.status, approved.in_force], ['approved', false])
  await assert.rejects(approve(second, requested), { problem: 'already-decided' })
  assert.equal((await estimate()).total_credits, declared_credits, 'its effective date is not reached')
  moveClock(0.15)
  await assert.rejects(approve(second, missed), { problem: 'invalid-state' })
  await first.call('admin.data_products.versions.reject', { version_id: missed.id, reason })
  assert.deepEqual(
    (await listVersions()).map(({ version, status, in_force }) => [version, status, in_force]),
    [
      [2, 'rejected', false],
      [1, 'approved', true],
    ],
  )
  assert.equal((await estimate()).lines[0]?.minimum_km2, 100_000)
  const { data_products } = await first.call<{ data_products: { name: string; version: number; terms: object }[] }>(
    'admin.data_products.list',
    { limit: 100 },
  )
  const listed = data_products.find(({ name }) => name === product)
  assert.equal(listed?.version, 1)
  assert.deepEqual((await findProduct(product))?.licences, ['standard'])
  await assert.rejects(
    async () => client.call('orders.archive.place', { captures: await captures(), licenseType: 'extended' }),
    { problem: 'validation' },
  )
  await waitForOrder(client, order.id, 'FULFILLED')
  const fulfilled = await client.call('orders.get', { order_id: order.id })
  assert.deepEqual(
    [fulfilled.licenseType, fulfilled.creditsCaptured, fulfilled.captures[0]?.productVersion],
    ['extended', declared_credits, null],
  )
  const restored = await approve(second, await add({ minimum_km2: null }, 0.1))
  moveClock(0.15)
  const later = await client.call('orders.archive.place', { captures: await captures() })
  const whole = await client.call('orders.get', { order_id: later.id })
  assert.deepEqual(
    [later.totalCredits, whole.licenseType, whole.captures[0]?.productVersion],
    [declared_credits, 'standard', restored.version],
    'what a version does not state stays',
  )
  await waitForOrder(client, later.id, 'FULFILLED')
  await assertLedgerConsistent(app)
})

interface FoundScene {
  readonly collection: string
  readonly geometry: object
  readonly 'service:price': object | null
}

const search = async (more: object = {}): Promise<readonly FoundScene[]> => {
  const input = { host_name: 'commercial', ids: ['naip-va-17n'], ...more }
  return (await client.call<{ features: FoundScene[] }>('catalog.search', input)).features
}

/** Searches of every kind leave out a withdrawn product; the full catalogue has it without a price. */
async function assertNoOfferFound(intersects: object): Promise<void> {
  assert.deepEqual(await search(), [])
  assert.deepEqual(await search({ collections: ['naip'] }), [])
  const [viewed] = await search({ full_catalog: true })
  assert.deepEqual([viewed?.collection, viewed?.['service:price']], ['naip', null])
  const source_ids = ['commercial']
  const federated = await client.call<{ features: FoundScene[] }>('catalog.federated_search', { source_ids })
  assert.ok(!federated.features.some(({ collection }) => collection === 'naip'))
  const { offers } = await client.call<{ offers: { collection: string }[] }>('catalog.compare_prices', {
    source_ids,
    intersects,
  } as never)
  assert.ok(!offers.some(({ collection }) => collection === 'naip'))
}

test('one operator withdraws a product: it is not offered, quotes of it are refused, and earlier orders go on', async () => {
  const chosen = await captures()
  const order = await client.call('orders.archive.place', { captures: chosen })
  const quote = await client.call('orders.quote', { captures: await captures() })
  const [offered] = await search()
  assert.ok(offered?.['service:price'])
  const withdrawn = await add({ is_available: false }, 0.05)
  assert.deepEqual([withdrawn.status, withdrawn.needs_approval], ['approved', false])
  moveClock(0.1)
  assert.equal(await findProduct(product), undefined)
  await assertNoOfferFound(offered.geometry)
  assert.deepEqual(
    (await client.call('orders.archive.estimate', { captures: chosen })).errors.map(({ code }) => code),
    ['not-available'],
  )
  await assert.rejects(client.call('orders.archive.place', { captures: chosen }), { problem: 'validation' })
  await assert.rejects(client.call('orders.archive.place', { quote_id: quote.quote_id }), { problem: 'invalid-state' })
  await waitForOrder(client, order.id, 'FULFILLED')
  await add({ is_available: true }, 0.05)
  moveClock(0.1)
  assert.ok((await search())[0]?.['service:price'])
  assert.deepEqual((await findProduct(product))?.licences, ['standard'], 'the licences of an earlier version hold')
  assert.deepEqual((await estimate()).errors, [])
})

test('a version can require another licence agreement before an order', async () => {
  const name = 'licensed:samples'
  const placeSample = async () =>
    client.call('orders.archive.place', { captures: await findCaptures(client, 'licensed', ['samples']) })
  await placeSample()
  const { content } = await client.call('eulas.list', {})
  const eula_id = content[0]!.id
  const version = await approve(second, await add({ eula_id }, 0.05, name))
  assert.deepEqual(version.changes, { eula_id })
  moveClock(0.1)
  assert.equal((await findProduct(name))?.eulaId, eula_id)
  await assert.rejects(placeSample(), { problem: 'eula-not-accepted' })
})

test('parameters are narrowed for the orders of a product for tasking', async () => {
  const name = 'constellation:tasking-30cm'
  const geometry = { type: 'Polygon', coordinates: [[[10, 50], [10.1, 50], [10.1, 50.1], [10, 50.1], [10, 50]]] } // prettier-ignore
  const estimateWith = async (params: object) => {
    const input = { groups: [{ geometry, dataProduct: name, params }] }
    const { errors } = await client.call<{ errors: { code: string }[] }>('orders.tasking.estimate', input)
    return errors.map(({ code }) => code)
  }
  assert.deepEqual(await estimateWith({ maxCloudCover: 5 }), [])
  await add({ params: { maxCloudCover: { minimum: 20, required: true } } }, 0.05, name)
  moveClock(0.1)
  assert.deepEqual(await estimateWith({ maxCloudCover: 5 }), ['invalid-params'])
  assert.deepEqual(await estimateWith({}), ['invalid-params'])
  assert.deepEqual(await estimateWith({ maxCloudCover: 20 }), [])
  const { id } = (await findProduct(name))!
  const { schema } = await client.call('orders.get_schema', { data_product_id: id })
  const { properties, required } = schema as { properties: Record<string, { minimum?: number }>; required: string[] }
  assert.deepEqual([properties['maxCloudCover']?.minimum, required], [20, ['maxCloudCover']])
  await add({ is_available: false }, 0.05, name)
  moveClock(0.1)
  assert.deepEqual(await estimateWith({ maxCloudCover: 20 }), ['not-available'])
})

test('a term that the product cannot have is refused', async () => {
  const refuse = (changes: object, name = product, hours = 1): Promise<void> =>
    assert.rejects(add(changes, hours, name), { problem: 'validation' })
  await refuse({})
  await refuse({ is_available: null })
  await refuse({ minimum_km2: 5 }, 'licensed:samples')
  await refuse({ eula_id: (await client.call('eulas.list', {})).content[0]!.id })
  await refuse({ params: { unknown: { required: true } } })
  await refuse({ is_available: true }, product, -1)
})
