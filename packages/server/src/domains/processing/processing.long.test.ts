import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Job } from '@swath/contract/schemas/job.ts'
import { createCrsFromEpsg, openRasterFile, readWindow, lonLatToCrs, type CogInput } from '@swath/raster'
import { assertRejected } from '../../../test/call-operation.ts'
import { square } from '../../../test/geometries.ts'
import { storeFileAsset, storeRasterAsset } from '../../../test/rasters.ts'
import { createQueuedOrganization } from '../../../test/task-runner.ts'
import { deliverItem, openTestServices, type TestServices } from '../../../test/test-services.ts'
import { Problem } from '../../engine/problem.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { newId } from '../../platform/ids.ts'
import type { QueueProducer } from '../../platform/queue/queue.ts'
import { sql } from '../../platform/database/sql.ts'
import { findAssetsOfItem } from '../items/assets/store.assets.ts'
import { getItemFolder } from '../items/item-folder.ts'
import { findItem } from '../items/store.ts'
import type { DeliveredAsset } from '../items/deliver.ts'
import { grantCredits, readWalletBalance } from '../ledger/ledger.ts'
import { removeUnregisteredJobFiles, removeRunFiles } from './clean-job.ts'
import { getRunFolder } from './job-plan.ts'
import { findJob } from './store.ts'
import { listJobs } from './store.lists.ts'

const scenes = join(import.meta.dirname, '../../../../../fixtures/rasters/scenes')
const redAndNir = [
  { name: 'B04', common_name: 'red' },
  { name: 'B08', common_name: 'nir' },
]
const withClasses = [...redAndNir, { name: 'SCL', common_name: null }]

let services: TestServices
let org: Awaited<ReturnType<typeof createQueuedOrganization>>
/** Items with real imagery: Sentinel-2 near Bolzano, and near Exeter with its classification; heights near Storm Lake. */
let bolzano: string
let exeter: string
let heights: string
before(async () => {
  services = await openTestServices()
  org = await createQueuedOrganization(services)
  const reference = { type: 'purchase', id: newId() }
  await org.owner.transaction((tx) =>
    grantCredits(tx, org.owner, { kind: 'purchase', amount_credits: 10_000, reference }),
  )
  bolzano = await deliverScene('bolzano.tif', redAndNir)
  exeter = await deliverScene('exe-laea.tif', withClasses)
  heights = await deliverScene('elevation-stormlake.tif')
})
after(() => services?.close())

async function deliverScene(file: string, bands: typeof withClasses = []): Promise<string> {
  const asset = await storeFileAsset(services.blobs, join(scenes, file), bands)
  return (await deliverItem(org.owner, org.project, { assets: [asset] })).item_id
}

interface Started {
  readonly job: Job
  readonly dispatch: { readonly accepted: boolean; readonly reason: string | null }
}

const execute = (process_id: string, inputs: object, options: object = {}) =>
  org.invoke<Started>('processing.execute', { process_id, workspaceId: org.project, inputs, ...options })

const getJob = async (job_id: string): Promise<Job> =>
  (await org.invoke<{ job: Job }>('processing.job.get', { job_id })).job

async function balance() {
  const wallet = await readWalletBalance(org.owner.db, org.organization, org.owner.clock.now())
  return { available_credits: wallet.available_credits, held_credits: wallet.held_credits }
}

/** Executes a process to its end; fails unless it completed. */
async function complete(process_id: string, inputs: object): Promise<Job> {
  const { job } = await execute(process_id, inputs)
  await org.runner.runPending()
  const ended = await getJob(job.id)
  assert.equal(ended.status, 'completed', JSON.stringify(ended.failure))
  return ended
}

/** The pixels of the data of an item, as one band after the other. */
async function readItem(item_id: string, key = 'data', level = 0) {
  const assets = await findAssetsOfItem(org.owner.db, org.organization, item_id)
  const asset = assets.find((row) => row.key === key)!
  const raster = await openRasterFile(services.blobs.localPath(asset.blob_path!)!)
  try {
    const { width, height } = raster.levels[level]!
    return { raster, asset, ...(await readWindow(raster, { level, window: [0, 0, width, height] })) }
  } finally {
    await raster.source.close()
  }
}

