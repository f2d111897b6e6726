import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lonLatToCrs } from '@swath/raster'
import { encodeCog, sceneBands, sceneInput, sceneValue, storeRasterAsset } from '../../../../test/rasters.ts'
import { baseUrl, deliverItem, openTestServices } from '../../../../test/test-services.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import { Problem } from '../../../engine/problem.ts'
import { createDemoHosts } from '../../../platform/integrations/hosts/demo/demo-hosts.ts'
import { SafeFetchFailure, type Integrations, type SafeFetch } from '../../../platform/integrations/integrations.ts'
import { handler } from '../operations/catalog.granule_points.ts'
import { renderQuicklook } from '../scene-quicklook.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let integrations: Integrations
let assetUrl: string

const geojson = {
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', geometry: { type: 'Point', coordinates: [10, 50] }, properties: { name: 'a', height_m: 12.5 } },
    { type: 'Feature', geometry: { type: 'Point', coordinates: [10.5, 50.5, 3] }, properties: { height_m: -2 } },
    { type: 'Feature', geometry: { type: 'Point', coordinates: [12, 50] }, properties: { height_m: 1 } },
    { type: 'Feature', geometry: { type: 'Point', coordinates: [10.1, 50] }, properties: { height_m: 'none' } },
    { type: 'Feature', geometry: null, properties: {} },
    'not a feature',
  ],
}
const csv = [
  'id,Lat,Lon,ssh',
  ...Array.from({ length: 1000 }, (_, row) => `r${row},50.${row % 10},10.5,${row}`),
  '',
].join('\n')

function serve(tiff: Uint8Array): SafeFetch {
  const texts: Readonly<Record<string, string>> = {
    '/points.geojson': JSON.stringify(geojson),
    '/points.csv': csv,
    '/broken.json': '{',
    '/empty.csv': 'a,b\n1,2',
  }
  return async (url, options = {}) => {
    const { hostname, pathname } = new URL(url)
    if (hostname !== 'public.example')
      throw new SafeFetchFailure('address', 'The address does not lead to a public host.')
    const text = texts[pathname]
    if (text !== undefined) return { status: 200, headers: {}, body: new TextEncoder().encode(text), url }
    if (pathname !== '/scene.tif') return { status: 404, headers: {}, body: new Uint8Array(0), url }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(options.headers?.['range'] ?? '') ?? []
    const body = tiff.slice(Number(first), Number(last) + 1)
    const headers = { 'content-range': `bytes ${first}-${Number(first) + body.length - 1}/${tiff.length}` }
    return { status: 206, headers, body, url }
  }
}

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  const hosts = await createDemoHosts(new URL('../../../../demo/', import.meta.url), renderQuicklook)
  integrations = {
    ...app.integrations,
    fetch: serve(await encodeCog(sceneInput)),
    hosts: new Map(hosts.map((host) => [host.name, host])),
  }
  const asset = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  const { item_id } = await deliverItem(fixture.owner, fixture.project, { assets: [asset] })
  assetUrl = `${baseUrl}/api/v1/items/${item_id}/assets/${asset.id}`
})
after(() => app.close())

interface Points {
  points: [number, number, number][]
  value_label: string
  value_range: number[]
  count: number
  returned: number
  subsampled: boolean
}

async function readPoints(input: Record<string, unknown>, call = fixture.owner): Promise<Points> {
  const whole = { collection: 'sentinel-2-l2a', bbox: [-180, -90, 180, 90], ...input }
  const parsed = readCallInput(handler.operation, whole)
  return (await handler.handle({ ...call, integrations }, parsed as never)) as Points
}

/** The column and row of a position in the test scene. */
function pixelAt(longitude: number, latitude: number): [number, number] {
  const { crs, affine } = sceneInput.georeferencing!
  const [x, y] = lonLatToCrs(crs!, longitude, latitude)
  return [(x - affine![0]) / 10, (affine![3] - y) / 10]
}

