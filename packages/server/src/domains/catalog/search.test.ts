import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDemoHosts } from '../../platform/integrations/hosts/demo/demo-hosts.ts'
import { renderQuicklook } from './scene-quicklook.ts'
import { Problem, type FieldError } from '../../engine/problem.ts'
import type { ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { noPriceRates } from '../contracts/rates.ts'
import { callHost, findHostCollection, requireImageryHost } from './hosts.ts'
import { toCatalogFeature, toHostSearch, type CatalogFilters } from './search.ts'

const [open, commercial] = (await createDemoHosts(new URL('../../../demo/', import.meta.url), renderQuicklook)) as [
  ImageryHost,
  ImageryHost,
]

function errorPaths(filters: CatalogFilters): string[] {
  try {
    toHostSearch(open, filters)
    return []
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.problem === 'validation'
      ? (error.extra['errors'] as FieldError[]).map(({ path }) => path)
      : [error.problem]
  }
}

const triangle = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
}

test('filters are converted to a host search', () => {
  assert.deepEqual(toHostSearch(open, {}), {})
  assert.deepEqual(
    toHostSearch(open, {
      collections: ['hls2-s30'],
      ids: ['a'],
      datetime: '2024-01-01T00:00:00Z/..',
      bbox: [170, -10, -170, 10],
      query: { cloudCoverage: { LT: 20 }, resolution: { gte: 10, lte: null } },
    }),
    {
      collections: ['hls2-s30'],
      ids: ['a'],
      bbox: [170, -10, -170, 10],
      from: new Date('2024-01-01T00:00:00Z'),
      to: null,
      query: { 'eo:cloud_cover': { LT: 20 }, gsd: { GTE: 10 } },
    },
  )
  assert.deepEqual(toHostSearch(open, { query: { cloud_cover: { GT: 1 }, 'eo:cloud_cover': { lt: 5 } } }).query, {
    'eo:cloud_cover': { GT: 1, LT: 5 },
  })
  assert.deepEqual(toHostSearch(open, { intersects: triangle }).intersects, triangle)
})

test('every invalid filter is reported with its path', () => {
  const table: readonly (readonly [CatalogFilters, readonly string[]])[] = [
    [{ bbox: [0, 0, 1, 1], intersects: triangle }, ['conflicting-parameters']],
    [{ datetime: 'soon', bbox: [0, 5, 1, 1], query: { mood: { EQ: 1 } } }, ['datetime', 'bbox', 'query.mood']],
    [{ bbox: [0, -91, 1, 1] }, ['bbox']],
    [{ intersects: { type: 'Point', coordinates: [0, 0] } as never }, ['intersects']],
    [
      {
        intersects: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 1],
              [1, 0],
              [0, 1],
              [0, 0],
            ],
          ],
        } as never,
      },
      ['intersects'],
    ],
    [{ query: { platform: { EQ: 'x' } }, collections: ['no such product'] }, ['query.platform']],
    [{ query: { toString: { EQ: 'x' } } }, ['query.toString']],
  ]
  for (const [filters, paths] of table) assert.deepEqual(errorPaths(filters), paths, JSON.stringify(filters))
  const round = Array.from({ length: 1200 }, (_, at) => [
    Math.cos((at * Math.PI) / 600),
    Math.sin((at * Math.PI) / 600),
  ])
  assert.deepEqual(errorPaths({ intersects: { type: 'Polygon', coordinates: [[...round, round[0]!]] } as never }), [
    'intersects',
  ])
})

test('a scene becomes a Feature with its price, property aliases and quicklook URL', async () => {
  const [scene] = await commercial.search({ limit: 1 })
  const feature = toCatalogFeature({
    host: commercial,
    scene: scene!,
    filters: {},
    baseUrl: 'https://swath.example',
    rates: noPriceRates,
  })
  assert.equal(feature.properties['host'], 'commercial')
  assert.equal(feature.properties['cloudCoverage'], scene!.properties['eo:cloud_cover'])
  assert.equal(feature.properties['resolution'], scene!.properties['gsd'])
  assert.equal(
    feature.assets?.['thumbnail']?.href,
    `https://swath.example/catalog/commercial/image/${scene!.id}/quicklook`,
  )
  assert.deepEqual(feature['service:price'], feature.properties['service:price'])
  assert.ok(feature['service:price']!.credits > 0)
  const odd = { ...scene!, id: 'a/b c?d' }
  assert.ok(
    toCatalogFeature({ host: commercial, scene: odd, filters: {}, baseUrl: '', rates: noPriceRates }).assets![
      'thumbnail'
    ]!.href.endsWith('/image/a%2Fb%20c%3Fd/quicklook'),
  )
})

test('a host is found by name, and its failure is reported as upstream without its error message', async () => {
  const integrations = { hosts: new Map([[open.name, open]]) }
  assert.equal(requireImageryHost(integrations, 'open'), open)
  assert.throws(
    () => requireImageryHost(integrations, 'toString'),
    (error) => error instanceof Problem && error.problem === 'not-found',
  )
  const [scene] = await open.search({ limit: 1 })
  assert.equal(findHostCollection(open, scene!)?.id, scene!.collection)
  assert.equal(findHostCollection(open, { ...scene!, collection: 'another' }), null)
  await assert.rejects(callHost(open, Promise.reject(new Error('10.0.0.5 refused'))), (error: Problem) => {
    assert.equal(error.problem, 'upstream')
    assert.doesNotMatch(error.message, /10\.0/)
    assert.match(String(error.cause), /10\.0\.0\.5/)
    return true
  })
  const own = new Problem('not-found', 'No.')
  await assert.rejects(callHost(open, Promise.reject(own)), own)
})
