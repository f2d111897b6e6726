import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toProjjson } from '@swath/raster'
import { validateStacItem } from '../../../../test/stac-schemas.ts'
import { square } from '../../../../test/geometries.ts'
import type { RasterMetadata } from '../assets/raster-metadata.ts'
import { toStacAssets } from './stac-asset.ts'
import { resolveStacExtensions } from './stac-extensions.ts'
import { deriveItemServiceSource, rowToStacItem as rowToFeature, toStacProperties } from './stac-feature.ts'
import type { AssetRow } from '../assets/store.assets.ts'
import type { ItemRow } from '../store.ts'

const now = new Date('2026-03-01T00:00:00.000Z')
const base = 'https://imagery.example'
const organization = '019cc0de-0000-7000-8000-000000000009'
const id = '019cc0de-0000-7000-8000-000000000001'

const item: ItemRow = {
  id,
  project_id: '019cc0de-0000-7000-8000-000000000002',
  collection_id: '019cc0de-0000-7000-8000-000000000003',
  stac_id: id,
  type: 'satellite_capture',
  geometry: square(10, 50, 1),
  bbox: [10, 50, 11, 51],
  datetime: new Date('2024-06-01T10:00:00Z'),
  start_datetime: null,
  end_datetime: null,
  cloud_cover: 12.5,
  gsd: 10,
  name: 'Scene',
  description: null,
  properties: {
    platform: 'sentinel-2a',
    license: 'CC-BY-4.0',
    providers: [{ name: 'ESA', roles: ['producer'], url: 'https://www.esa.int' }],
    'service:source': 'forged',
    'eo:cloud_cover': 99,
  },
  stac_extensions: [],
  links: [],
  stac_source: null,
  lifecycle_state: 'active',
  expires_at: null,
  archived_at: null,
  previous_version_id: null,
  duplicated_from_id: null,
  order_id: '019cc0de-0000-7000-8000-000000000004',
  upload_id: null,
  job_id: null,
  deleted_at: null,
  created_by: 'someone',
  created_at: now,
  updated_at: now,
}

const statistics = { minimum: 1, maximum: 9000, mean: 1200.5, stddev: 300, valid_percent: 99.1, p2: 20, p98: 4000 }
const laea = {
  proj4: '+proj=laea +lat_0=50.72 +lon_0=-3.51 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs',
  name: 'local',
}

const rasterMetadata: RasterMetadata = {
  width: 100,
  height: 50,
  data_type: 'uint16',
  nodata: 0,
  epsg: 32632,
  crs_name: 'WGS 84 / UTM zone 32N',
  projjson: null,
  transform: [10, 0, 600000, 0, -10, 5600000],
  box: [600000, 5599500, 601000, 5600000],
  bounds: [10, 50, 11, 51],
  overviews: 1,
  bands: [
    { name: 'B04', common_name: 'red', colour: 'gray', scale: 1, offset: 0, statistics },
    { name: 'SCL', common_name: 'classes', colour: 'undefined', scale: 0.0001, offset: -0.1, statistics: null },
  ],
}

const asset = (key: string, raster: RasterMetadata | null): AssetRow => ({
  id: '019cc0de-0000-7000-8000-000000000005',
  item_id: id,
  key,
  title: null,
  blob_path: 'a/b.tif',
  external_href: null,
  media_type: raster ? 'image/tiff; application=geotiff; profile=cloud-optimized' : 'image/jpeg',
  roles: [raster ? 'data' : 'thumbnail'],
  file_size_bytes: 12345,
  checksum_sha256: 'ab'.repeat(32),
  band_names: ['B04', 'SCL'],
  raster,
  stac: {},
  ready: true,
  created_at: now,
  updated_at: now,
})

const origin = { source: 'USER', data_product_id: null, host_collection: null } as const

/** The Feature of an item stored with these assets. */
function toFeature(row: ItemRow, assets: readonly AssetRow[], root: string) {
  const stac_assets = toStacAssets(assets)
  const stac_extensions = resolveStacExtensions(row.stac_extensions, toStacProperties(row), stac_assets)
  return rowToFeature({ ...row, stac_assets, stac_extensions, origin }, organization, root)
}

test('an item is a valid STAC Item with every extension that it declares', async () => {
  const feature = toFeature(item, [asset('data', rasterMetadata), asset('thumbnail', null)], base)
  assert.deepEqual(await validateStacItem(feature), [])
  assert.deepEqual(feature.stac_extensions.map((address) => address.split('/')[3]).sort(), [
    'eo',
    'file',
    'projection',
    'raster',
  ])
  const data = feature.assets['data'] as unknown as Record<string, unknown>
  assert.equal(data['href'], `${base}/api/v1/items/${id}/assets/${asset('data', rasterMetadata).id}`)
  assert.equal(data['file:checksum'], `1220${'ab'.repeat(32)}`)
  assert.equal(data['file:size'], 12345)
  assert.deepEqual(data['eo:bands'], [{ name: 'B04', common_name: 'red' }, { name: 'SCL' }])
  assert.deepEqual((data['raster:bands'] as unknown[])[1], {
    data_type: 'uint16',
    nodata: 0,
    scale: 0.0001,
    offset: -0.1,
  })
  assert.equal(feature.properties['eo:cloud_cover'], 12.5)
})