const eventsOf = async (id: string): Promise<{ kind: string; data: Record<string, unknown> }[]> =>
  org.owner.db.query(sql`
    select kind, data from events where organization_id = ${org.organization} and entity_id = ${id} order by id`)

/** The paths in blob storage of the items that a job would have written. */
async function filesOf(job_id: string): Promise<string[]> {
  const [row] = await org.owner.db.query<{ plan: { items: { id: string }[] } }>(sql`
    select plan from processing_jobs where organization_id = ${org.organization} and id = ${job_id}`)
  const paths: string[] = []
  for (const { id } of row!.plan.items)
    for await (const { path } of services.blobs.list(`${getItemFolder(org.organization, id)}/`)) paths.push(path)
  return paths
}

test('a spectral index has the values of its formula, and the job is paid, recorded and traced', async () => {
  const before = await balance()
  const { job: started, dispatch } = await execute('spectral-index', { item: bolzano, index: 'ndvi', title: 'NDVI' })
  assert.deepEqual([started.status, started.settlement, dispatch.accepted], ['dispatched', 'reserved', true])
  assert.equal((await balance()).held_credits - before.held_credits, started.credits_held)
  assert.ok(started.credits_held > 0)
  await org.runner.runPending()
  const job = await getJob(started.id)
  assert.deepEqual([job.status, job.settlement, job.progress, job.attempt], ['completed', 'captured', 1, 1])
  assert.equal(job.credits_captured, started.credits_held)
  assert.deepEqual(await balance(), { ...before, available_credits: before.available_credits - job.credits_captured })

  const [source, result] = [await readItem(bolzano), await readItem(job.item_ids[0]!)]
  const pixels = source.width * source.height
  let [valid, worst] = [0, 0]
  for (let at = 0; at < pixels; at++) {
    const [red, nir] = [source.data[at]!, source.data[pixels + at]!]
    // The scene has nodata 0: there is no value where one of the bands has none.
    if (red === 0 || nir === 0) {
      if (!Number.isNaN(result.data[at]!)) worst = Infinity
      continue
    }
    valid++
    worst = Math.max(worst, Math.abs(result.data[at]! - (nir - red) / (nir + red)))
  }
  assert.ok(worst < 1e-6, String(worst))
  assert.ok(valid > pixels / 2)

  assert.match(result.asset.blob_path!, new RegExp(`/items/${job.item_ids[0]}/[0-9a-f-]{36}/data\\.tif$`))
  const item = (await findItem(org.owner.db, org.organization, job.item_ids[0]!))!
  assert.deepEqual(
    [item.name, item.type, item.job_id, item.project_id],
    ['NDVI', 'derived_raster', job.id, org.project],
  )
  assert.deepEqual(result.asset.band_names, ['ndvi'])
  const { profiles } = await org.invoke<{ profiles: Record<string, unknown>[] }>('visualization.profiles.list', { item_id: item.id }) // prettier-ignore
  assert.deepEqual(
    profiles.map(({ type, is_default, config }) => [type, is_default, config]),
    [['singleband', true, { bands: [1], rescale: [-0.2, 0.9], colormap: 'RdYlGn' }]],
    'drawn as an index is, not grey',
  )
  const stac = await org.invoke<{ properties: Record<string, unknown> }>('items.get_stac', { item_id: item.id })
  assert.equal(stac.properties['service:source'], 'PROCESSING')
  const events = await eventsOf(job.id)
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['job.created', 'job.started', 'job.completed', 'job.captured'],
  )
  assert.deepEqual(events[2]!.data, { item_ids: job.item_ids })
  assert.equal(events[3]!.data['credits'], job.credits_captured)
  const lineage = await org.invoke<{ edges: Record<string, string>[] }>('provenance.get', {
    entity_type: 'item',
    entity_id: item.id,
  })
  const edges = lineage.edges
    .filter(({ src_id }) => src_id === item.id)
    .map(({ relation, dst_id }) => [relation, dst_id])
  assert.deepEqual(edges.toSorted(), [
    ['derived_from', bolzano],
    ['produced_by', job.id],
  ])
  const exported = await org.invoke<{ activity: Record<string, Record<string, string>> }>('provenance.export', {
    entity_type: 'item',
    entity_id: item.id,
  })
  const receipt = JSON.parse(exported.activity[`swath:processing_job/${job.id}`]!['swath:receipt']!) as {
    sources: { sha256: string }[]
    outputs: { sha256: string }[]
  }
  assert.equal(receipt.sources[0]!.sha256, source.asset.checksum_sha256)
  assert.equal(receipt.outputs[0]!.sha256, result.asset.checksum_sha256)
})

