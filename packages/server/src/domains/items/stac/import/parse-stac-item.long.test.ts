import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validateStac } from '../../../../../test/stac-validator.ts'
import type { FieldError } from '../../../../engine/problem.ts'
import { createInternalUrlCheck } from '../../../../platform/integrations/safe-fetch.ts'
import { toStacAssets } from '../stac-asset.ts'
import { resolveStacExtensions } from '../stac-extensions.ts'
import { rowToStacItem, toStacProperties } from '../stac-feature.ts'
import type { ItemRow } from '../../store.ts'
import { resolveAssetHref, resolveLinkHref } from './hrefs.ts'
import { stacVersionMigrations } from './version-migrations.ts'
import type { JsonObject } from './document.ts'
import { parseStacItem } from './parse-stac-item.ts'

const now = new Date('2026-03-01T00:00:00Z')
const isInternalUrl = createInternalUrlCheck({ outside_allow: [] })
const options = { isInternalUrl }
const square = {
  type: 'Polygon',
  coordinates: [[[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]],
} // prettier-ignore

const feature = (more: JsonObject = {}): JsonObject => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id: 'scene',
  geometry: square,
  bbox: [0, 0, 1, 1],
  properties: { datetime: '2019-05-01T10:00:00Z' },
  assets: {},
  links: [],
  ...more,
})

/** Imports a Feature and serializes it again. */
function roundTrip(input: JsonObject) {
  const errors: FieldError[] = []
  const read = parseStacItem(structuredClone(input), errors, options)
  assert.deepEqual(errors, [])
  assert.ok(read)
  const assets = read.assets.map((asset) => ({
    ...asset,
    id: 'a',
    item_id: 'i',
    external_href: asset.external_href ?? null,
    band_names: asset.band_names ?? [],
    stac: { ...asset.stac },
  }))
  const noOrigins = { upload_id: null, job_id: null, order_id: null, collection_id: null }
  const row = {
    ...read,
    ...noOrigins,
    id: 'i',
    project_id: 'p',
    created_at: now,
    updated_at: now,
  } as unknown as ItemRow
  const origin = { source: 'USER', data_product_id: null, host_collection: null } as const
  const stac_assets = toStacAssets(assets)
  const stac_extensions = resolveStacExtensions(row.stac_extensions, toStacProperties(row), stac_assets)
  return rowToStacItem({ ...row, stac_assets, stac_extensions, origin }, 'o', 'https://imagery.example')
}

const errorPaths = (input: JsonObject): string[] => {
  const errors: FieldError[] = []
  parseStacItem(input, errors, options)
  return errors.map((fault) => fault.path)
}

test('an item of STAC 0.6 is upgraded: times, angles, bands by index, checksums, licences', async () => {
  const old = feature({
    stac_version: '0.6.2',
    properties: {
      datetime: '2019-05-01T10:00:00Z',
      'dtr:start_datetime': '2019-05-01T10:00:00Z',
      'dtr:end_datetime': '2019-05-01T10:01:00Z',
      'eo:gsd': 15,
      'eo:platform': 'landsat-8',
      'eo:instrument': 'OLI_TIRS',
      'eo:constellation': 'landsat',
      'eo:epsg': 32632,
      'eo:off_nadir': 1.5,
      'eo:sun_azimuth': 120,
      'eo:sun_elevation': 40,
      'eo:bands': [{ name: 'B4', common_name: 'red', gsd: 30 }, { name: 'B5', common_name: 'nir' }],
      'item:license': 'PDDL-1.0',
      'item:providers': [{ name: 'USGS', roles: ['producer', 'seller'], url: 'https://usgs.gov' }],
    },
    stac_extensions: ['eo', 'checksum', 'dtr', 'unheard-of'],
    links: { self: { rel: 'self', href: 'https://example.org/items/scene.json' } },
    assets: {
      B5: { href: './B5.TIF', name: 'Band 5', mime_type: 'image/vnd.stac.geotiff', 'eo:bands': [1] },
      sum: { href: 'sum.txt', 'checksum:multihash': `1220${'ab'.repeat(32)}` },
    },
  }) // prettier-ignore
  const back = roundTrip(old)
  assert.deepEqual((await validateStac([back])).errors, [])
  const { properties, assets } = back
  assert.deepEqual(
    [properties['gsd'], properties['platform'], properties['instruments'], properties['proj:epsg']],
    [15, 'landsat-8', ['OLI_TIRS'], 32632],
  )
  assert.deepEqual([properties['view:off_nadir'], properties['start_datetime']], [1.5, '2019-05-01T10:00:00.000Z'])
  assert.deepEqual([properties['license'], 'eo:bands' in properties], ['PDDL-1.0', false])
  assert.deepEqual(properties['providers'], [
    { name: 'USGS', url: 'https://usgs.gov', roles: ['producer'], given_roles: ['producer', 'seller'] },
  ])
  // Unknown extension shortcuts get no schema URL.
  assert.deepEqual(properties['given_stac_extensions'], ['unheard-of'])
  assert.deepEqual(assets['B5'], {
    href: 'https://example.org/items/B5.TIF',
    type: 'image/tiff; application=geotiff',
    title: 'Band 5',
    'eo:bands': [{ name: 'B5', common_name: 'nir' }],
  })
  assert.equal((assets['sum'] as unknown as JsonObject)['file:checksum'], `1220${'ab'.repeat(32)}`)
  assert.ok(back.links.some((link) => link.rel === 'via' && link.href === 'https://example.org/items/scene.json'))
  assert.ok(!back.stac_extensions.some((address) => !address.startsWith('https://')))
})

