import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { callOperation } from '../../../../test/call-operation.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import { diffStacItems, type StacDifference } from '../../../../test/stac-differences.ts'

type Members = Record<string, unknown>
interface Feature extends Members {
  readonly id: string
  readonly properties: Members
  readonly links: readonly Members[]
}

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app.close())

type Owner = Awaited<ReturnType<typeof app.createOrganization>>['owner']

interface BatchCreateResult {
  readonly results: readonly { readonly item_id: string | null; readonly refusal: unknown }[]
}

/** Imports Features and returns their exported form. */
async function roundTrip(owner: Owner, project_id: string, features: readonly object[]) {
  const { results } = await callOperation<BatchCreateResult>('items.batch_create', owner, {
    project_id,
    features: structuredClone(features),
  })
  const back: { item_id: string; feature: Feature }[] = []
  for (const { item_id, refusal } of results) {
    assert.equal(refusal, null)
    const feature = await callOperation<Feature>('items.get_stac', owner, { item_id: item_id! })
    back.push({ item_id: item_id!, feature: JSON.parse(JSON.stringify(feature)) as Feature })
  }
  return back
}

const isSameInstant = ({ sent: itemInput, received }: StacDifference): boolean =>
  typeof itemInput === 'string' &&
  typeof received === 'string' &&
  received.endsWith('Z') &&
  Date.parse(itemInput) === Date.parse(received)

const isNear = ({ sent: itemInput, received }: StacDifference): boolean =>
  Math.abs(Date.parse(String(itemInput)) - Date.parse(String(received))) < 1000

const isBeyond = ({ sent: itemInput }: StacDifference): boolean =>
  Array.isArray(itemInput) && itemInput.some((side) => Math.abs(side as number) > 180)

const always = (): boolean => true

/** Allowed differences by path, with the reason. */
const reasons: readonly [path: RegExp, why: string, holds: (difference: StacDifference) => boolean][] = [
  [/^links\.(self|root|parent|collection)$/, 'links to the catalogue, which is now this one', always],
  [/^links\.via$/, 'the self link of the source', ({ kind }) => kind === 'added'],
  [
    /^properties\.(service:source|service:item_id|title)$/,
    'added to every item by this platform',
    ({ kind }) => kind === 'added',
  ],
  [/^properties\.up42-(system|product):/, 'added to every item, for its clients', ({ kind }) => kind === 'added'],
  [/^properties\.(created|updated)$/, 'absent in the source', ({ kind }) => kind === 'added'],
  [/^(properties|assets\.\*)\.\w*(datetime|created|updated)$/, 'the same time in UTC with milliseconds', isSameInstant],
  [/^properties\.(start|end)_datetime$/, 'reversed ends less than a second apart', isNear],
  [/^bbox$/, 'a bbox beyond 180 degrees becomes one that crosses the antimeridian (RFC 7946 section 5.2)', isBeyond],
  [/^(assets|bbox|stac_extensions)$/, 'required members missing in the source', ({ kind }) => kind === 'added'],
  [
    /^collection$/,
    'the collection of its project; that of the source catalogue is kept as `given_collection`',
    ({ received }) => String(received).startsWith('project-'),
  ],
  [
    /given_|(eo|proj|raster)_/,
    'a value that STAC rejects is kept under a fallback name',
    ({ kind }) => kind === 'added',
  ],
  [/^stac_version$/, 'converted to 1.0.0', ({ received }) => received === '1.0.0'],
  [/^stac_extensions$/, 'shortcuts, unsupported versions and unused extensions; kept as `given_`', always],
  [/^geometry$/, 'split at the antimeridian, or made valid', always],
  [/^properties\.license$/, 'a value of 1.1 that 1.0.0 does not have', ({ sent: itemInput }) => itemInput === 'other'],
  [/^assets\.\*\.type$/, 'a media type of 0.7', ({ sent: itemInput }) => String(itemInput).includes('vnd.stac')],
  [/^assets\.\*\.(bands|eo:bands)$/, 'bands of 1.1, bands by index, or with an unknown common name', always],
  [/^(properties|assets\.\*)\.proj:(epsg|code)$/, 'proj:epsg beside proj:code, or an invalid code', always],
  [
    /^properties\.(instruments|raster:bands|eo:bands)$/,
    'rejected by their schema and kept under a fallback name',
    always,
  ],
]

test('items of public catalogues are exported unchanged, except for the listed differences', async () => {
  const { owner, project } = await app.createOrganization()
  const path = new URL('../../../../../../fixtures/stac/features.ndjson', import.meta.url)
  const features = (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Feature)
  const back = await roundTrip(owner, project, features)
  const unexplained = back.flatMap(({ feature }, index) =>
    diffStacItems(features[index]!, feature)
      .filter((found) => !reasons.some(([where, , holds]) => where.test(found.path) && holds(found)))
      .map(
        ({ kind, path: where, sent: itemInput, received: now }) =>
          `${feature.id}: ${kind} ${where} ${JSON.stringify([itemInput, now])}`,
      ),
  )
  assert.deepEqual(unexplained, [])
  assert.ok(reasons.every(([, why]) => why.length > 10))
})

const ring = (west: number, east: number, height: number) => [
  [west, 10, height],
  [east, 10, height],
  [east, 11, height + 50],
  [west, 11, height + 50],
  [west, 10, height],
]