test('equal inputs share the result without a charge, unless it is computed again or was deleted', async () => {
  const inputs = { item: bolzano, expression: 'B08 - B04', title: 'Difference' }
  const first = await complete('band-math', inputs)
  const before = await balance()
  const { job, dispatch } = await execute('band-math', inputs)
  assert.deepEqual([job.status, job.reused_job_id, job.item_ids], ['completed', first.id, first.item_ids])
  assert.match(dispatch.reason ?? '', /shared, without a charge/)
  assert.deepEqual(await balance(), before)
  assert.equal((await execute('band-math', inputs, { reuse: false })).job.status, 'dispatched')
  const other = await execute('band-math', { ...inputs, expression: 'B04 - B08' })
  assert.equal(other.job.reused_job_id, null)
  await org.runner.runPending()
  const jobs = await org.invoke<{ jobs: Job[] }>('processing.jobs.list', {
    processId: 'band-math',
    status: 'COMPLETED',
  })
  for (const { item_ids } of jobs.jobs)
    await org.invoke('items.delete', { item_id: item_ids[0]! }).catch(() => undefined)
  assert.equal((await execute('band-math', inputs)).job.reused_job_id, null)
  await org.runner.runPending()
})

test('a clip keeps the pixels whose centres are inside, for each asset', async () => {
  const source = await readItem(bolzano)
  const { raster } = source
  const area = square(11.3, 46.475, 0.02)
  const job = await complete('clip', { item: bolzano, geometry: area })
  const clipped = await readItem(job.item_ids[0]!)
  const item = (await findItem(org.owner.db, org.organization, job.item_ids[0]!))!
  assert.equal(item.type, 'clip')
  const [west, south, east, north] = item.bbox!
  assert.ok(west! >= 11.299_999 && south! >= 46.474_999 && east! <= 11.320_001 && north! <= 46.495_001)
  const left = Math.round((clipped.raster.affine[0] - raster.affine[0]) / raster.affine[1])
  const top = Math.round((clipped.raster.affine[3] - raster.affine[3]) / raster.affine[5])
  const ring = area.coordinates[0]!.map(([x, y]) => lonLatToCrs(raster.crs, x, y))
  let inside = 0
  const wrong: Place[] = []
  for (let y = 0; y < clipped.height; y++)
    for (let x = 0; x < clipped.width; x++) {
      const centre = [
        raster.affine[0] + (left + x + 0.5) * raster.affine[1],
        raster.affine[3] + (top + y + 0.5) * raster.affine[5],
      ] as const
      if (distanceToRing(centre, ring) < 0.05) continue
      const isInside = isInRing(centre, ring)
      const [at, from] = [y * clipped.width + x, (top + y) * source.width + left + x]
      if (isInside) inside++
      if (isInside ? clipped.data[at] !== source.data[from] : clipped.mask[at] !== 0) wrong.push(centre)
    }
  assert.deepEqual(wrong, [])
  assert.ok(inside > 10_000)
})

type Place = readonly [number, number]

/** True for a place within a ring, by the number of edges to the east of it. */
const isInRing = ([x, y]: Place, ring: readonly Place[]): boolean =>
  ring.slice(1).filter(([x2, y2], index) => {
    const [x1, y1] = ring[index]!
    return y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)
  }).length %
    2 ===
  1

