import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import type { InputOf } from '@swath/client/operations.ts'
import type { HostScene, ImageryHost } from '../../src/platform/integrations/imagery-host.ts'
import { createFaultyHost } from '../hosts/faulty-host.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

/** Later time first, then by id. */
const compareScenes = (left: HostScene, right: HostScene): number =>
  Date.parse(right.datetime) - Date.parse(left.datetime) || (left.id < right.id ? -1 : 1)

/**
 * A host with scenes on these days, named after their host and number, so many microseconds after midnight. Like a
 * database, it compares times with their fractions of a millisecond.
 */
async function createDayHost(name: string, days: readonly number[], after_us = 0): Promise<ImageryHost> {
  const host = await createFaultyHost(name)
  const [template] = await host.search({ limit: 1 })
  const scenes = days
    .map((day, number): HostScene => {
      const midnight = new Date(Date.UTC(2024, 0, 1 + day)).toISOString()
      const datetime = midnight.replace('.000Z', `.000${String(after_us).padStart(3, '0')}Z`)
      return { ...template!, id: `${name}-${String(number).padStart(2, '0')}`, datetime }
    })
    .toSorted(compareScenes)
  const time_ms = ({ datetime }: HostScene): number => Date.parse(datetime) + after_us / 1000
  return {
    ...host,
    search: async ({ after, limit, to, from }) =>
      scenes
        .filter((scene) => (!to || time_ms(scene) <= to.getTime()) && (!from || time_ms(scene) >= from.getTime()))
        .filter((scene) => !after || compareScenes(after as HostScene, scene) < 0)
        .slice(0, limit),
  }
}

const hosts = [
  await createDayHost('alpha', [0, 1, 1, 1, 5, 9]),
  await createDayHost('beta', [1, 1, 2, 9]),
  await createDayHost('gamma', [1, 9, 30], 400),
]
/** A host whose collections are unknown, and are read when the gate is opened. */
const gate = (() => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const state = { isOpen: false, promise, open: () => ((state.isOpen = true), resolve()) }
  return state
})()
const gatedHost = await (async (): Promise<ImageryHost> => {
  const host = await createDayHost('gated', [2, 3])
  const { collections } = host
  return {
    ...host,
    get collections() {
      return gate.isOpen ? collections : []
    },
    check: () => gate.promise,
  }
})()
let app: TestApp
let client: Client
before(async () => {
  app = await startTestApp({
    hosts: [
      ...hosts,
      gatedHost,
      await createFaultyHost('broken', { catalog: 'fail' }),
      await createFaultyHost('hanging', { catalog: 'stall' }),
    ],
    environment: { HOST_TIMEOUT_MS: '2000' },
  })
  client = (await createTestOrganization(app, 0)).owner.client
})
after(() => app?.close())

const working = ['gamma', 'alpha', 'beta']
const all = [...working, 'broken', 'hanging']

test('scenes of all hosts are merged, newest first, and pages of any size neither lose nor repeat one', async () => {
  const whole = await client.call('catalog.federated_search', { source_ids: working })
  assert.equal(whole.features.length, 13)
  assert.equal(whole.next, undefined)
  const times = whole.features.map(({ properties }) => Date.parse(String(properties['datetime'])))
  assert.deepEqual(
    times,
    times.toSorted((left, right) => right - left),
  )
  const expected = whole.features.map(({ id }) => id)
  assert.equal(new Set(expected).size, 13)
  for (const limit of [1, 2, 3, 5, 12]) {
    const ids: string[] = []
    let next: string | undefined
    do {
      const page = await client.call('catalog.federated_search', {
        source_ids: working,
        limit,
        ...(next ? { next } : {}),
      })
      ids.push(...page.features.map(({ id }) => id))
      assert.equal(
        page.sources.reduce((sum, { count }) => sum + count, 0),
        page.numberReturned,
      )
      next = page.next
    } while (next !== undefined)
    assert.deepEqual(ids, expected, `pages of ${limit}`)
  }
})

test('a token is short, and refused for another search', async () => {
  const { next } = await client.call('catalog.federated_search', { source_ids: working, limit: 2 })
  assert.ok(next && next.length < 200)
  await assert.rejects(client.call('catalog.federated_search', { source_ids: ['alpha'], limit: 2, next }), {
    problem: 'validation',
  })
})

