import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { applyAffine } from '@swath/geo/affine.ts'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import { toOutlineRings } from '../compute/areas/outline.ts'
import { readPreview } from '../render/warp/preview.ts'
import { readTile } from '../render/warp/tile.ts'
import { RasterFailure } from '../failures.ts'
import { computeLonLatBounds } from '../formats/crs/crs.ts'
import { computeRasterStatistics } from '../compute/statistics/raster-statistics.ts'
import { computeStatisticsOfAreas } from '../compute/statistics/zonal-statistics.ts'
import { openFileSource } from '../io/source/file.ts'
import { createMemorySource } from '../io/source/memory.ts'
import { createRangedSource } from '../io/source/ranged.ts'
import { openRaster } from '../formats/open-raster.ts'
import type { Raster, TileRequest } from '../types.ts'
import { computeLongJobLimits, createRasterPool } from './pool.ts'

const scene = fileURLToPath(new URL('../../../../fixtures/rasters/scenes/naip-nd.tif', import.meta.url))
const pool = createRasterPool({ threads: 2, cache_bytes: 67_108_864 })
after(() => pool.close())

function tilesOf(raster: Raster, zoom: number): TileRequest[] {
  const [west, south, east, north] = computeLonLatBounds(raster)
  const first = findTileAt(west, north, zoom)
  const last = findTileAt(east, south, zoom)
  const tiles: TileRequest[] = []
  for (let y = first.y; y <= last.y; y++)
    for (let x = first.x; x <= last.x; x++) tiles.push({ z: zoom, x, y, size: 256 })
  return tiles
}

test('workers render the same image as this thread, from a local file and from bytes that only this thread has', async () => {
  const local = await openRaster(await openFileSource(scene))
  const remote = await openRaster(createMemorySource(readFileSync(scene), 'scene'))
  const tiles = [14, 15]
    .flatMap((zoom) => tilesOf(local, zoom))
    .map((tile) => ({ ...tile, resampling: 'bilinear' as const }))
  assert.ok(tiles.length > 8)
  const expected = await Promise.all(tiles.map((tile) => readTile(remote, tile)))
  for (const raster of [local, remote, local]) {
    assert.deepEqual(await Promise.all(tiles.map((tile) => pool.run('tile', [raster], tile))), expected)
  }
  await local.source.close()
})

test('workers measure what this thread measures', async () => {
  const raster = await openRaster(createMemorySource(readFileSync(scene), 'scene'))
  assert.deepEqual(
    await pool.run('statistics', [raster], { bands: [1] }),
    await computeRasterStatistics(raster, { bands: [1] }),
  )
})

test('small areas of one band of many are measured the same with decoded blocks at hand', async () => {
  // Pixel-interleaved samples of one, two, two and eight bytes.
  const files = ['rasters/scenes/naip-nd.tif', 'rasters/scenes/linz-rgbi16.tif', 'rasters/scenes/hls-exe.tif']
  for (const file of [...files, 'measures/wild-f64.tif']) {
    const raster = await openRaster(
      await openFileSource(fileURLToPath(new URL(`../../../../fixtures/${file}`, import.meta.url))),
    )
    const square = (column: number, row: number) => {
      const corner = (x: number, y: number) => applyAffine(raster.affine, column + x, row + y)
      const ring = [corner(0, 0), corner(7.5, 0), corner(7.5, 5.25), corner(0, 5.25), corner(0, 0)]
      return toOutlineRings({ type: 'Polygon', coordinates: [ring] })
    }
    const areas = Array.from({ length: 40 }, (_, at) =>
      square((at * 37.3) % (raster.width - 8), (at * 23.7) % (raster.height - 6)),
    )
    const request = { areas, coverage: true, coordinates: 'raster' as const, bands: [1] }
    assert.deepEqual(await pool.run('areas', [raster], request), await computeStatisticsOfAreas(raster, request), file)
    await raster.source.close()
  }
})