const distanceToRing = ([x, y]: Place, ring: readonly Place[]): number =>
  Math.min(
    ...ring.slice(1).map(([x2, y2], index) => {
      const [x1, y1] = ring[index]!
      const [dx, dy] = [x2 - x1, y2 - y1]
      const t = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)))
      return Math.hypot(x - x1 - t * dx, y - y1 - t * dy)
    }),
  )

test('every other process completes on real imagery with a cloud-optimized GeoTIFF', async () => {
  const cases: readonly (readonly [string, object])[] = [
    ['reproject', { item: bolzano, epsg: 4326 }],
    ['resample', { item: bolzano, resolution: 40, resampling: 'average' }],
    ['format-conversion', { item: heights, compression: 'zstd' }],
    ['mosaic', { items: [bolzano, bolzano], method: 'mean' }],
    ['composite', { items: [bolzano, bolzano], period: 'year' }],
    ['cloud-mask', { item: exeter, mask_band: 'SCL', bits: [0] }],
    ['hillshade', { item: heights }],
    ['slope', { item: heights, slope_unit: 'percent' }],
    ['aspect', { item: heights }],
    ['sieve', { item: exeter, band: 'SCL', min_pixels: 4 }],
    ['pan-sharpen', { item: exeter, pan_band: 'nir', bands: ['red'], weights: [1] }],
    ['rasterize', { item: bolzano, areas: [{ geometry: square(11.3, 46.475, 0.02), value: 7 }] }],
  ]
  for (const [process_id, inputs] of cases) {
    const estimate = await org.invoke<{ credits: number }>('processing.catalog.estimate', { process_id, inputs })
    const job = await complete(process_id, inputs)
    assert.equal(job.credits_captured, estimate.credits, process_id)
    const { raster, asset } = await readItem(job.item_ids[0]!)
    assert.ok(asset.checksum_sha256 && raster.levels.length >= 1, process_id)
  }
})

test('overviews of classes have classes that exist, and classes do not share the results of measures', async () => {
  const [width, height] = [1100, 900]
  const input: CogInput = {
    width,
    height,
    sampleType: 'uint8',
    bands: [{ name: 'class', colour: 'gray', scale: 1, offset: 0 }],
    nodata: null,
    masked: false,
    georeferencing: {
      affine: [500_000, 10, 0, 5_000_000, 0, -10],
      crs: await createCrsFromEpsg(32_633),
      geoTags: null,
    },
    readRows: async (_, rows) => {
      const data = Uint8Array.from({ length: width * rows }, (_value, at) => ((at % width) % 3 === 0 ? 1 : 9))
      return { width, rows, bands: 1, data, mask: null }
    },
  }
  const [measures, classes] = [
    await storeRasterAsset(services.blobs, input, []),
    await storeRasterAsset(services.blobs, input, []),
  ]
  const bands = classes.raster!.bands.map((band) => ({ ...band, categorical: true }))
  const valuesOfOverview = async (asset: DeliveredAsset) => {
    const { item_id } = await deliverItem(org.owner, org.project, { assets: [asset] })
    const job = await complete('format-conversion', { item: item_id, title: 'Converted' })
    return new Set((await readItem(job.item_ids[0]!, 'data', 1)).data)
  }
  assert.ok((await valuesOfOverview(measures)).has(5))
  assert.deepEqual(await valuesOfOverview({ ...classes, raster: { ...classes.raster!, bands } }), new Set([1, 9]))
})

test('a cloud mask removes the pixels of the classes, and no other', async () => {
  const source = await readItem(exeter)
  const pixels = source.width * source.height
  const middle = source.data[2 * pixels + Math.floor(pixels / 2)]!
  const classes = [middle, 9]
  const job = await complete('cloud-mask', { item: exeter, mask_band: 'SCL', classes, title: 'Masked' })
  const result = await readItem(job.item_ids[0]!)
  let [removed, wrong] = [0, 0]
  for (let at = 0; at < pixels; at++) {
    const isRemoved = classes.includes(source.data[2 * pixels + at]!)
    if (isRemoved) removed++
    if (result.mask[at] !== (isRemoved ? 0 : source.mask[at])) wrong++
    if (!isRemoved && source.mask[at] !== 0 && result.data[at] !== source.data[at]) wrong++
  }
  assert.equal(wrong, 0)
  assert.ok(removed > 0 && removed < pixels)
})

