import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { day_ms, hour_ms } from '@swath/geo/time-units.ts'
import { coveredFraction } from '@swath/geo/polygon-clip.ts'
import { type Polygon } from '@swath/geo/geojson.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import { computeBandStatistics, openFileSource, computeRasterFootprint, openRaster, readPreview } from '@swath/raster'
import { checkCogLayout } from '@swath/raster/test/check-cog-layout.ts'
import { openTestDatabase } from '../database.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { createConstellationHost } from '../../src/platform/integrations/hosts/constellation/constellation.ts'
import { HostRefusal, type ImageryHost } from '../../src/platform/integrations/imagery-host.ts'
import type {
  HostTaskStatus,
  TaskingHostEnvironment,
  TaskingHost,
  TaskingRequest,
} from '../../src/platform/integrations/tasking-host.ts'
import { createRasterService, type RasterService } from '../../src/domains/tiles/raster-pool.ts'
import { createSimulatedImageWriter } from '../../src/domains/tiles/style/simulated-image.ts'

const demoDir = fileURLToPath(new URL('../../demo/', import.meta.url))
const start = new Date('2026-11-24T08:00:00Z')
const later = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds)

let database: Database
let rasters: RasterService
let folder: string
let host: ImageryHost
let tasking: TaskingHost

before(async () => {
  database = await openTestDatabase()
  rasters = createRasterService({ threads: 1, cache_mib: 32 })
  folder = await mkdtemp(join(tmpdir(), 'swath-constellation-'))
})
after(async () => {
  await rasters.close()
  await database.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  const opened = await openHost()
  for (const world of ['live', 'sandbox-1', 'sandbox-2']) await opened.tasking.deleteWorld!(world)
  host = opened
  tasking = opened.tasking
})

const openHost = () => createConstellationHost({ database, demoDir, writeImage: createSimulatedImageWriter(rasters) })

const square = (west: number, south: number, size: number): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
})

const world = (overrides: Partial<TaskingHostEnvironment> = {}): TaskingHostEnvironment => ({
  id: 'live',
  now: start,
  seed: 'seed',
  ...overrides,
})

const request = (overrides: Partial<TaskingRequest> = {}): TaskingRequest => ({
  product: 'tasking-30cm',
  geometry: square(16.3, 48.2, 0.05),
  from: start,
  to: later(start, 14 * day_ms),
  ...overrides,
})

const refusedWith =
  (code: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof HostRefusal, String(error))
    assert.equal(error.reason_code, code)
    return true
  }

/** Follows a task from change to change, as the order engine does; ends with a status that has no next change. */
async function follow(
  reference: string,
  from: TaskingHostEnvironment,
): Promise<{ stages: string[]; last: HostTaskStatus; now: Date }> {
  const stages: string[] = []
  for (let now = from.now; ;) {
    const last = await tasking.taskStatus({ ...from, now }, reference)
    if (stages.at(-1) !== last.stage) stages.push(last.stage)
    if (!last.next_change_at) return { stages, last, now }
    assert.ok(last.next_change_at > now, 'the next change is in the future')
    now = last.next_change_at
  }
}

test('lists the passes of a window by time, each within the limits of its sensor and the request', async () => {
  const constraints = { max_off_nadir_deg: 25, min_sun_elevation_deg: 15, max_cloud_pct: 30 }
  const found = await tasking.opportunities(world(), request(constraints))
  assert.ok(found.length >= 3, `${found.length}`)
  assert.deepEqual(
    found.map(({ from }) => from.getTime()),
    found.map(({ from }) => from.getTime()).toSorted((left, right) => left - right),
  )
  for (const one of found) {
    assert.ok(one.from < one.to && one.from >= start && one.to <= later(start, 14 * day_ms + hour_ms))
    assert.ok(one.off_nadir_deg! <= 25 && one.sun_elevation_deg! >= 15)
    assert.ok(one.coverage > 0 && one.coverage <= 1 && one.probability! > 0 && one.probability! < 1)
    assert.equal(validateAreaGeometry(one.swath).error, null)
    assert.equal(validateAreaGeometry(one.footprint).error, null)
    assert.ok(coveredFraction(one.footprint, [one.swath!]) > 0.999, 'the footprint lies in the swath')
    assert.ok(one.ground_track!.coordinates.length > 0)
    assert.equal(one.conflict, null)
  }
})