test('an item of STAC 1.1 is downgraded: bands, proj:code, shared band fields', async () => {
  const back = roundTrip(
    feature({
      stac_version: '1.1.0',
      properties: { datetime: null, 'proj:code': 'EPSG:32633', license: 'other', keywords: ['field'] },
      stac_extensions: ['https://stac-extensions.github.io/eo/v2.0.0/schema.json', 'https://example.org/v1/x.json'],
      assets: {
        data: {
          href: 'https://example.org/a.tif',
          data_type: 'uint16',
          'raster:scale': 0.0001,
          bands: [
            { name: 'b1', 'eo:common_name': 'green', 'eo:center_wavelength': 0.56, nodata: 0 },
            { name: 'b2', 'eo:common_name': 'swir', statistics: { minimum: 1, median: 2 }, 'sar:x': 1 },
          ],
        },
        other: { href: 's3://bucket/b.tif', 'proj:code': 'ESRI:54009', 'proj:epsg_code': 3, 'eo:cloud_cover': 120 },
      },
    }),
  )
  assert.deepEqual((await validateStac([back])).errors, [])
  const [data, other] = [back.assets['data'], back.assets['other']] as unknown as JsonObject[]
  assert.deepEqual(data!['eo:bands'], [
    { name: 'b1', common_name: 'green', center_wavelength: 0.56 },
    { name: 'b2', given_common_name: 'swir', 'sar:x': 1 },
  ])
  assert.deepEqual(data!['raster:bands'], [
    { data_type: 'uint16', nodata: 0, scale: 0.0001 },
    { data_type: 'uint16', given_statistics: { minimum: 1, median: 2 }, scale: 0.0001 },
  ])
  assert.deepEqual(
    [other!['proj:epsg'], other!['proj:code'], other!['proj_epsg_code'], other!['eo_cloud_cover']],
    [null, 'ESRI:54009', 3, 120],
  )
  assert.deepEqual([back.properties['license'], back.properties['keywords']], ['proprietary', ['field']])
  assert.deepEqual([back.properties['proj:epsg'], back.properties['proj:code']], [32633, 'EPSG:32633'])
  assert.ok(back.stac_extensions.includes('https://example.org/v1/x.json'))
  assert.ok(!back.stac_extensions.some((address) => address.includes('/v2.')))
})

test('importing an exported Feature again does not change it', () => {
  const once = roundTrip(feature({ properties: { datetime: '2020-01-01T00:00:00.5Z', a: { b: [1, null] } } }))
  const { links: _, ...first } = once
  const { links: __, ...second } = roundTrip(once as unknown as JsonObject)
  assert.deepEqual(second, first)
})