test('bad inputs are refused with the expected schema, and nothing is held', async () => {
  const before = await balance()
  const crossing = { type: 'Polygon', coordinates: [[[11, 46], [12, 47], [12, 46], [11, 47], [11, 46]]] } // prettier-ignore
  const cases: readonly (readonly [string, object, string])[] = [
    ['clip', { item: bolzano, geometry: crossing }, 'inputs.geometry'],
    ['clip', { item: bolzano, geometry: square(100, 10, 1) }, 'inputs.geometry'],
    ['clip', { item: bolzano, geometry: square(11.3, 46.5, 0.01), surprise: 1 }, 'inputs.surprise'],
    ['clip', { geometry: square(11.3, 46.5, 0.01) }, 'inputs.item'],
    ['spectral-index', { item: heights, index: 'ndvi' }, 'inputs.index'],
    ['pan-sharpen', { item: bolzano }, 'inputs.pan_band'],
    ['pan-sharpen', { item: bolzano, pan_band: 'nir', bands: ['red', 'blue'] }, 'inputs.bands.1'],
    [
      'pan-sharpen',
      { item: bolzano, pan_band: 'nir', greyWeights: [{ band: 'blue', weight: 1 }] },
      'inputs.greyWeights.0',
    ],
    ['rasterize', { item: bolzano, areas: [{ geometry: crossing, value: 1 }] }, 'inputs.areas.0.geometry'],
    ['rasterize', { item: bolzano, areas: [] }, 'inputs.areas'],
    ['spectral-index', { item: bolzano, index: 'nothing' }, 'inputs.index'],
    ['band-math', { item: bolzano, expression: 'B04 +' }, 'inputs.expression'],
    ['band-math', { item: bolzano, expression: 'B77 + 1' }, 'inputs.expression'],
    ['cloud-mask', { item: exeter }, 'inputs.classes'],
  ]
  for (const [process_id, inputs, path] of cases) {
    await assert.rejects(execute(process_id, inputs), (error: unknown) => {
      assert.ok(error instanceof Problem, String(error))
      assert.equal(error.problem, 'validation', error.message)
      const [first] = error.extra['errors'] as { path: string }[]
      assert.ok(first!.path.startsWith(path), `${first!.path}: ${error.message}`)
      assert.ok('properties' in (error.extra['expected_schema'] as object))
      return true
    })
    const validation = await org.invoke<{ valid: boolean; errors: object[] }>('processing.catalog.validate', {
      process_id,
      inputs,
    })
    assert.ok(!validation.valid && validation.errors.length > 0, process_id)
  }
  await assertRejected(execute('hillshade', { item: newId() }), 'not-found')
  const badUrl = `https://swath.example/collections/${newId()}/items/%E0%A4%A`
  await assertRejected(execute('hillshade', { item: badUrl }), 'not-found')
  await assertRejected(execute('nothing', {}), 'not-found')
  await assertRejected(
    execute('hillshade', { item: heights }, { reuse: false, max_credits: 0 }),
    'spend-limit-exceeded',
  )
  assert.deepEqual(await balance(), before)
})

/** Executes a process that fails; the hold is released and no file is left. */
async function assertFails(run: () => Promise<Job>, code: string, text: RegExp): Promise<void> {
  const before = await balance()
  const { id } = await run()
  await org.runner.runPending()
  const job = await getJob(id)
  assert.deepEqual([job.status, job.settlement, job.failure?.code], ['failed', 'released', code], job.failure?.text)
  assert.match(job.failure!.text, text)
  assert.deepEqual(await balance(), before)
  assert.deepEqual(await filesOf(id), [])
  const kinds = (await eventsOf(id)).map(({ kind }) => kind)
  assert.deepEqual(kinds.slice(-2), ['job.failed', 'job.released'])
}