const scene = {
  type: 'Feature',
  stac_version: '1.0.0',
  stac_extensions: ['https://example.org/own/v1.0.0/schema.json'],
  id: 'scene',
  collection: 'level-2',
  geometry: { type: 'Polygon', coordinates: [ring(20, 21, 100)] },
  bbox: [20, 10, 100, 21, 11, 150],
  'example:top': { level: [1, 2] },
  conformsTo: ['http://www.opengis.net/spec/ogcapi-records-1/1.0/req/record-core'],
  properties: {
    datetime: '2020-05-01T10:00:00.123456Z',
    start_datetime: '2020-05-01T09:59:59.654321Z',
    end_datetime: '2020-05-01T10:00:01+02:00',
    created: '2020-06-01T00:00:00.000001+00:00',
    updated: '2021-06-01T00:00:00',
  },
  assets: { data: { href: 'https://example.org/a.tif', 'example:of_asset': true } },
  links: [
    { rel: 'self', href: 'https://example.org/scene.json', 'example:of_self': 1 },
    { rel: 'related', href: './other.json', 'example:of_link': { a: 1 }, hreflang: 'en', method: 'GET' },
  ],
}

test('record times, elevations, bboxes and foreign members are preserved', async () => {
  const { owner, project } = await app.createOrganization()
  const end = { ...scene, properties: { ...scene.properties, end_datetime: '2020-05-01T12:00:01+02:00' } }
  const [stored] = await roundTrip(owner, project, [end])
  const { feature, item_id } = stored!
  assert.deepEqual(feature['geometry'], scene.geometry)
  assert.deepEqual(feature['bbox'], scene.bbox)
  assert.deepEqual([feature['example:top'], feature['conformsTo']], [scene['example:top'], scene.conformsTo])
  const { datetime, start_datetime, end_datetime, created, updated, given_collection } = feature.properties
  assert.deepEqual(
    [datetime, start_datetime, end_datetime, created, updated, given_collection],
    [
      '2020-05-01T10:00:00.123456Z',
      '2020-05-01T09:59:59.654321Z',
      '2020-05-01T10:00:01.000Z',
      '2020-06-01T00:00:00.000001Z',
      '2021-06-01T00:00:00.000Z',
      'level-2',
    ],
  )
  assert.deepEqual(
    feature.links.filter(({ rel }) => rel === 'via' || rel === 'related'),
    [
      { ...scene.links[1], href: 'https://example.org/other.json' },
      { type: 'application/geo+json', ...scene.links[0], rel: 'via' },
    ],
  )
  // The flat item has elevations, too, and the times of our own record.
  const { item: flat } = await callOperation<{ item: Members }>('items.get', owner, { item_id })
  assert.deepEqual(flat['geometry'], scene.geometry)
  assert.equal(flat['created_at'], '2026-03-01T00:00:00.000Z')
  for (const [query, matched] of [
    [{ created: { lt: '2020-07-01T00:00:00Z' } }, 1],
    [{ updated: { gte: '2021-06-01T00:00:00Z', lt: '2021-06-02T00:00:00Z' } }, 1],
    [{ created_at: { lt: '2020-07-01T00:00:00Z' } }, 0],
  ] as const) {
    const found = await callOperation<{ numberMatched: number }>('items.search_org', owner, { query })
    assert.equal(found.numberMatched, matched, JSON.stringify(query))
  }
})

test('items.create splits a footprint at the antimeridian and keeps its elevations', async () => {
  const { owner, project } = await app.createOrganization()
  const itemInput = { project_id: project, name: 'Fiji', type: 'user_raster' }
  for (const [geometry, bbox] of [
    [{ type: 'Polygon', coordinates: [ring(179, 181, 0)] }, undefined],
    [{ type: 'Polygon', coordinates: [ring(179, -179, 0)] }, [179, 10, -179, 11]],
  ] as const) {
    const made = await callOperation<Members>('items.create', owner, { ...itemInput, geometry, bbox })
    const { type, coordinates } = made['geometry'] as { type: string; coordinates: number[][][][] }
    assert.deepEqual([type, coordinates.length, made['bbox']], ['MultiPolygon', 2, [179, 10, -179, 11]])
    assert.ok(coordinates.flat(2).every(([x, , z]) => Math.abs(x!) >= 179 && (z === 0 || z === 50)))
  }
  const invalidLatitude = { type: 'Point', coordinates: [10, 90.5] }
  await assert.rejects(callOperation('items.create', owner, { ...itemInput, geometry: invalidLatitude }), {
    problem: 'validation',
  })
})

test('an update replaces `updated`, and a new geometry replaces bbox and elevations', async () => {
  const { owner, project } = await app.createOrganization()
  const [stored] = await roundTrip(owner, project, [scene])
  const { item_id } = stored!
  const read = async (): Promise<Feature> => callOperation<Feature>('items.get_stac', owner, { item_id })
  await callOperation('items.update', owner, { item_id, name: 'Other' })
  const renamed = await read()
  assert.equal(renamed.properties['updated'], '2026-03-01T00:00:00.000Z')
  assert.equal(renamed.properties['created'], '2020-06-01T00:00:00.000001Z')
  assert.deepEqual([renamed['geometry'], renamed['bbox']], [scene.geometry, scene.bbox])
  const crossingPolygon = { type: 'Polygon', coordinates: [ring(179, 181, 0)] }
  await callOperation('items.update', owner, { item_id, geometry: crossingPolygon })
  const moved = await read()
  assert.equal((moved['geometry'] as { type: string }).type, 'MultiPolygon')
  assert.deepEqual(moved['bbox'], [179, 10, -179, 11])
  const positions = (moved['geometry'] as { coordinates: number[][][][] }).coordinates.flat(2)
  assert.ok(positions.every(([x, , z]) => Math.abs(x!) <= 180 && (z === 0 || z === 50)))
  assert.deepEqual(moved['example:top'], scene['example:top'])
})
