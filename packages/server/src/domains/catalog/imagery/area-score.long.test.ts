import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { SceneAreaScore } from '@swath/contract/schemas/catalog.ts'
import type { Polygon } from '@swath/geo/geojson.ts'
import { crsToLonLat, writeCog, type CogInput } from '@swath/raster'
import { sceneInput } from '../../../../test/rasters.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import { Problem } from '../../../engine/problem.ts'
import { createDemoHosts } from '../../../platform/integrations/hosts/demo/demo-hosts.ts'
import type { HostBand, ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { handler } from '../operations/catalog.aoi_score.ts'
import { renderQuicklook } from '../scene-quicklook.ts'

/** Scores of areas in rasters with known clouds. */
let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let folder: string
let open: ImageryHost

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  folder = await mkdtemp(join(tmpdir(), 'swath-clouds-'))
  open = (await createDemoHosts(new URL('../../../../demo/', import.meta.url), renderQuicklook))[0]!
})
after(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const size = 200
type ValueAt = (band: number, column: number, row: number) => number

/** A raster of 200 × 200 pixels of 10 m. */
const createInput = (bands: number, valueAt: ValueAt, nodata: number | null): CogInput => ({
  ...sceneInput,
  width: size,
  height: size,
  bands: Array.from({ length: bands }, (_, index) => ({ name: `b${index}`, colour: 'undefined', scale: 1, offset: 0 })),
  nodata,
  readRows: async (top, rows) => {
    const count = size * rows
    const data = new Uint16Array(count * bands)
    for (let at = 0; at < data.length; at += 1) {
      const pixel = at % count
      data[at] = valueAt(Math.floor(at / count), pixel % size, top + Math.floor(pixel / size))
    }
    const pixels = new Uint16Array(data.length)
    for (let at = 0; at < data.length; at += 1) pixels[(at % count) * bands + Math.floor(at / count)] = data[at]!
    const mask =
      nodata === null ? null : Uint8Array.from({ length: count }, (_, pixel) => (data[pixel] === nodata ? 0 : 255))
    return { width: size, rows, bands, data: pixels, mask }
  },
})

/** The part of the raster between two columns and two rows. */
function areaOf(left: number, top: number, right: number, bottom: number): Polygon {
  const { crs, affine } = sceneInput.georeferencing!
  const corner = (column: number, row: number) => crsToLonLat(crs!, affine![0] + 10 * column, affine![3] - 10 * row)
  const first = corner(left, top)
  return {
    type: 'Polygon',
    coordinates: [[first, corner(left, bottom), corner(right, bottom), corner(right, top), first]],
  }
}

interface MadeScene {
  readonly input: CogInput
  readonly bands: readonly HostBand[]
  readonly rescale?: string
}

/** A host with one scene, `made`. */
async function createHost({ input, bands, rescale }: MadeScene): Promise<ImageryHost> {
  const { path } = await writeCog(input, join(folder, `${Math.random()}.tif`))
  const [template] = await open.search({ limit: 1 })
  const scene = {
    ...template!,
    id: 'made',
    geometry: areaOf(0, 0, size, size),
    properties: { 'eo:cloud_cover': 12 },
  }
  const render_params = rescale === undefined ? {} : { rescale }
  return {
    ...open,
    collections: open.collections.map((collection) => ({ ...collection, render_params })),
    search: async ({ ids = [] }) => (ids.includes('made') ? [scene] : []),
    sceneFiles: async () => ({
      scene,
      files: [{ asset: 'data', bands, nodata: null, location: { kind: 'local', path, version: '1' } }],
    }),
  }
}

async function scoreIn(host: ImageryHost, geometry: unknown, image_ids: readonly string[] = ['made']) {
  const integrations = { ...app.integrations, hosts: new Map([['open', host]]) }
  const input = readCallInput(handler.operation, { host_name: 'open', image_ids, geometry })
  return (await handler.handle({ ...fixture.owner, integrations }, input as never)) as { scores: SceneAreaScore[] }
}

const near = (actual: number | null, expected: number, message: string): void =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= 1.5, `${message}: ${actual}, not ${expected}`)

const masks: readonly (readonly [name: string, fill: number, cloud: number, haze: number, clear: number])[] = [
  ['SCL', 0, 9, 10, 4],
  ['Fmask', 255, 0b10, 0b1100_0000, 0],
  ['qa_pixel', 1, 0b1000, 0b100, 0b100_0000],
  ['BQA', 1, 0b1_0000, 0b1_1000_0000_0000, 0b10_0000_0000],
]