test('a job without a result fails with a reason: a formula without numbers, a source deleted meanwhile', async () => {
  await assertFails(
    async () => (await execute('band-math', { item: bolzano, expression: 'B04 / (B04 - B04)' })).job,
    'unsupported-raster',
    /no valid pixel/,
  )
  const doomed = await deliverScene('elevation-stormlake.tif')
  await assertFails(
    async () => {
      const { job } = await execute('slope', { item: doomed, title: 'Doomed' })
      await org.invoke('items.delete', { item_id: doomed })
      return job
    },
    'not-found',
    /was deleted after the job was created/,
  )
})

test('the files of a registered run remain, and those of any other run are removed', async () => {
  const job = (await findJob(
    org.owner.db,
    org.organization,
    (await complete('aspect', { item: heights, title: 'Kept' })).id,
  ))!
  const registered = (await filesOf(job.id)).toSorted()
  const late = newId()
  const path = `${getRunFolder(org.organization, job.item_ids[0]!, late)}/data.tif`
  await services.blobs.putBytes(path, Buffer.from('late'), 'image/tiff')
  assert.equal((await filesOf(job.id)).length, registered.length + 1)
  const [run] = registered[0]!.split('/').slice(-2)
  for (const each of [late, run!]) await removeRunFiles(org.owner.db, services.blobs, job, each)
  assert.deepEqual((await filesOf(job.id)).toSorted(), registered)
  // The process of this run was killed, so that only the cleaning of the job can find its files.
  await services.blobs.putBytes(path, Buffer.from('killed'), 'image/tiff')
  await removeUnregisteredJobFiles(org.owner.db, services.blobs, org.organization, job.id)
  assert.deepEqual((await filesOf(job.id)).toSorted(), registered)
})

const createPending = async (title: string): Promise<Job> => {
  const { job_types } = await org.invoke<{ job_types: { id: string; name: string }[] }>('processing.job_types.list')
  const { id: job_type_id } = job_types.find(({ name }) => name === 'hillshade')!
  const input = { project_id: org.project, job_type_id, input_params: { item: heights, title } }
  return (await org.invoke<{ job: Job }>('processing.create', input)).job
}

test('a pending job is dispatched once, and a cancelled one releases its hold', async () => {
  const before = await balance()
  const job = await createPending('Cancelled')
  assert.deepEqual([job.status, job.settlement], ['pending', 'reserved'])
  const { job: cancelled } = await org.invoke<{ job: Job }>('processing.job.cancel', { job_id: job.id })
  assert.deepEqual([cancelled.status, cancelled.settlement], ['cancelled', 'released'])
  assert.deepEqual(await balance(), before)
  for (const id of ['processing.job.cancel', 'processing.dispatch'])
    await assertRejected(org.invoke(id, { job_id: job.id }), 'invalid-state')
  const second = await createPending('Dispatched')
  assert.equal((await org.invoke<Started>('processing.dispatch', { job_id: second.id })).dispatch.accepted, true)
  await assertRejected(org.invoke('processing.dispatch', { job_id: second.id }), 'invalid-state')
  await org.runner.runPending()
  assert.equal((await getJob(second.id)).status, 'completed')
  const { entries } = await org.invoke<{ entries: { message: string }[] }>('processing.job.log', { job_id: second.id })
  assert.ok(entries.length >= 3 && entries.at(-1)!.message.includes('completed'))
})