test('gives a pass the same id and geometry in a later call', async () => {
  const first = await tasking.opportunities(world(), request())
  const second = await tasking.opportunities(world({ now: later(start, 10 * 60_000) }), request())
  const byId = new Map(first.map((one) => [one.id, one]))
  assert.ok(second.length > 0)
  for (const one of second) assert.deepEqual(one.off_nadir_deg, byId.get(one.id)?.off_nadir_deg)
})

test('lists no pass at night, in the past, or beyond the reach of a systematic instrument', async () => {
  const arctic = request({ product: 'tasking-10m', geometry: square(20, 75, 0.2), to: later(start, 20 * day_ms) })
  assert.deepEqual(await tasking.opportunities(world(), arctic), [])
  const over = world({ now: later(start, 15 * day_ms) })
  assert.deepEqual(await tasking.opportunities(over, request()), [])
  const found = await tasking.opportunities(world(), request({ product: 'tasking-10m' }))
  assert.ok(found.length > 0)
  for (const { off_nadir_deg } of found) assert.ok(off_nadir_deg! < 10.4)
})

test('refuses a request that a product does not permit', async () => {
  const cases: readonly [Partial<TaskingRequest>, string][] = [
    [{ product: 'tasking-1cm' }, 'invalid_product'],
    [{ geometry: square(16, 48, 5) }, 'invalid_geometry'],
    [{ geometry: square(16, 48, 0.001) }, 'invalid_geometry'],
    [{ to: start }, 'invalid_window'],
    [{ to: later(start, 91 * day_ms) }, 'invalid_window'],
    [{ sensor: 'spot' }, 'invalid_sensor'],
  ]
  for (const [overrides, code] of cases) {
    await assert.rejects(tasking.opportunities(world(), request(overrides)), refusedWith(code))
    const order = { id: 'refused', request: request(overrides), opportunity: null, replan: false }
    await assert.rejects(tasking.placeTask(world(), order), refusedWith(code))
  }
})

test('flies a task through all stages and delivers its scene', async () => {
  const [pass] = (await tasking.opportunities(world(), request())).filter(({ coverage }) => coverage === 1)
  const order = { id: 'order-1', request: request(), opportunity: pass!.id, replan: false }
  const { reference } = await tasking.placeTask(world(), order)
  assert.deepEqual(await host.deliveries(reference), { state: 'waiting' })
  const { stages, last, now } = await follow(reference, world())
  assert.deepEqual(stages, ['accepted', 'scheduled', 'tasked', 'collected', 'downlinked', 'processing', 'ready'])
  assert.equal(last.collects.length, 1)
  assert.equal(last.collects[0]!.opportunity, pass!.id)
  assert.ok(now.getTime() - last.collects[0]!.at.getTime() >= 3 * hour_ms)
  const { scene } = last
  assert.equal(scene!.datetime, last.collects[0]!.at.toISOString())
  assert.deepEqual(scene!.geometry, pass!.footprint)
  const { properties } = scene!
  assert.equal(properties['view:off_nadir'], pass!.off_nadir_deg)
  assert.equal(properties['view:azimuth'], pass!.view_azimuth_deg)
  assert.equal(properties['view:sun_elevation'], pass!.sun_elevation_deg)
  assert.equal(properties['view:sun_azimuth'], pass!.sun_azimuth_deg)
  assert.equal(properties['eo:cloud_cover'], last.collects[0]!.cloud_pct)
  assert.equal(properties['service:simulated'], true)
  assert.equal(properties['service:derived_from'], 'open/s2-bolzano-20220612')
  const delivery = await host.deliveries(reference)
  assert.equal(delivery.state, 'ready')
})

test('delivers a valid multi-band COG over the area, the same bytes each time', async () => {
  const order = { id: 'pixels', request: request(), opportunity: null, replan: false }
  const { reference } = await tasking.placeTask(world(), order)
  const { last } = await follow(reference, world())
  const delivery = await host.deliveries(reference)
  assert.ok(delivery.state === 'ready')
  const [file] = delivery.files
  const digests: string[] = []
  for (const name of ['first.tif', 'second.tif']) {
    await file!.download(join(folder, name), new AbortController().signal)
    digests.push(
      createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex'),
    )
  }
  assert.equal(digests[0], digests[1])
  const source = await openFileSource(join(folder, 'first.tif'))
  const report = await checkCogLayout(source)
  assert.deepEqual(report.problems, [])
  const raster = await openRaster(source)
  assert.deepEqual(
    raster.bands.map(({ name }) => name),
    ['blue', 'green', 'red', 'nir'],
  )
  assert.equal(raster.crs.epsg, 32_633)
  assert.ok(Math.max(raster.width, raster.height) > 950 && Math.max(raster.width, raster.height) < 1050)
  const covered = computeRasterFootprint(raster)
  assert.ok(coveredFraction(last.scene!.geometry as Polygon, [covered as Polygon]) > 0.999)
  const block = await readPreview(raster, { width: 100, height: 100 })
  const valid = block.mask.filter((value) => value > 0).length
  assert.ok(valid > 9000, `${valid} of 10000 pixels are valid`)
  const [blue] = computeBandStatistics(block)
  assert.ok(blue!.stddev > 0, 'the pixels are an image')
  await source.close()
})