test('cloud and haze within an area are counted in the mask of each provider', async () => {
  for (const [name, fill, cloud, haze, clear] of masks) {
    // Cloud on the left half; haze on a quarter; fill in the lowest tenth.
    const valueAt: ValueAt = (_, column, row) => (row >= 180 ? fill : column < 100 ? cloud : row < 100 ? haze : clear)
    const host = await createHost({
      input: createInput(1, valueAt, null),
      bands: [{ name, common_name: null, categorical: true }],
    })
    const [whole] = (await scoreIn(host, areaOf(0, 0, size, size))).scores
    assert.equal(whole!.source, 'cloud-mask')
    assert.equal(whole!.scene_cloud_percent, 12)
    near(whole!.covered_percent, 100, name)
    near(whole!.measured_percent, 90, name)
    near(whole!.cloud_percent, 50, name)
    near(whole!.haze_percent, (100 * 100 * 100) / (180 * 200), name)
    const [part] = (await scoreIn(host, areaOf(80, 120, 180, 160))).scores
    near(part!.cloud_percent, 20, name)
    near(part!.haze_percent, 0, name)
    // Half of the area is outside of the scene.
    const [edge] = (await scoreIn(host, areaOf(150, 100, 250, 150))).scores
    near(edge!.covered_percent, 50, name)
    near(edge!.measured_percent, 50, name)
    near(edge!.cloud_percent, 0, name)
  }
})

test('without a mask, bright pixels without colour are cloud; without known brightness there is no score', async () => {
  const colours: Readonly<Record<string, readonly number[]>> = {
    cloud: [2800, 2900, 2950],
    roof: [2900, 1200, 900],
    forest: [300, 500, 250],
  }
  const valueAt: ValueAt = (band, column, row) =>
    (column < 60 ? colours['cloud']! : row < 50 ? colours['roof']! : colours['forest']!)[band]!
  const bands = ['red', 'green', 'blue'].map((name) => ({ name, common_name: name }))
  const input = createInput(3, valueAt, null)
  const [score] = (await scoreIn(await createHost({ input, bands, rescale: '0,3000' }), areaOf(0, 0, size, size)))
    .scores
  assert.equal(score!.source, 'brightness')
  near(score!.cloud_percent, 30, 'cloud')
  assert.equal(score!.haze_percent, null)
  const scaled = bands.map((band) => ({ ...band, scale: 0.0001 }))
  const [reflectance] = (await scoreIn(await createHost({ input, bands: scaled }), areaOf(0, 0, size, size))).scores
  near(reflectance!.cloud_percent, 30, 'reflectance')
  const [unknown] = (await scoreIn(await createHost({ input, bands }), areaOf(0, 0, size, size))).scores
  assert.deepEqual([unknown!.source, unknown!.cloud_percent, unknown!.measured_percent], [null, null, 100])
  assert.match(unknown!.reason ?? '', /not known how bright/)
  near(unknown!.covered_percent, 100, 'the footprint is known all the same')
})

test('a score is the same every time, and agrees with the scene of a provider', async () => {
  const ids = ['hls-exe-20210608', 's2-exe-20240801']
  const scenes = await open.search({ ids, limit: 2 })
  for (const { id, geometry, properties } of scenes) {
    const [first] = (await scoreIn(open, geometry, [id])).scores
    assert.deepEqual((await scoreIn(open, geometry, [id])).scores, [first])
    const stated = properties['eo:cloud_cover'] as number
    assert.ok(Math.abs(first!.cloud_percent! - stated) < 6, `${id}: ${first!.cloud_percent}, stated ${stated}`)
  }
  const both = (await scoreIn(open, scenes[0]!.geometry, [...ids, ids[0]!])).scores
  assert.deepEqual(
    both.map(({ scene_id }) => scene_id),
    ids,
  )
})

test('an area beside the scene, unreadable files, unknown scenes and invalid areas', async () => {
  const host = await createHost({
    input: createInput(1, () => 4, null),
    bands: [{ name: 'SCL', common_name: null, categorical: true }],
  })
  const [outside] = (await scoreIn(host, areaOf(300, 300, 400, 400))).scores
  assert.deepEqual([outside!.covered_percent, outside!.cloud_percent, outside!.source], [0, null, null])
  const { sceneFiles: _, ...closed } = host
  assert.equal((await scoreIn(closed, areaOf(0, 0, 9, 9))).scores[0]!.source, null)
  const hasProblem = (problem: string) => (error: unknown) => error instanceof Problem && error.problem === problem
  await assert.rejects(scoreIn(host, areaOf(0, 0, 9, 9), ['made', 'nothing']), hasProblem('not-found'))
  const unclosed = areaOf(0, 0, 9, 9).coordinates[0]!.slice(0, 4)
  await assert.rejects(scoreIn(host, { type: 'Polygon', coordinates: [unclosed] }), hasProblem('validation'))
  const many = Array.from({ length: 51 }, (_value, index) => `scene ${index}`)
  await assert.rejects(scoreIn(host, areaOf(0, 0, 9, 9), many), hasProblem('validation'))
})
