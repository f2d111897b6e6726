import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SceneInfo, SceneVisualization } from '@swath/contract/schemas/catalog.ts'
import { decodePng } from '../../../../test/rasters.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import type { OperationHandler } from '../../../engine/handler.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import type { BytesResponse } from '../../../engine/operation-response.ts'
import { Problem } from '../../../engine/problem.ts'
import { createDemoHosts } from '../../../platform/integrations/hosts/demo/demo-hosts.ts'
import type { ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import type { Integrations } from '../../../platform/integrations/integrations.ts'
import { handler as catalogImageQuicklook } from '../operations/catalog.image.quicklook.ts'
import { handler as catalogImageThumbnail } from '../operations/catalog.image.thumbnail.ts'
import { handler as catalogInfoLandsat } from '../operations/catalog.info.landsat.ts'
import { handler as catalogInfoNaip } from '../operations/catalog.info.naip.ts'
import { handler as catalogInfoSample } from '../operations/catalog.info.sample.ts'
import { handler as catalogInfoSentinel } from '../operations/catalog.info.sentinel.ts'
import { handler as catalogProviderSamples } from '../operations/catalog.provider.samples.ts'
import { handler as catalogVizLandsat } from '../operations/catalog.viz.landsat.ts'
import { handler as catalogVizNaip } from '../operations/catalog.viz.naip.ts'
import { renderQuicklook } from '../scene-quicklook.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let hosts: ImageryHost[]
let integrations: Integrations

const withHosts = (list: readonly ImageryHost[]): Integrations => ({
  ...app.integrations,
  hosts: new Map(list.map((host) => [host.name, host])),
})

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  hosts = await createDemoHosts(new URL('../../../../demo/', import.meta.url), renderQuicklook)
  integrations = withHosts(hosts)
})
after(() => app.close())

const invoke = async <T>(handler: OperationHandler, input: Record<string, unknown>, other = integrations): Promise<T> =>
  (await handler.handle(
    { ...fixture.owner, integrations: other },
    readCallInput(handler.operation, input) as never,
  )) as T

const hasProblem = (problem: string) => (error: unknown) => error instanceof Problem && error.problem === problem

test('the description of a scene has its bands, grid and zoom levels', async () => {
  const { info } = await invoke<{ info: SceneInfo }>(catalogInfoSentinel, { scene_id: 's2-bolzano-20220612' })
  assert.deepEqual(
    info.bands.map(({ name, description }) => `${name} ${description}`),
    ['B04 red', 'B03 green', 'B02 blue', 'B08 nir', 'SCL null'],
  )
  assert.deepEqual([info.crs, info.gsd, info.dtype], ['EPSG:32632', 10, 'uint16'])
  assert.ok(info.minzoom < info.maxzoom && info.maxzoom >= 13 && info.maxzoom <= 15, `${info.minzoom} ${info.maxzoom}`)
  const expected = [11.278983, 46.45956, 11.403439, 46.525447]
  assert.ok(
    info.bounds.every((degrees, index) => Math.abs(degrees - expected[index]!) < 0.01),
    String(info.bounds),
  )

  const landsat = await invoke<{ info: SceneInfo }>(catalogInfoLandsat, { scene_id: 'l8-elkton' })
  assert.equal(landsat.info.bands.length, 12)
})

test('the zoom levels of a scene for sale end at its preview', async () => {
  const { info } = await invoke<{ info: SceneInfo }>(catalogInfoNaip, { scene_id: 'naip-nd-20190904' })
  // About 4.7 km in at most 512 pixels, at 47 degrees north.
  assert.ok(info.maxzoom <= 14, String(info.maxzoom))
  const sample = await invoke(catalogInfoSample, { provider: 'commercial', scene_id: 'naip-nd-20190904' })
  assert.deepEqual(sample, { info })
})