test('points of a raster are the centres of its pixels with their values', async () => {
  const bbox = [10.43, 50.52, 10.433, 50.522]
  for (const href of ['https://public.example/scene.tif', assetUrl, new URL(assetUrl).pathname]) {
    const { points, value_label, value_range, count, returned, subsampled } = await readPoints({ href, bbox })
    assert.ok(points.length > 300 && points.length < 700, String(points.length))
    assert.deepEqual([count, returned, subsampled, value_label], [points.length, points.length, false, 'B02'])
    for (const [longitude, latitude, value] of points) {
      assert.ok(longitude >= 10.43 && longitude <= 10.433 && latitude >= 50.52 && latitude <= 50.522)
      const [column, row] = pixelAt(longitude, latitude)
      assert.ok(Math.abs((column % 1) - 0.5) < 0.01 && Math.abs((row % 1) - 0.5) < 0.01)
      assert.equal(value, sceneValue(0, Math.floor(column), Math.floor(row)))
    }
    const values = points.map(([, , value]) => value)
    assert.deepEqual(value_range, [Math.min(...values), Math.max(...values)])
  }
})

test('more points than allowed are read from an overview, or every n-th; empty pixels are left out', async () => {
  const href = 'https://public.example/scene.tif'
  const all = await readPoints({ href, max_points: 250_000 })
  // Pixels in the corner are nodata.
  assert.equal(all.subsampled, true)
  for (const max_points of [100, 1000, 60_000]) {
    const { points, count, returned, subsampled } = await readPoints({ href, max_points })
    assert.ok(returned === points.length && returned <= max_points && returned > max_points / 20, `${returned}`)
    assert.equal(subsampled, true)
    assert.ok(Math.abs(count - 512 * 512) < 0.1 * 512 * 512, String(count))
  }
})

test('a clip polygon and a box beside the raster', async () => {
  const href = 'https://public.example/scene.tif'
  const bbox = [10.43, 50.52, 10.433, 50.522]
  const clip_polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [10.43, 50.52],
        [10.433, 50.52],
        [10.43, 50.522],
        [10.43, 50.52],
      ],
    ],
  }
  const [whole, half] = [await readPoints({ href, bbox }), await readPoints({ href, bbox, clip_polygon })]
  assert.ok(Math.abs(half.count / whole.count - 0.5) < 0.05, `${half.count} of ${whole.count}`)
  assert.deepEqual(await readPoints({ href, bbox: [100, 0, 101, 1] }), {
    points: [],
    value_label: 'B02',
    value_range: [],
    count: 0,
    returned: 0,
    subsampled: false,
  })
})

test('points of GeoJSON and CSV files', async () => {
  const bbox = [9, 49, 11, 51]
  assert.deepEqual(await readPoints({ href: 'https://public.example/points.geojson', bbox }), {
    points: [
      [10, 50, 12.5],
      [10.5, 50.5, -2],
    ],
    value_label: 'height_m',
    value_range: [-2, 12.5],
    count: 2,
    returned: 2,
    subsampled: false,
  })
  const table = await readPoints({ href: 'https://public.example/points.csv', bbox, max_points: 300 })
  assert.deepEqual([table.value_label, table.count, table.returned, table.subsampled], ['ssh', 1000, 250, true])
  assert.deepEqual(table.points[1], [10.5, 50.4, 4])
})

test('refusals name the error', async () => {
  const href = 'https://public.example/points.csv'
  const otherOrganization = await app.createOrganization()
  const rows: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ href, collection: 'nothing' }, 'not-found'],
    [{ href, collection: 'naip' }, 'forbidden'],
    [{ href: 'https://192.168.0.1/points.csv' }, 'forbidden'],
    [{ href: 'https://192.168.0.1/scene.tif' }, 'forbidden'],
    [{ href: 'file:///etc/passwd' }, 'validation'],
    [{ href: 'https://user:word@public.example/scene.tif' }, 'validation'],
    [{ href: 'https://public.example/nothing.csv' }, 'upstream'],
    [{ href: 'https://public.example/nothing.tif' }, 'upstream'],
    [{ href: 'https://public.example/broken.json' }, 'upstream'],
    [{ href: 'https://public.example/empty.csv' }, 'upstream'],
    [{ href, bbox: [0, 5, 1, 4] }, 'validation'],
    [{ href, max_points: 99 }, 'validation'],
    [{ href, clip_polygon: { type: 'Polygon', coordinates: [] } }, 'validation'],
  ]
  const hasProblem = (problem: string) => (error: unknown) => error instanceof Problem && error.problem === problem
  for (const [input, problem] of rows)
    await assert.rejects(readPoints(input), hasProblem(problem), JSON.stringify(input))
  await assert.rejects(readPoints({ href: assetUrl }, otherOrganization.owner), hasProblem('not-found'))
})