test('non-standard times are normalized, and footprints that cross the antimeridian are split', async () => {
  const times: [unknown, string][] = [
    ['2020-01-02T03:04:05', '2020-01-02T03:04:05.000Z'],
    ['2020-01-02 03:04:05.678901+00:00', '2020-01-02T03:04:05.678901Z'],
    ['2020-01-02', '2020-01-02T00:00:00.000Z'],
    ['2020-01-02T03:04:05.1234567890123Z', '2020-01-02T03:04:05.123456789Z'],
  ]
  for (const [datetime, read] of times) {
    assert.equal(roundTrip(feature({ properties: { datetime } })).properties['datetime'], read)
  }
  const spans = { datetime: null, start_datetime: '2020-01-02T00:00:01Z', end_datetime: '2020-01-02T00:00:00Z' }
  assert.equal(roundTrip(feature({ properties: spans })).properties['start_datetime'], '2020-01-02T00:00:00.000Z')
  const ring = (west: number, east: number) => ({
    type: 'Polygon',
    coordinates: [[[west, 0], [east, 0], [east, 5], [west, 5], [west, 0]]],
  }) // prettier-ignore
  const over = roundTrip(feature({ geometry: ring(-180.5, -179), bbox: null }))
  assert.deepEqual([over.geometry?.type, over.bbox], ['MultiPolygon', [179.5, 0, -179, 5]])
  const point = roundTrip(feature({ geometry: { type: 'Point', coordinates: [190, 5] } }))
  assert.deepEqual(point.geometry, { type: 'Point', coordinates: [-170, 5] })
  const around = roundTrip(feature({ geometry: ring(170, 200), bbox: [170, 0, 200, 5] }))
  assert.deepEqual([around.geometry?.type, around.bbox], ['MultiPolygon', [170, 0, -160, 5]])
  assert.deepEqual((await validateStac([over, around])).errors, [])
  assert.deepEqual(errorPaths(feature({ geometry: ring(0, 5000) })), ['geometry.coordinates.0.1'])
  const all = roundTrip(feature({ geometry: ring(-181, 181), bbox: undefined }))
  assert.deepEqual(all.bbox, [-180, 0, 180, 5])
  // Jumps across the antimeridian only if the bbox crosses it.
  const jump = ring(170, -170)
  assert.deepEqual(roundTrip(feature({ geometry: jump, bbox: [170, 0, -170, 5] })).geometry, {
    type: 'MultiPolygon',
    coordinates: [
      [[[170, 0], [180, 0], [180, 5], [170, 5], [170, 0]]],
      [[[-180, 0], [-170, 0], [-170, 5], [-180, 5], [-180, 0]]],
    ],
  }) // prettier-ignore
  assert.deepEqual(roundTrip(feature({ geometry: jump, bbox: [-170, 0, 170, 5] })).geometry, jump)
  // A latitude beyond the pole is an error.
  const north = (y: number) => ({ type: 'Point', coordinates: [1, y] })
  assert.deepEqual(errorPaths(feature({ geometry: north(90.5) })), ['geometry.coordinates'])
})

test('invalid Features are reported with their path and never throw', () => {
  const invalidFeatures: [JsonObject, string][] = [
    [{}, 'type'],
    [feature({ properties: null }), 'properties'],
    [feature({ assets: [1] }), 'assets'],
    [feature({ assets: { a: null } }), 'assets'],
    [feature({ id: { $gt: '' } }), 'id'],
    [feature({ id: 'x'.repeat(501) }), 'id'],
    [feature({ geometry: 'POINT(0 0)' }), 'geometry'],
    [feature({ geometry: { type: 'Polygon', coordinates: [[[0, 'a']]] } }), 'geometry.coordinates.0.0'],
    [feature({ geometry: { type: 'Point', coordinates: [1e308, 1e308] } }), 'geometry.coordinates'],
    [feature({ properties: { datetime: 7 } }), 'properties.datetime'],
    [
      feature({ assets: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`a${n}`, { href: './x' }])) }),
      'assets',
    ],
    [feature({ assets: { a: { href: 'data:text/html,x' } } }), 'assets.a.href'],
    [feature({ assets: { a: {} } }), 'assets.a.href'],
    [feature({ assets: { '': { href: './x' } } }), 'assets.'],
  ]
  for (const [input, path] of invalidFeatures)
    assert.ok(errorPaths(input)[0]?.startsWith(path), `${path}: ${errorPaths(input)}`)
  const odd = [null, 1, 'x', [], {}, [[]], [null], { a: 1 }]
  for (const value of odd) {
    for (const name of ['links', 'stac_extensions', 'bbox', 'collection', 'stac_version']) {
      assert.doesNotThrow(() => parseStacItem(feature({ [name]: value }), [], options), name)
    }
    for (const name of [
      'eo:bands',
      'raster:bands',
      'bands',
      'proj:code',
      'proj:geometry',
      'file:values',
      'providers',
    ]) {
      const properties = { datetime: '2020-01-01T00:00:00Z', [name]: value, instruments: value, license: value }
      const assets = { data: { href: './a.tif', [name]: value, roles: value, title: value, type: value } }
      assert.doesNotThrow(() => roundTrip(feature({ properties, assets })), name)
    }
  }
})