test('accepts an order once, and repeats its first answer', async () => {
  const order = { id: 'twice', request: request(), opportunity: null, replan: false }
  const first = await tasking.placeTask(world(), order)
  const status = await tasking.taskStatus(world(), first.reference)
  const again = await tasking.placeTask(world({ now: later(start, 60_000) }), order)
  assert.deepEqual(again, first)
  assert.deepEqual(await tasking.taskStatus(world(), first.reference), status)
})

test('gives a pass to exactly one of concurrent orders, and shows the others the conflict', async () => {
  const [pass] = await tasking.opportunities(world(), request())
  const second = await openHost()
  const place = (id: string, at: TaskingHost) =>
    at.placeTask(world(), { id, request: request(), opportunity: pass!.id, replan: false })
  const orders = ['a', 'b', 'c', 'd'].map((id, index) => place(id, index % 2 === 0 ? tasking : second.tasking))
  const results = await Promise.allSettled(orders)
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results) if (result.status === 'rejected') refusedWith('competition')(result.reason)
  const listed = await second.tasking.opportunities(world(), request())
  const conflict = listed.find(({ id }) => id === pass!.id)!.conflict
  assert.match(conflict ?? '', /^task-[0-9a-f]{12}$/)
  assert.equal(listed.filter((one) => one.conflict !== null).length, 1)
})

test('keeps worlds apart', async () => {
  const [pass] = await tasking.opportunities(world(), request())
  const order = { id: 'one', request: request(), opportunity: pass!.id, replan: false }
  const { reference } = await tasking.placeTask(world({ id: 'sandbox-1' }), order)
  const elsewhere = await tasking.opportunities(world({ id: 'sandbox-2' }), request())
  assert.equal(elsewhere[0]!.conflict, null)
  await tasking.placeTask(world({ id: 'sandbox-2' }), order)
  await assert.rejects(tasking.taskStatus(world({ id: 'sandbox-2' }), reference), refusedWith('unknown_task'))
  await assert.rejects(tasking.taskStatus(world(), 'rubbish'), refusedWith('unknown_task'))
  await tasking.deleteWorld!('sandbox-1')
  await assert.rejects(tasking.taskStatus(world({ id: 'sandbox-1' }), reference), refusedWith('unknown_task'))
})

test('ends as failed after a clouded collection, and tries the next passes if it re-plans', async () => {
  const cloudy = request({ max_cloud_pct: 1, geometry: square(0, 52, 0.05), to: later(start, 60 * day_ms) })
  let [clouded, replanned] = [0, 0]
  for (let seed = 0; seed < 6; seed++) {
    const where = world({ id: 'sandbox-1', seed: `seed ${seed}` })
    const once = await tasking.placeTask(where, {
      id: `once ${seed}`,
      request: cloudy,
      opportunity: null,
      replan: false,
    })
    const { last } = await follow(once.reference, where)
    assert.ok(last.stage === 'ready' ? last.collects[0]!.cloud_pct! <= 1 : last.reason_code === 'cloud_cover')
    if (last.stage !== 'failed') continue
    clouded++
    const again = await tasking.placeTask(where, {
      id: `again ${seed}`,
      request: cloudy,
      opportunity: null,
      replan: true,
    })
    const outcome = (await follow(again.reference, where)).last
    assert.ok(['ready', 'expired'].includes(outcome.stage))
    if (outcome.collects.length > 1) replanned++
    assert.equal(outcome.collects.filter(({ accepted }) => accepted).length, outcome.stage === 'ready' ? 1 : 0)
    const times = outcome.collects.map(({ at }) => at.getTime())
    assert.deepEqual(
      times,
      [...new Set(times)].toSorted((left, right) => left - right),
    )
  }
  assert.ok(clouded >= 2 && replanned >= 1, `${clouded} clouded, ${replanned} re-planned`)
})