test('the dates of the search hold on every page', async () => {
  const search: Partial<InputOf<'catalog.federated_search'>> = {
    source_ids: working,
    datetime: '2024-01-02T00:00:00Z/2024-01-03T00:00:00Z',
    limit: 4,
  }
  const { features, next } = await client.call('catalog.federated_search', search)
  assert.ok(next)
  const rest = await client.call('catalog.federated_search', { ...search, next })
  const days = [...features, ...rest.features].map(({ properties }) => String(properties['datetime']).slice(8, 10))
  assert.deepEqual(days, ['03', '02', '02', '02', '02', '02', '02'])
})

test('a host that fails or hangs is reported and does not fail the others', async () => {
  const { features, sources } = await client.call('catalog.federated_search', { source_ids: all })
  assert.equal(features.length, 13)
  const failed = sources.filter(({ error }) => error !== null)
  assert.deepEqual(
    failed.map(({ source_id, count }) => [source_id, count]),
    [
      ['broken', 0],
      ['hanging', 0],
    ],
  )
  assert.ok(failed.every(({ error }) => !error!.includes('secret-host')))
  assert.ok(sources.every(({ elapsed_ms }) => elapsed_ms < 3000))
})

test('the first scene of a stream is sent before other hosts have responded, and failing ones do not end it', async () => {
  const lines = client.lines<{ id: string }>('catalog.search_stream', { source_ids: ['gated', 'broken', 'alpha'] })
  const iterator = lines[Symbol.asyncIterator]()
  const first = await iterator.next()
  assert.match(first.value?.id ?? '', /^alpha-/)
  assert.equal(gate.isOpen, false)
  gate.open()
  const ids = [first.value!.id]
  for (let line = await iterator.next(); !line.done; line = await iterator.next()) ids.push(line.value.id)
  assert.deepEqual([ids.length, ids.at(-1)], [6 + 2, 'gated-00'])
})

test('a stream of which every host fails is an upstream error, and an invalid filter is one of the caller', async () => {
  const read = async (input: InputOf<'catalog.search_stream'>): Promise<void> => {
    for await (const line of client.lines('catalog.search_stream', input)) assert.fail(JSON.stringify(line))
  }
  await assert.rejects(read({ source_ids: ['broken', 'hanging'] }), { status: 502 })
  await assert.rejects(read({ host_name: 'broken' }), { status: 502 })
  await assert.rejects(read({ source_ids: all, bbox: [1, 20, 3, 4] }), { status: 422 })
  await assert.rejects(read({ source_ids: ['broken', 'alpha'], query: { nothing: { EQ: 1 } } }), { status: 422 })
})

test('a search of failing hosts alone is an upstream error, and an unknown host is not found', async () => {
  await assert.rejects(client.call('catalog.federated_search', { source_ids: ['broken'] }), { problem: 'upstream' })
  await assert.rejects(client.call('catalog.federated_search', { source_ids: ['alpha', 'nowhere'] }), {
    problem: 'not-found',
  })
})

test('a mistake of the caller is named, whichever hosts are down', async () => {
  const searched = [['broken', 'gamma'], ['alpha', 'broken'], all].map((source_ids) => ({ source_ids }))
  for (const sources of [...searched, { source_ids: [] }, { data_types: ['none'] }]) {
    const search = { ...sources, datetime: 'yesterday' }
    await assert.rejects(client.call('catalog.federated_search', search), { status: 422 })
    const intersects = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    } as never
    await assert.rejects(client.call('catalog.compare_prices', { ...search, intersects }), { status: 422 })
    // An area without latitudes: measuring it would never end.
    const endless = JSON.parse(JSON.stringify(intersects).replaceAll('1]', '1e308]')) as never
    await assert.rejects(client.call('catalog.compare_prices', { ...sources, intersects: endless }), { status: 422 })
  }
})

test('offers of all hosts are compared by the price of the area, the cheapest first', async () => {
  const [scene] = (await client.call('catalog.search', { host_name: 'alpha', limit: 1 })).features
  const { offers, sources } = await client.call('catalog.compare_prices', {
    intersects: scene!.geometry as never,
    source_ids: [...working, 'broken'],
  })
  assert.deepEqual(Object.fromEntries(offers.map(({ host_name, scene_count }) => [host_name, scene_count])), {
    alpha: 6,
    beta: 4,
    gamma: 3,
  })
  for (const offer of offers) {
    assert.ok(offer.price.credits > 0 && Math.round(offer.covered_percent) === 100)
  }
  assert.deepEqual(
    offers.map(({ price }) => price.credits),
    offers.map(({ price }) => price.credits).toSorted((left, right) => left - right),
  )
  assert.equal(sources.filter(({ error }) => error !== null).length, 1)
})