test('scenes of another family, host or name are not found; a host that fails is named', async () => {
  for (const [handler, input] of [
    [catalogInfoLandsat, { scene_id: 's2-bolzano-20220612' }],
    [catalogInfoNaip, { scene_id: 'l8-elkton' }],
    [catalogInfoSentinel, { scene_id: 'nothing' }],
    [catalogInfoSample, { provider: 'open', scene_id: 'naip-va-17n' }],
    [catalogInfoSample, { provider: 'nobody', scene_id: 'naip-va-17n' }],
    [catalogProviderSamples, { provider: 'nobody' }],
    [catalogImageThumbnail, { host_name: 'open', image_id: 'nothing' }],
  ] as const) {
    await assert.rejects(invoke(handler, input), hasProblem('not-found'), handler.operation.id)
  }
  const failing: ImageryHost = { ...hosts[0]!, name: 'down', sceneFiles: async () => Promise.reject(new Error('down')) }
  const others = withHosts([failing, ...hosts])
  await assert.rejects(invoke(catalogInfoSentinel, { scene_id: 'nothing' }, others), hasProblem('upstream'))
  await invoke(catalogInfoSentinel, { scene_id: 's2-bolzano-20220612' }, others)
  const closed: ImageryHost = {
    ...hosts[0]!,
    sceneFiles: async (id) => ({ scene: (await hosts[0]!.search({ ids: [id], limit: 1 }))[0]!, files: [] }),
  }
  await assert.rejects(
    invoke(catalogInfoSentinel, { scene_id: 's2-bolzano-20220612' }, withHosts([closed])),
    hasProblem('unsupported-raster'),
  )
})

test('visualizations of a family name the bands by their common names', async () => {
  interface Visualizations {
    visualizations: SceneVisualization[]
    total: number
  }
  const landsat = await invoke<Visualizations>(catalogVizLandsat, {})
  const byId = new Map(landsat.visualizations.map((visualization) => [visualization.id, visualization]))
  assert.equal(byId.size, landsat.total)
  assert.equal(byId.get('true-color')?.bands, 'red,green,blue')
  assert.equal(byId.get('shortwave-infrared')?.bands, 'swir16,nir,red')
  assert.match(byId.get('ndvi')!.expression!, /nir.*red/)
  const naip = await invoke<Visualizations>(catalogVizNaip, {})
  assert.ok(naip.visualizations.some(({ id }) => id === 'false-color'))
  assert.ok(!naip.visualizations.some(({ id }) => id === 'shortwave-infrared'))
})

test('samples of a provider are paged, newest first', async () => {
  interface Samples {
    samples: { id: string }[]
    total: number
  }
  const { samples, total } = await invoke<Samples>(catalogProviderSamples, { provider: 'open', limit: 1000 })
  assert.equal(total, 19)
  const second = await invoke<Samples>(catalogProviderSamples, { provider: 'open', limit: 5, offset: 5 })
  assert.deepEqual(
    second.samples.map(({ id }) => id),
    samples.slice(5, 10).map(({ id }) => id),
  )
})

test('a thumbnail is a smaller image than the quicklook', async () => {
  const { body } = await invoke<BytesResponse>(catalogImageThumbnail, {
    host_name: 'commercial',
    image_id: 'naip-nd-20190904',
  })
  const { width, height } = decodePng(body)
  assert.equal(Math.max(width, height), 160)
  // A host without thumbnails has a quicklook.
  const { thumbnail: _, ...plain } = hosts[1]!
  const image = { host_name: 'commercial', image_id: 'naip-nd-20190904' }
  const quicklook = decodePng((await invoke<BytesResponse>(catalogImageThumbnail, image, withHosts([plain]))).body)
  assert.equal(Math.max(quicklook.width, quicklook.height), 512)
})

test('a quicklook that cannot be converted is refused only where its format was asked for', async () => {
  const image = { host_name: 'commercial', image_id: 'naip-nd-20190904' }
  const { body } = await invoke<BytesResponse>(catalogImageQuicklook, image)
  const interlaced = Uint8Array.from(body as Uint8Array)
  interlaced[28] = 1
  const host = { ...hosts[1]!, quicklook: async () => ({ bytes: interlaced, media_type: 'image/png' }) } as ImageryHost
  const read = async (
    input: object,
    { integrations: other = integrations, preferredImageFormat = null as 'jpeg' | null },
  ) =>
    (await catalogImageQuicklook.handle(
      { ...fixture.owner, integrations: other, preferredImageFormat },
      readCallInput(catalogImageQuicklook.operation, { ...image, ...input }) as never,
    )) as BytesResponse
  const preferredImageFormat = 'jpeg'
  assert.equal((await read({}, { preferredImageFormat })).media_type, 'image/jpeg')
  const unreadable = { integrations: withHosts([host]), preferredImageFormat } as const
  const kept = await read({}, unreadable)
  assert.deepEqual([kept.media_type, kept.body], ['image/png', interlaced])
  await assert.rejects(read({ format: 'jpeg' }, unreadable), hasProblem('unsupported-raster'))
})
