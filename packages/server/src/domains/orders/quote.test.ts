import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { Sql } from '../../platform/database/sql.ts'
import type { HostScene, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import type { Integrations } from '../../platform/integrations/integrations.ts'
import { square } from '../../../test/geometries.ts'
import { quoteCaptures, type CaptureQuote } from './quote.ts'
import type { OrderCaptureRequest } from './find-offers.ts'
import { callOperation } from '../../../test/call-operation.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { testThreads } from '../../../test/test-process-services.ts'

/** A tenth of a degree, some 100 km² at this latitude. */
const areaAt = (west: number, side = 0.1) => square(west, 30, side)

function createScene(id: string, west: number, datetime = '2024-05-01T10:00:00Z', collection = 'photos'): HostScene {
  return { id, collection, geometry: areaAt(west), bbox: [west, 30, west + 0.1, 30.1], datetime, properties: {} }
}

function createHost(name: string, rate_credits: number | null, scenes: readonly HostScene[]): ImageryHost {
  const price = rate_credits === null ? null : { product: 'P', rate_credits, minimum_km2: 25, licences: ['standard'] }
  return {
    name,
    collections: ['photos', 'radar'].map((id) => ({ id, price })),
    search: async ({ ids, limit }: { ids: readonly string[]; limit: number }) => {
      assert.equal(limit, ids.length)
      assert.equal(new Set(ids).size, ids.length)
      return scenes.filter((scene) => ids.includes(scene.id))
    },
  } as unknown as ImageryHost
}

const integrationsOf = (...hosts: readonly ImageryHost[]): Pick<Integrations, 'hosts'> => ({
  hosts: new Map(hosts.map((host) => [host.name, host])),
})

const priced = createHost('priced', 10, [
  createScene('a', 10),
  createScene('b', 11),
  createScene('late', 12, '2024-06-01T10:00:00Z'),
  createScene('radar', 13, '2024-05-01T22:00:00Z', 'radar'),
  createScene('both', 14),
])
const free = createHost('free', null, [createScene('gift', 20), createScene('both', 14)])
const defaultIntegrations = integrationsOf(priced, free)

const quote = (
  requests: readonly OrderCaptureRequest[],
  split = false,
  integrations = defaultIntegrations,
): Promise<CaptureQuote> =>
  quoteCaptures({
    integrations,
    requests,
    splitByDate: split,
    signal: new AbortController().signal,
    vectors: testThreads.vectors.forOwner({ organization: 'buyer' }),
  })

const requestCapture = (id: string, west: number, more: Partial<OrderCaptureRequest> = {}): OrderCaptureRequest => ({
  id,
  geometry: areaAt(west),
  ...more,
})

const listShares = ({ captures, shares }: CaptureQuote): number[] => captures.map((capture) => shares.get(capture)!)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

test('each capture is priced with its own minimum, in one group per product', async () => {
  const small = requestCapture('b', 11, { geometry: areaAt(11, 0.01) })
  const result = await quote([requestCapture('a', 10), small, requestCapture('radar', 13), requestCapture('gift', 20)])
  assert.deepEqual(result.errors, [])
  assert.deepEqual(
    result.groups.map((group) => group.captures),
    [['a', 'b'], ['radar'], ['gift']],
  )
  const [a, b] = result.captures as [CaptureQuote['captures'][number], CaptureQuote['captures'][number]]
  assert.equal(a.credits, Math.ceil(a.area_km2 * 10 - 1e-6))
  assert.equal(b.credits, 250)
  assert.equal(result.groups[0]!.credits, a.credits + 250)
  assert.equal(result.groups[0]!.aoi_km2, Math.round((a.area_km2 + 25) * 10_000) / 10_000)
  assert.equal(result.groups[2]!.credits, 0)
  assert.deepEqual(
    listShares(result),
    result.captures.map(({ credits }) => credits),
  )
  assert.equal(result.total_credits, sum(listShares(result)))
  assert.ok(result.groups.every((group) => group.aud === group.credits / 100 && group.date === undefined))
})

test('with splitByDate the captures of a date share one minimum, and the price is divided by area', async () => {
  const third = (west: number) => ({ geometry: areaAt(west, 0.01) })
  const result = await quote(
    [requestCapture('a', 10, third(10)), requestCapture('b', 11, third(11)), requestCapture('late', 12)],
    true,
  )
  assert.deepEqual(
    result.groups.map(({ captures, date }) => [captures, date]),
    [
      [['a', 'b'], '2024-05-01'],
      [['late'], '2024-06-01'],
    ],
  )
  assert.equal(result.groups[0]!.aoi_km2, 25)
  assert.equal(result.groups[0]!.credits, 250)
  assert.deepEqual(listShares(result).slice(0, 2), [125, 125])
  assert.equal(result.total_credits, sum(listShares(result)))
})

test('shares are integers that add up to the price, for any areas', async () => {
  for (const sides of [
    [0.1, 0.03, 0.07],
    [0.011, 0.012, 0.013],
    [0.0999, 0.0001, 0.05],
  ]) {
    const requests = ['a', 'b', 'both'].map((id, index) =>
      requestCapture(id, [10, 11, 14][index]!, {
        host: 'priced',
        geometry: areaAt([10, 11, 14][index]!, sides[index]!),
      }),
    )
    for (const split of [false, true]) {
      const result = await quote(requests, split)
      assert.ok(listShares(result).every((share) => Number.isSafeInteger(share) && share >= 0))
      assert.equal(sum(listShares(result)), result.total_credits)
      assert.equal(sum(result.groups.map(({ credits }) => credits)), result.total_credits)
    }
  }
})

test('captures with the same scene id at two hosts keep their own shares', async () => {
  const result = await quote([
    requestCapture('a', 10, { host: 'priced' }),
    requestCapture('both', 14, { host: 'free' }),
    requestCapture('both', 14, { host: 'priced' }),
  ])
  const [, freeCapture, paidCapture] = result.captures
  assert.equal(result.shares.get(freeCapture!), 0)
  assert.equal(result.shares.get(paidCapture!), paidCapture!.credits)
  assert.ok(paidCapture!.credits > 0)
})

test('without a host the first host that offers the scene is used', async () => {
  assert.equal((await quote([requestCapture('both', 14)])).captures[0]?.host.name, 'priced')
  assert.equal((await quote([requestCapture('gift', 20)])).captures[0]?.host.name, 'free')
  assert.equal((await quote([requestCapture('gift', 20, { host: null })])).captures[0]?.host.name, 'free')
})

test('captures that cannot be ordered are listed with their error code, and the rest is priced', async () => {
  const bowtie = {
    type: 'Polygon',
    coordinates: [
      [
        [10, 30],
        [10.1, 30.1],
        [10.1, 30],
        [10, 30.1],
        [10, 30],
      ],
    ],
  }
  const result = await quote([
    requestCapture('a', 10),
    requestCapture('nothing', 10),
    requestCapture('a', 10, { host: 'nobody' }),
    requestCapture('a', 10),
    requestCapture('b', 50),
    requestCapture('late', 12, { geometry: bowtie }),
    requestCapture('radar', 13, { geometry: { type: 'LineString', coordinates: areaAt(13).coordinates[0] } }),
    requestCapture('gift', 20, { geometry: {} }),
    requestCapture('gift', 20, { host: 'priced' }),
  ])
  assert.deepEqual(
    result.errors.map(({ id, host, code }) => [id, host, code]),
    [
      ['nothing', null, 'unknown-capture'],
      ['a', 'nobody', 'unknown-host'],
      ['a', null, 'duplicate'],
      ['b', null, 'outside-footprint'],
      ['late', null, 'not-a-polygon'],
      ['radar', null, 'not-a-polygon'],
      ['gift', null, 'not-a-polygon'],
      ['gift', 'priced', 'unknown-capture'],
    ],
  )
  assert.ok(result.errors.every(({ message }) => message.endsWith('.')))
  assert.deepEqual(
    result.captures.map(({ id }) => id),
    ['a'],
  )
  assert.equal(result.total_credits, result.captures[0]!.credits)
})

test('a MultiPolygon costs the sum of its polygons, and what they have in common costs once', async () => {
  const small = (west: number) => {
    const [south, size] = [30.01, 0.03]
    const [east, north] = [west + size, south + size]
    return [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ]
  }
  const parts = [small(10.01), small(10.05)]
  const areaOf = async (geometry: object) =>
    (await quote([requestCapture('a', 10, { geometry })])).captures[0]?.area_km2
  const both = await areaOf({ type: 'MultiPolygon', coordinates: parts })
  const [one, other] = [
    await areaOf({ type: 'Polygon', coordinates: parts[0] }),
    await areaOf({ type: 'Polygon', coordinates: parts[1] }),
  ]
  assert.ok(one! > 0 && Math.abs(both! - one! - other!) < 2e-4, `${both} ${one} ${other}`)
  const outer = areaAt(10).coordinates
  const nested = { type: 'MultiPolygon', coordinates: [outer, ...parts] }
  const whole = await areaOf({ type: 'Polygon', coordinates: outer })
  const united = await areaOf(nested)
  assert.ok(Math.abs(united! - whole!) < 2e-4, `${united} ${whole}`)
})

test('a geometry that only touches the footprint is outside-footprint', async () => {
  const result = await quote([requestCapture('a', 10, { geometry: areaAt(10.1) })])
  assert.equal(result.errors[0]?.code, 'outside-footprint')
})

test('positions are counted before any geometry is clipped', async () => {
  const ring = (count: number) => {
    const points = Array.from({ length: count }, (_, at) => {
      const angle = (at / count) * 2 * Math.PI
      return [10.05 + 0.04 * Math.cos(angle), 30.05 + 0.04 * Math.sin(angle)]
    })
    return { type: 'Polygon' as const, coordinates: [[...points, points[0]!]] }
  }
  assert.deepEqual(
    (await quote([requestCapture('a', 10, { geometry: ring(limits.max_capture_vertices - 1) })])).errors,
    [],
  )
  const { errors } = await quote([requestCapture('a', 10, { geometry: ring(limits.max_capture_vertices) })])
  assert.equal(errors[0]?.code, 'not-a-polygon')
  const many = Array.from({ length: 30 }, () => requestCapture('a', 10, { geometry: ring(900) }))
  await assert.rejects(quote(many), (error) => error instanceof Problem && error.problem === 'validation')
})

test('pricing large areas yields to other calls', async () => {
  const toothPositions = Array.from({ length: 490 }, (_, at) => [
    [10 + at / 5000, 30 + at * 1e-6],
    [10 + (at + 0.5) / 5000, 30.1 + at * 1e-6],
  ]).flat()
  const comb = { type: 'Polygon' as const, coordinates: [[[10, 29.9], ...toothPositions, [10.1, 29.9], [10, 29.9]]] }
  const scenes = Array.from({ length: 4 }, (_, at) => createScene(`comb-${at}`, 10))
  const integrations = integrationsOf(createHost('priced', 10, scenes))
  let yields = 0
  let isDone = false
  const count = (): void => {
    yields++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const result = await quote(
    scenes.map(({ id }) => requestCapture(id, 10, { geometry: comb })),
    false,
    integrations,
  )
  isDone = true
  assert.deepEqual([result.errors, result.captures.length], [[], 4])
  assert.ok(yields >= 3, `${yields} turns`)
})

test('the outage of a host answers upstream for captures that name it, and costs the others nothing', async () => {
  const brokenHost = { ...priced, search: () => Promise.reject(new Error('down')) } as ImageryHost
  await assert.rejects(
    quote([requestCapture('a', 10, { host: priced.name })], false, integrationsOf(brokenHost)),
    (error) => error instanceof Problem && error.problem === 'upstream',
  )
  // No requested capture needs this host.
  for (const host of ['free', undefined]) {
    const { captures } = await quote([requestCapture('gift', 20, { host })], false, integrationsOf(brokenHost, free))
    assert.equal(captures.length, 1)
  }
  const { errors } = await quote([requestCapture('a', 10)], false, integrationsOf(brokenHost, free))
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['unknown-capture'],
  )
})

test('a host that hangs does not delay captures that earlier hosts offer', async () => {
  const hangingHost = { ...priced, search: () => new Promise<never>(() => undefined) } as ImageryHost
  const { captures } = await quote([requestCapture('gift', 20)], false, integrationsOf(free, hangingHost))
  assert.equal(captures.length, 1)
})

test('an estimate and a quote read the rates and terms of products once', async (context) => {
  const services = await openTestServices()
  context.after(() => services.close())
  const { owner } = await services.createOrganization()
  for (const id of ['orders.archive.estimate', 'orders.quote']) {
    let reads = 0
    const query = <Row>(statement: Sql): Promise<Row[]> => {
      if (statement.strings.join('').includes('negotiated')) reads += 1
      return owner.db.query<Row>(statement)
    }
    const call: Call = {
      ...owner,
      db: { ...owner.db, query } as Call['db'],
      integrations: { ...owner.integrations, ...defaultIntegrations },
    }
    const { total_credits } = await callOperation<{ total_credits: number }>(id, call, {
      captures: [requestCapture('a', 10)],
    })
    assert.ok(total_credits > 0)
    assert.equal(reads, 1, id)
  }
})
