import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { callOperation, rejectedWith } from '../../../../test/call-operation.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import { validateStac } from '../../../../test/stac-validator.ts'
import { sql } from '../../../platform/database/sql.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app.close())

interface BatchCreateResult {
  readonly created: number
  readonly refused: number
  readonly results: {
    readonly index: number
    readonly stac_id: string | null
    readonly item_id: string | null
    readonly refusal: { readonly problem: string; readonly errors?: { path: string; message: string }[] } | null
  }[]
}

interface Feature {
  readonly id: string
  readonly stac_extensions: string[]
  readonly geometry: unknown
  readonly collection?: string
  readonly properties: Record<string, unknown>
  readonly assets: Record<string, Record<string, unknown>>
  readonly links: { rel: string; href: string }[]
}

const fixtures = new URL('../../../../../../fixtures/stac/features.ndjson', import.meta.url)
const readFixtureFeatures = async (): Promise<Feature[]> =>
  (await readFile(fixtures, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Feature)

const minimalFeature = (id: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  geometry: { type: 'Point', coordinates: [10, 50] },
  bbox: [10, 50, 10, 50],
  properties: { datetime: '2024-05-01T10:00:00Z' },
  assets: {},
  links: [],
  ...more,
})

test('items of public catalogues are imported and returned as valid Items with their properties', async () => {
  const { owner, project } = await app.createOrganization()
  const features = await readFixtureFeatures()
  const answer = await callOperation<BatchCreateResult>('items.batch_create', owner, {
    project_id: project,
    features: structuredClone(features),
  })
  assert.deepEqual(
    answer.results.filter((result) => result.refusal !== null),
    [],
  )
  assert.equal(answer.created, features.length)
  const back: Feature[] = []
  for (const { item_id } of answer.results)
    back.push(await callOperation<Feature>('items.get_stac', owner, { item_id }))
  const { errors, unknownExtensions } = await validateStac(back)
  assert.deepEqual(errors, [])
  assert.ok(unknownExtensions.size > 5, 'unknown extensions stay declared')
  for (const [index, feature] of back.entries()) {
    const source = features[index]!
    assert.equal(feature.id, source.id)
    assert.deepEqual(Object.keys(feature.assets).sort(), Object.keys(source.assets ?? {}).sort())
    for (const name of ['platform', 'view:sun_elevation', 's2:mgrs_tile', 'eo:cloud_cover']) {
      if (name in source.properties)
        assert.deepEqual(feature.properties[name], source.properties[name], `${name} of ${source.id}`)
    }
    assert.equal(feature.properties['service:source'], 'TASKING')
  }
  // A code that is not an integer is invalid: its value is kept under a fallback name.
  const odd = back.find((feature) => feature.id === 'item1')
  assert.deepEqual([odd?.properties['proj_epsg'], odd?.properties['proj:epsg']], [32622.1, undefined])
  const found = await callOperation<{ numberMatched: number }>('items.search_org', owner, {
    query: { platform: { eq: 'sentinel-1a' } },
    limit: 100,
    offset: 0,
  })
  const expected = features.filter((feature) => String(feature.properties['platform']).toLowerCase() === 'sentinel-1a')
  assert.ok(found.numberMatched > 0 && found.numberMatched <= expected.length)
})

test('each Feature of a batch is created or refused independently, with the reason', async () => {
  const { owner, project, organization } = await app.createOrganization()
  const polygon = (coordinates: unknown) => ({ type: 'Polygon', coordinates })
  const features = [
    minimalFeature('first'),
    minimalFeature('first'),
    minimalFeature('open ring', {
      geometry: polygon([
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ],
      ]),
      bbox: [0, 0, 1, 1],
    }),
    minimalFeature('no area', {
      geometry: polygon([
        [
          [0, 0],
          [1, 0],
          [0, 0],
          [0, 0],
        ],
      ]),
      bbox: [0, 0, 1, 0],
    }),
    minimalFeature('no time', { properties: { datetime: 'yesterday' } }),
    minimalFeature('local file', { assets: { data: { href: 'file:///etc/passwd' } } }),
    minimalFeature('script', { assets: { data: { href: 'javascript:alert(1)' } } }),
    minimalFeature('climbing', { assets: { data: { href: '../../secret.tif' } } }),
    minimalFeature('ours', { assets: { data: { href: '/api/v1/items/x/assets/y' } } }),
    minimalFeature('password', { assets: { data: { href: 'https://a:b@example.org/x.tif' } } }),
    minimalFeature('broken', { assets: { data: 'text' } }),
    { type: 'FeatureCollection', features: [] },
    { id: 7 },
    minimalFeature('last', {
      properties: { datetime: null, 'service:source': 'ARCHIVE', 'service:item_id': 'x', custom: [1] },
    }),
  ]
  const { created, results } = await callOperation<BatchCreateResult>('items.batch_create', owner, {
    project_id: project,
    features,
  })
  assert.equal(created, 2)
  assert.deepEqual(
    results.map((result) => result.refusal?.problem ?? null),
    [null, 'stac-id-taken', ...Array.from({ length: 11 }, () => 'validation'), null],
  )
  assert.deepEqual(
    results.slice(5, 10).map((result) => result.refusal?.errors?.[0]?.path),
    Array.from({ length: 5 }, () => 'assets.data.href'),
  )
  const last = await callOperation<Feature>('items.get_stac', owner, { item_id: results.at(-1)!.item_id })
  assert.equal(last.properties['service:source'], 'TASKING')
  assert.notEqual(last.properties['service:item_id'], 'x')
  assert.deepEqual(last.properties['custom'], [1])
  const { item } = await callOperation<{ item: { properties: object; type: string } }>('items.get', owner, {
    item_id: results.at(-1)!.item_id,
  })
  assert.deepEqual(item.properties, { custom: [1] })
  assert.equal(item.type, 'external_reference')
  const rows = await app.database.unscoped.query<{ items: number; events: number }>(sql`
    select (select count(*) from items where organization_id = ${organization}) as items,
           (select count(*) from events where organization_id = ${organization} and kind = 'item.created') as events`)
  assert.deepEqual(rows, [{ items: 2, events: 2 }])
})

test('items are added to the collection in the request, or to the one that their Feature names', async () => {
  const { owner, project } = await app.createOrganization()
  const other = await app.createOrganization()
  const { id } = await callOperation<{ id: string }>('collections.create', owner, {
    project_id: project,
    name: 'Scenes',
  })
  const features = [minimalFeature('a', { collection: id }), minimalFeature('b', { collection: 'sentinel-2-l2a' })]
  const { results } = await callOperation<BatchCreateResult>('items.batch_create', owner, {
    project_id: project,
    features,
  })
  const collectionOf = async (index: number) =>
    (await callOperation<Feature>('items.get_stac', owner, { item_id: results[index]!.item_id })).collection
  assert.equal(await collectionOf(0), id)
  assert.equal(await collectionOf(1), `project-${project}`)
  const batchWithCollection = { project_id: project, collection_id: id, features: [minimalFeature('c')] }
  assert.equal((await callOperation<BatchCreateResult>('items.batch_create', owner, batchWithCollection)).created, 1)
  const foreign = { project_id: other.project, collection_id: id, features: [minimalFeature('d')] }
  await assert.rejects(callOperation('items.batch_create', other.owner, foreign), rejectedWith('not-found'))
  await assert.rejects(callOperation('items.batch_create', other.owner, batchWithCollection), rejectedWith('not-found'))
})