test('has the same outcome for the same seed, and other clouds for another', async () => {
  const clouds = async (id: string, seed: string): Promise<unknown[]> => {
    const found: unknown[] = []
    for (let order = 0; order < 6; order++) {
      const where = world({ id, seed })
      const { reference } = await tasking.placeTask(where, {
        id: `${order}`,
        request: request(),
        opportunity: null,
        replan: false,
      })
      found.push((await follow(reference, where)).last.collects.map(({ at, cloud_pct }) => [at, cloud_pct]))
    }
    return found
  }
  const first = await clouds('sandbox-1', 'one')
  assert.deepEqual(await clouds('sandbox-2', 'one'), first)
  await tasking.deleteWorld!('sandbox-2')
  assert.notDeepEqual(await clouds('sandbox-2', 'two'), first)
})

test('cancels a task before the limit of its product, gives its pass back, and refuses later', async () => {
  const passes = await tasking.opportunities(world(), request())
  const pass = passes.find(({ from }) => from > later(start, 3 * day_ms))!
  const place = async (id: string) =>
    (await tasking.placeTask(world(), { id, request: request(), opportunity: pass.id, replan: false })).reference
  const first = await place('cancelled')
  await tasking.cancelTask(world(), first)
  await tasking.cancelTask(world({ now: later(pass.from, -hour_ms) }), first)
  assert.equal((await tasking.taskStatus(world(), first)).stage, 'cancelled')
  assert.equal((await host.deliveries(first)).state, 'refused')
  const second = await place('kept')
  const late = world({ now: later(pass.from, -23 * hour_ms) })
  await assert.rejects(tasking.cancelTask(late, second), refusedWith('too_late'))
  assert.equal((await tasking.taskStatus(late, second)).stage, 'scheduled')
})

test('answers a study after half an hour, with options that can be placed', async () => {
  const order = { id: 'study', request: request({ product: 'tasking-50cm', max_cloud_pct: 40 }) }
  assert.deepEqual(await tasking.requestStudy!(world(), order), { state: 'waiting' })
  const ready = world({ now: later(start, 30 * 60_000) })
  const study = await tasking.requestStudy!(ready, order)
  assert.ok(study.state === 'ready')
  assert.deepEqual(
    study.options.map(({ id, price_factor }) => [id, price_factor]),
    [
      ['standard', 1],
      ['priority', 1.6],
      ['extended', 0.9],
    ],
  )
  assert.ok(study.options[1]!.probability >= study.options[0]!.probability)
  assert.deepEqual(await tasking.requestStudy!(world({ now: later(start, day_ms) }), order), study)
  for (const option of study.options) {
    const placed = { ...order, id: `study ${option.id}`, opportunity: option.id, replan: false }
    const { reference } = await tasking.placeTask(ready, placed)
    const { last } = await follow(reference, ready)
    for (const { at } of last.collects) assert.ok(at >= option.from && at <= option.to)
  }
})

test('answers that a request without a pass is infeasible, and has no studies of other products', async () => {
  const polar = request({ product: 'tasking-50cm', geometry: square(10, 88, 0.5), to: later(start, 3 * day_ms) })
  await tasking.requestStudy!(world(), { id: 'polar', request: polar })
  const study = await tasking.requestStudy!(world({ now: later(start, hour_ms) }), { id: 'polar', request: polar })
  assert.equal(study.state, 'infeasible')
  await assert.rejects(
    tasking.requestStudy!(world(), { id: 'direct', request: request() }),
    refusedWith('invalid_product'),
  )
})

test('acquires an area across the antimeridian', async () => {
  const geometry = {
    type: 'MultiPolygon' as const,
    coordinates: [square(179.95, -17, 0.05).coordinates, square(-180, -17, 0.05).coordinates],
  }
  const fiji = request({ product: 'tasking-1m5', geometry })
  const [pass] = (await tasking.opportunities(world(), fiji)).filter(({ coverage }) => coverage === 1)
  assert.ok(pass)
  const { reference } = await tasking.placeTask(world(), {
    id: 'fiji',
    request: fiji,
    opportunity: pass.id,
    replan: false,
  })
  const { last } = await follow(reference, world())
  assert.equal(last.stage, 'ready')
  const [west, , east] = last.scene!.bbox
  assert.ok(west > 179 && east < -179, `${last.scene!.bbox}`)
  const delivery = await host.deliveries(reference)
  assert.ok(delivery.state === 'ready')
  await delivery.files[0]!.download(join(folder, 'fiji.tif'), new AbortController().signal)
  const source = await openFileSource(join(folder, 'fiji.tif'))
  const raster = await openRaster(source)
  assert.ok(raster.width < 1050 && raster.height < 1050)
  await source.close()
})