test('service:source and service:item_id are derived, not read from stored properties', () => {
  assert.equal(toFeature(item, [], base).properties['service:source'], 'TASKING')
  assert.equal(toFeature(item, [], base).properties['service:item_id'], id)
  assert.equal(deriveItemServiceSource({ upload_id: id, job_id: null }), 'ARCHIVE')
  assert.equal(deriveItemServiceSource({ upload_id: null, job_id: id }), 'PROCESSING')
  assert.equal(deriveItemServiceSource({ upload_id: null, job_id: null }), 'TASKING')
})

test('links refer to the item, its collection and its licence', () => {
  const links = toFeature(item, [], base).links
  assert.deepEqual(
    links.map((link) => link.rel),
    ['self', 'root', 'parent', 'collection', 'license', 'via'],
  )
  assert.ok(links.every((link) => link.href.startsWith('https://')))
  const licenceLink = { rel: 'license', href: 'https://example.org/terms' }
  const linksWithLicence = toFeature(
    { ...item, links: [licenceLink], properties: { license: 'proprietary' } },
    [],
    base,
  ).links
  assert.deepEqual(
    linksWithLicence.filter((link) => link.rel === 'license'),
    [licenceLink],
  )
})

test('items without geometry, datetime, collection or EPSG code are valid', async () => {
  const minimalItem: ItemRow = {
    ...item,
    collection_id: null,
    geometry: null,
    bbox: null,
    datetime: null,
    cloud_cover: null,
    gsd: null,
    properties: {},
  }
  const undated = toFeature(minimalItem, [], base)
  assert.deepEqual(await validateStacItem(undated), [])
  const { datetime, start_datetime, end_datetime } = undated.properties
  assert.deepEqual([datetime, start_datetime, end_datetime], [null, '1850-01-01T00:00:00.000Z', now.toISOString()])
  const season = toFeature(
    { ...minimalItem, start_datetime: new Date('2024-01-01'), end_datetime: new Date('2024-02-01') },
    [],
    base,
  )
  assert.deepEqual(await validateStacItem(season), [])
  assert.equal(season.properties['datetime'], null)
  const custom = { ...rasterMetadata, epsg: null, projjson: toProjjson(laea), nodata: 'nan' as const }
  const feature = toFeature(item, [asset('data', custom)], base)
  assert.deepEqual(await validateStacItem(feature), [])
  const data = feature.assets['data'] as unknown as Record<string, unknown>
  assert.equal(data['proj:epsg'], null)
  assert.equal((data['proj:projjson'] as { type: string }).type, 'ProjectedCRS')
})

test('the STAC validator of the tests rejects invalid Items', async () => {
  const feature = toFeature(item, [asset('data', rasterMetadata)], base)
  assert.notDeepEqual(await validateStacItem({ ...feature, properties: {} } as never), [])
  assert.notDeepEqual(await validateStacItem({ ...feature, collection: undefined } as never), [])
})

test('a CRS without an EPSG code becomes valid PROJJSON', async () => {
  const texts = [
    '+proj=utm +zone=31 +south +datum=WGS84 +units=m',
    '+proj=lcc +lat_1=49 +lat_2=44 +lat_0=46.5 +lon_0=3 +x_0=700000 +y_0=6600000 +ellps=GRS80',
    '+proj=lcc +lat_1=49 +lon_0=3 +a=6378249.2 +b=6356515',
    '+proj=aea +lat_1=29.5 +lat_2=45.5 +lat_0=23 +lon_0=-96 +datum=NAD83 +units=us-ft',
    '+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84',
    '+proj=merc +lat_ts=10 +ellps=intl +to_meter=0.3048',
    '+proj=sinu +lon_0=0 +a=6371007.181 +b=6371007.181',
    '+proj=longlat +ellps=bessel',
    '+proj=longlat +ellps=bessel +pm=-17.666666666666668',
  ]
  for (const proj4 of texts) {
    const projjson = toProjjson({ proj4, name: 'x' })
    const feature = toFeature(item, [asset('data', { ...rasterMetadata, epsg: null, projjson })], base)
    assert.ok(projjson, proj4)
    assert.deepEqual(await validateStacItem(feature), [], proj4)
  }
})