test('an asset without an href is reported with its key', () => {
  const errors: FieldError[] = []
  parseStacItem(feature({ assets: { thumbnail: { title: 'An image' } } }), errors, options)
  assert.deepEqual(errors, [
    { path: 'assets.thumbnail.href', message: 'is missing: the asset "thumbnail" does not say where its file is' },
  ])
})

test('every exported extension field is valid against its schema', async () => {
  const odd = [null, -1, 361, 'x', '', [], {}, [1, 2], [{}], [{ name: 7 }], { lat: 1, lon: 999 }]
  const names = ['eo:bands', 'eo:cloud_cover', 'eo:unknown', 'raster:bands', 'raster:unknown', 'proj:epsg', 'proj:bbox']
  names.push(
    'proj:shape',
    'proj:transform',
    'proj:centroid',
    'proj:projjson',
    'proj:wkt2',
    'proj:geometry',
    'file:size',
  )
  names.push('file:checksum', 'file:values', 'file:local_path', 'file:byte_order', 'view:azimuth', 'view:sun_elevation')
  names.push('platform', 'instruments', 'gsd', 'providers', 'license', 'title', 'description', 'created')
  const datetime = '2020-01-01T00:00:00Z'
  const back = names.flatMap((name) =>
    [...odd, 12].flatMap((value) => {
      const assets = { data: { href: './a.tif', [name]: value } }
      const inBoth = feature({ properties: { datetime, [name]: value }, assets })
      return [roundTrip(inBoth), roundTrip(feature({ properties: { datetime }, assets }))]
    }),
  )
  assert.deepEqual((await validateStac(back)).errors, [])
})

test('asset and link hrefs are absolute with an allowed scheme, or relative to the item', () => {
  const self = 'https://example.org/a/item.json'
  const cases: [string, string | null, string | null][] = [
    ['https://example.org/x.tif', null, 'https://example.org/x.tif'],
    ['s3://bucket/x.tif', self, 's3://bucket/x.tif'],
    ['./x.tif', self, 'https://example.org/a/x.tif'],
    ['../x.tif', self, 'https://example.org/x.tif'],
    ['./x.tif', null, './x.tif'],
    ['../x.tif', null, null],
    ['/x.tif', null, null],
    ['//host/x.tif', null, null],
    ['file:///x', self, null],
    ['javascript:alert(1)', self, null],
    ['https://user@example.org/', null, null],
    ['a\tb', null, null],
    ['http://localhost/x.tif', null, null],
    ['https://[::ffff:169.254.169.254]/x.tif', null, null],
    ['./x.tif', 'https://10.0.0.1/item.json', null],
    ['s3://localhost/x.tif', null, 's3://localhost/x.tif'],
    ['..\\x', null, null],
  ]
  for (const [href, base, found] of cases) assert.equal(resolveAssetHref(href, base, isInternalUrl), found, href)
  assert.equal(resolveLinkHref('./x', null, isInternalUrl), './x')
  assert.equal(resolveLinkHref('../x', null, isInternalUrl), null)
  assert.equal(resolveLinkHref('javascript:x', self, isInternalUrl), null)
  assert.equal(resolveLinkHref('http://169.254.169.254/latest', self, isInternalUrl), null)
})

test('every version migration has its version and changelog entry', () => {
  for (const { since, changelog } of stacVersionMigrations) {
    assert.match(since, /\d+\.\d+\.\d+/)
    assert.ok(changelog.length > 20)
  }
})