test('the job of a dead worker runs again under the same hold, and is settled once', async () => {
  const before = await balance()
  const job = await createPending('Lost')
  await org.invoke('processing.dispatch', { job_id: job.id })
  // A worker that took the job and died: its lease has ended.
  await services.database.unscoped.query(sql`
    update processing_jobs set status = 'running', attempt = 1, lease_until = ${new Date(0)}
    where organization_id = ${org.organization} and id = ${job.id}`)
  await org.runner.runTask(backgroundTaskTypes.sweepJobs)
  await org.runner.runPending()
  const ended = await getJob(job.id)
  assert.deepEqual([ended.status, ended.settlement, ended.attempt], ['completed', 'captured', 2])
  assert.equal((await balance()).available_credits, before.available_credits - ended.credits_captured)
  const kinds = (await eventsOf(job.id)).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['job.created', 'job.started', 'job.completed', 'job.captured'])
  // A worker whose lease holds keeps its job.
  const held = await createPending('Held')
  await org.invoke('processing.dispatch', { job_id: held.id })
  await services.database.unscoped.query(sql`
    update processing_jobs set status = 'running', attempt = 1, lease_until = ${new Date('2100-01-01')}
    where organization_id = ${org.organization} and id = ${held.id}`)
  await org.runner.runPending()
  assert.deepEqual([(await getJob(held.id)).status, (await getJob(held.id)).attempt], ['running', 1])
  await org.invoke('processing.job.cancel', { job_id: held.id })
  await org.runner.runPending()
})

test('the folder of a delegated job is cleaned when it ends, and again after its upload URLs have ended', async () => {
  const job = await createPending('Delegated')
  await org.invoke('processing.job.delegate', { job_id: job.id, lease_seconds: 7200 })
  const delays_ms: number[] = []
  const enqueue: QueueProducer['enqueue'] = async (_tx, task, _data, options) => {
    if (task.name === backgroundTaskTypes.cleanJob.name) delays_ms.push(options?.delay_ms ?? 0)
  }
  const queue = { ...org.runner.queue, enqueue }
  await org.invoke('processing.job.cancel', { job_id: job.id }, { ...org.owner, queue })
  assert.equal(delays_ms.length, 2)
  assert.ok(delays_ms[0] === 0 && delays_ms[1]! > 7_190_000, String(delays_ms))
})

test('a job with which ten processes ended fails and releases its hold', async () => {
  await assertFails(
    async () => {
      const job = await createPending('Deadly')
      await org.invoke('processing.dispatch', { job_id: job.id })
      await services.database.unscoped.query(sql`
        update processing_jobs set status = 'running', attempt = 12, lost_attempts = 9, lease_until = ${new Date(0)}
        where organization_id = ${org.organization} and id = ${job.id}`)
      return job
    },
    'worker-lost',
    /ended 10 processes/,
  )
})

test('a project with open jobs cannot be deleted, and jobs are seen by members of their project only', async () => {
  const job = await createPending('Open')
  await assertRejected(org.invoke('projects.delete', { project_id: org.project }), 'invalid-state')
  const member = await org.createMember('member')
  await assertRejected(org.invoke('processing.job.get', { job_id: job.id }, member), 'not-a-member')
  const listed = await org.invoke<{ jobs: Job[]; total: number }>('processing.jobs.list', {}, member)
  assert.deepEqual([listed.jobs, listed.total], [[], 0])
  const { rows } = await listJobs(org.owner.db, {
    organization: org.organization,
    projects: null,
    processes: null,
    statuses: ['pending'],
    ids: [job.id],
    sort: { by: 'created', ascending: false },
    limit: 10,
    offset: 0,
  })
  assert.ok(rows.length === 1 && !('plan' in rows[0]!), 'a list reads no plans')
  const mine = await org.invoke<{ jobs: Job[] }>('processing.project_jobs.list', {
    project_id: org.project,
    status: 'pending',
    job_type_name: 'hillshade',
  })
  assert.ok(mine.jobs.length === 1 && mine.jobs[0]!.id === job.id)
  await org.invoke('processing.job.cancel', { job_id: job.id })
  await assertRejected(org.invoke('processing.job.get', { job_id: newId() }), 'not-found')
  // An ended job could be deleted, but only by who may change its project.
  for (const operation of ['processing.job.cancel', 'processing.job.delete'])
    await assertRejected(org.invoke(operation, { job_id: job.id }, member), 'not-a-member')
  await org.invoke('processing.job.delete', { job_id: job.id })
})