test('a failure in a worker is the failure that it would be here', async () => {
  const raster = await openRaster(createMemorySource(readFileSync(scene), 'scene'))
  const tile = { ...tilesOf(raster, 14)[0]!, budget_bytes: 1000 }
  const isBudget = (error: unknown): boolean => error instanceof RasterFailure && error.kind === 'budget'
  await assert.rejects(pool.run('tile', [raster], tile), isBudget)
})

test('what a source throws arrives as it was', async () => {
  const bytes = readFileSync(scene)
  let broken = false
  const source = createRangedSource('far', bytes.length, async (offset, length) => {
    if (broken) throw new Error('the line is dead')
    return bytes.subarray(offset, offset + length)
  })
  const raster = await openRaster(source)
  broken = true
  const tile = tilesOf(raster, 14)[0]!
  await assert.rejects(
    pool.run('tile', [raster], tile),
    ({ cause }: Error) => (cause as Error).message === 'the line is dead',
  )
})

test('a cancelled call returns at once, and others go on', async () => {
  const bytes = readFileSync(scene)
  const opened = await openRaster(createMemorySource(bytes, 'scene'))
  let started = (): void => {}
  const waiting = new Promise<void>((resolve) => (started = resolve))
  const source = {
    ...opened.source,
    read: (_offset: number, _length: number, signal?: AbortSignal) => {
      started()
      return new Promise<never>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    },
  }
  const caller = new AbortController()
  const tile = tilesOf(opened, 14)[0]!
  const stalled = pool.run('tile', [{ ...opened, levels: [...opened.levels], source }], tile, { signal: caller.signal })
  await waiting
  const other = pool.run('tile', [opened], tile)
  caller.abort()
  await assert.rejects(stalled, (error) => error instanceof RasterFailure && error.kind === 'cancelled')
  assert.deepEqual(await other, await readTile(opened, tile))
})

test('the next job reads again what one failed to read, also if part of it is still being read', async () => {
  const file = new URL('../../../../fixtures/rasters/scenes/disc-jpeg-mask.tif', import.meta.url)
  const bytes = readFileSync(file)
  let reads = 0
  let isBroken = false
  let arrive = (): void => {}
  const arrival = new Promise<void>((resolve) => (arrive = resolve))
  const source = createRangedSource('flaky', bytes.length, async (offset, length) => {
    if (isBroken && reads++ === 0) throw new Error('the line is dead')
    if (isBroken) await arrival
    return bytes.subarray(offset, offset + length)
  })
  const raster = await openRaster(source)
  const preview = { width: 40, height: 40, bands: [0] }
  isBroken = true
  await assert.rejects(pool.run('preview', [raster], preview))
  isBroken = false
  arrive()
  const whole = await openRaster(createMemorySource(bytes, 'whole'))
  assert.deepEqual(await pool.run('preview', [raster], preview), await readPreview(whole, preview))
})

test('threads that are ready give way to the process', async () => {
  // Elsewhere threads have no priority of their own.
  if (process.platform !== 'linux') return
  await pool.ready('long')
  const folder = '/proc/self/task'
  // The nineteenth field of proc_pid_stat(5); the second one may contain spaces.
  const niceness = (id: string): number =>
    Number(readFileSync(`${folder}/${id}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[16])
  const more = readdirSync(folder).map((id) => niceness(id) - getPriority())
  assert.ok(more.includes(7), more.join())
})

test('extra threads are bounded by the memory of the machine, and there are some on each', () => {
  const [gibibyte, max_job_bytes] = [1024 ** 3, 1280 * 1024 ** 2]
  const extraWith = (memory_gib: number): number =>
    computeLongJobLimits(2, { memory_bytes: memory_gib * gibibyte, max_job_bytes }).extra
  assert.deepEqual([4, 8, 16, 32, 512].map(extraWith), [4, 4, 8, 12, 12])
})
