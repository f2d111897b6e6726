import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../engine/problem.ts'
import type { HostScene, ImageryHost } from '../../platform/outside/imagery-host.ts'
import type { Outside } from '../../platform/outside/outside.ts'
import { square } from '../../../test/places.ts'
import { quoteCaptures, type Quote, type WantedCapture } from './quote.ts'

/** A tenth of a degree, some 100 km² at this latitude. */
const field = (west: number, side = 0.1) => square(west, 30, side)

function sceneOf(id: string, west: number, datetime = '2024-05-01T10:00:00Z', collection = 'photos'): HostScene {
  return { id, collection, geometry: field(west), bbox: [west, 30, west + 0.1, 30.1], datetime, properties: {} }
}

function hostOf(name: string, rate_credits: number | null, scenes: readonly HostScene[]): ImageryHost {
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

const outsideOf = (...hosts: readonly ImageryHost[]): Pick<Outside, 'hosts'> => ({
  hosts: new Map(hosts.map((host) => [host.name, host])),
})

const priced = hostOf('priced', 10, [
  sceneOf('a', 10),
  sceneOf('b', 11),
  sceneOf('late', 12, '2024-06-01T10:00:00Z'),
  sceneOf('radar', 13, '2024-05-01T22:00:00Z', 'radar'),
  sceneOf('both', 14),
])
const free = hostOf('free', null, [sceneOf('gift', 20), sceneOf('both', 14)])
const world = outsideOf(priced, free)

const quote = (wanted: readonly WantedCapture[], split = false, outside = world): Promise<Quote> =>
  quoteCaptures(outside, wanted, split, new AbortController().signal, { organization: 'buyer' })

const want = (id: string, west: number, more: Partial<WantedCapture> = {}): WantedCapture => ({
  id,
  geometry: field(west),
  ...more,
})

const sharesOf = ({ captures, shares }: Quote): number[] => captures.map((capture) => shares.get(capture)!)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

test('each capture is priced with its own minimum, in one group per product', async () => {
  const small = want('b', 11, { geometry: field(11, 0.01) })
  const found = await quote([want('a', 10), small, want('radar', 13), want('gift', 20)])
  assert.deepEqual(found.errors, [])
  assert.deepEqual(
    found.groups.map((group) => group.captures),
    [['a', 'b'], ['radar'], ['gift']],
  )
  const [a, b] = found.captures as [Quote['captures'][number], Quote['captures'][number]]
  assert.equal(a.credits, Math.ceil(a.area_km2 * 10 - 1e-6))
  assert.equal(b.credits, 250)
  assert.equal(found.groups[0]!.credits, a.credits + 250)
  assert.equal(found.groups[0]!.aoi_km2, Math.round((a.area_km2 + 25) * 10_000) / 10_000)
  assert.equal(found.groups[2]!.credits, 0)
  assert.deepEqual(
    sharesOf(found),
    found.captures.map(({ credits }) => credits),
  )
  assert.equal(found.total_credits, sum(sharesOf(found)))
  assert.ok(found.groups.every((group) => group.aud === group.credits / 100 && group.date === undefined))
})

test('with splitByDate the captures of a date share one minimum, and the price is divided by area', async () => {
  const third = (west: number) => ({ geometry: field(west, 0.01) })
  const found = await quote([want('a', 10, third(10)), want('b', 11, third(11)), want('late', 12)], true)
  assert.deepEqual(
    found.groups.map(({ captures, date }) => [captures, date]),
    [
      [['a', 'b'], '2024-05-01'],
      [['late'], '2024-06-01'],
    ],
  )
  assert.equal(found.groups[0]!.aoi_km2, 25)
  assert.equal(found.groups[0]!.credits, 250)
  assert.deepEqual(sharesOf(found).slice(0, 2), [125, 125])
  assert.equal(found.total_credits, sum(sharesOf(found)))
})

test('shares are integers that add up to the price, for any areas', async () => {
  for (const sides of [
    [0.1, 0.03, 0.07],
    [0.011, 0.012, 0.013],
    [0.0999, 0.0001, 0.05],
  ]) {
    const wanted = ['a', 'b', 'both'].map((id, index) =>
      want(id, [10, 11, 14][index]!, { host: 'priced', geometry: field([10, 11, 14][index]!, sides[index]!) }),
    )
    for (const split of [false, true]) {
      const found = await quote(wanted, split)
      assert.ok(sharesOf(found).every((share) => Number.isSafeInteger(share) && share >= 0))
      assert.equal(sum(sharesOf(found)), found.total_credits)
      assert.equal(sum(found.groups.map(({ credits }) => credits)), found.total_credits)
    }
  }
})

test('captures with the same scene id at two hosts keep their own shares', async () => {
  const found = await quote([
    want('a', 10, { host: 'priced' }),
    want('both', 14, { host: 'free' }),
    want('both', 14, { host: 'priced' }),
  ])
  const [, gift, bought] = found.captures
  assert.equal(found.shares.get(gift!), 0)
  assert.equal(found.shares.get(bought!), bought!.credits)
  assert.ok(bought!.credits > 0)
})

test('without a host the first host that offers the scene is used', async () => {
  assert.equal((await quote([want('both', 14)])).captures[0]?.host.name, 'priced')
  assert.equal((await quote([want('gift', 20)])).captures[0]?.host.name, 'free')
  assert.equal((await quote([want('gift', 20, { host: null })])).captures[0]?.host.name, 'free')
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
  const found = await quote([
    want('a', 10),
    want('nothing', 10),
    want('a', 10, { host: 'nobody' }),
    want('a', 10),
    want('b', 50),
    want('late', 12, { geometry: bowtie }),
    want('radar', 13, { geometry: { type: 'LineString', coordinates: field(13).coordinates[0] } }),
    want('gift', 20, { geometry: {} }),
    want('gift', 20, { host: 'priced' }),
  ])
  assert.deepEqual(
    found.errors.map(({ id, host, code }) => [id, host, code]),
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
  assert.ok(found.errors.every(({ message }) => message.endsWith('.')))
  assert.deepEqual(
    found.captures.map(({ id }) => id),
    ['a'],
  )
  assert.equal(found.total_credits, found.captures[0]!.credits)
})

test('a MultiPolygon costs the sum of its polygons, and nested polygons are rejected', async () => {
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
  const km2 = async (geometry: object) => (await quote([want('a', 10, { geometry })])).captures[0]?.area_km2
  const both = await km2({ type: 'MultiPolygon', coordinates: parts })
  const [one, other] = [
    await km2({ type: 'Polygon', coordinates: parts[0] }),
    await km2({ type: 'Polygon', coordinates: parts[1] }),
  ]
  assert.ok(one! > 0 && Math.abs(both! - one! - other!) < 2e-4, `${both} ${one} ${other}`)
  const outer = field(10).coordinates
  const nested = { type: 'MultiPolygon', coordinates: [outer, ...parts] }
  const { errors } = await quote([want('a', 10, { geometry: nested })])
  assert.match(errors[0]!.message, /lies inside coordinates\[0\]/)
})

test('a geometry that only touches the footprint is outside-footprint', async () => {
  const found = await quote([want('a', 10, { geometry: field(10.1) })])
  assert.equal(found.errors[0]?.code, 'outside-footprint')
})

test('positions are counted before any geometry is clipped', async () => {
  const ring = (count: number) => {
    const points = Array.from({ length: count }, (_, at) => {
      const angle = (at / count) * 2 * Math.PI
      return [10.05 + 0.04 * Math.cos(angle), 30.05 + 0.04 * Math.sin(angle)]
    })
    return { type: 'Polygon' as const, coordinates: [[...points, points[0]!]] }
  }
  assert.deepEqual((await quote([want('a', 10, { geometry: ring(limits.capture_vertices - 1) })])).errors, [])
  const { errors } = await quote([want('a', 10, { geometry: ring(limits.capture_vertices) })])
  assert.equal(errors[0]?.code, 'not-a-polygon')
  const many = Array.from({ length: 30 }, () => want('a', 10, { geometry: ring(900) }))
  await assert.rejects(quote(many), (error) => error instanceof Problem && error.problem === 'validation')
})

test('pricing large areas yields to other calls', async () => {
  const teeth = Array.from({ length: 490 }, (_, at) => [
    [10 + at / 5000, 30 + at * 1e-6],
    [10 + (at + 0.5) / 5000, 30.1 + at * 1e-6],
  ]).flat()
  const comb = { type: 'Polygon' as const, coordinates: [[[10, 29.9], ...teeth, [10.1, 29.9], [10, 29.9]]] }
  const scenes = Array.from({ length: 20 }, (_, at) => sceneOf(`comb-${at}`, 10))
  const outside = outsideOf(hostOf('priced', 10, scenes))
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const found = await quote(
    scenes.map(({ id }) => want(id, 10, { geometry: comb })),
    false,
    outside,
  )
  isOver = true
  assert.deepEqual([found.errors, found.captures.length], [[], 20])
  assert.ok(turns >= 15, `${turns} turns`)
})

test('the outage of a host answers upstream', async () => {
  const down = { ...priced, search: () => Promise.reject(new Error('down')) } as ImageryHost
  await assert.rejects(
    quote([want('a', 10)], false, outsideOf(down)),
    (error) => error instanceof Problem && error.problem === 'upstream',
  )
  // No requested capture needs this host.
  assert.equal((await quote([want('gift', 20, { host: 'free' })], false, outsideOf(down, free))).captures.length, 1)
})
