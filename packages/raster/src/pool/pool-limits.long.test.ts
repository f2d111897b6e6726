import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { writeCog } from '../cog/writer/cog.ts'
import { computeRasterStatistics } from '../compute/statistics/raster-statistics.ts'
import { RasterFailure } from '../failures.ts'
import { createCrsFromEpsg } from '../formats/crs/from-code.ts'
import { openRaster } from '../formats/open-raster.ts'
import { openFileSource } from '../io/source/file.ts'
import { createMemorySource } from '../io/source/memory.ts'
import type { Raster } from '../types.ts'
import { createRasterPool } from './pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'pool-limits-'))
const path = join(folder, 'rough.tif')
const size = 500
let surface: Raster
before(async () => {
  const crs = await createCrsFromEpsg(32_632)
  const heightAt = (x: number, y: number): number => 100 + 100 * Math.sin(x * 0.37) * Math.cos(y * 0.21)
  await writeCog(
    {
      width: size,
      height: size,
      sampleType: 'float32',
      bands: [{ name: 'height', colour: 'gray', scale: 1, offset: 0 }],
      nodata: null,
      masked: false,
      georeferencing: { affine: [500_000, 10, 0, 5_000_000, 0, -10], crs, geoTags: null },
      readRows: async (top, rows) => {
        const data = Float32Array.from({ length: size * rows }, (_, at) =>
          heightAt(at % size, top + Math.floor(at / size)),
        )
        return { width: size, rows, bands: 1, data, mask: null }
      },
    },
    path,
  )
  surface = await openRaster(await openFileSource(path))
})
after(async () => {
  await surface.source.close()
  rmSync(folder, { recursive: true })
})

/** About four million positions, of lines that reach far down the surface: seconds, and hundreds of megabytes. */
const heavy = {
  path: join(folder, 'lines.geojson'),
  process: { name: 'contours', band: 0, interval: 2, base: 0 },
} as const

const isFailure = (kind: string) => (error: unknown) => error instanceof RasterFailure && error.kind === kind

test('a job that needs too much memory fails with its thread, and other jobs go on', async () => {
  const pool = createRasterPool({ threads: 1, cache_bytes: 0, max_job_bytes: 96 * 1024 * 1024 })
  try {
    const other = pool.run('statistics', [surface], { bands: [0] })
    await assert.rejects(pool.run('processToFeatures', [surface], heavy), isFailure('budget'))
    const expected = await computeRasterStatistics(surface, { bands: [0] })
    assert.deepEqual(await other, expected)
    assert.deepEqual(await pool.run('statistics', [surface], { bands: [0] }), expected)
  } finally {
    await pool.close()
  }
})

test('a cancelled job frees its thread within two seconds, in a thread and in a process', async () => {
  const pool = createRasterPool({ threads: 1, cache_bytes: 0 })
  try {
    await pool.ready('long')
    for (const isolated of [false, true]) {
      const caller = new AbortController()
      const running = pool.run('processToFeatures', [surface], heavy, { signal: caller.signal, isolated })
      running.catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const cancelled_ms = performance.now()
      caller.abort()
      await assert.rejects(running, isFailure('cancelled'))
      assert.ok(performance.now() - cancelled_ms < 2000, `${performance.now() - cancelled_ms} ms`)
    }
  } finally {
    await pool.close()
  }
})

test('a process of its own does what a thread does, with sources of this process', async () => {
  const pool = createRasterPool({ threads: 1, cache_bytes: 0 })
  try {
    const remote = await openRaster(createMemorySource(readFileSync(path), 'rough'))
    const expected = await computeRasterStatistics(surface, { bands: [0] })
    for (const raster of [surface, remote])
      assert.deepEqual(await pool.run('statistics', [raster], { bands: [0] }, { isolated: true }), expected)
    const unreadable = {
      ...remote,
      source: { ...remote.source, read: () => Promise.reject(new Error('the line is dead')) },
    }
    await assert.rejects(pool.run('statistics', [unreadable], { bands: [0] }, { isolated: true }), /the line is dead/)
    const light = { ...heavy, process: { ...heavy.process, interval: 50 } }
    const features = await pool.run('processToFeatures', [surface], light, { isolated: true })
    assert.equal(features, await pool.run('processToFeatures', [surface], light))
  } finally {
    await pool.close()
  }
})

test('a job whose process is killed after some progress is lost, and this process goes on', async () => {
  const pool = createRasterPool({ threads: 1, cache_bytes: 0 })
  try {
    const progress = new Int32Array(new SharedArrayBuffer(4))
    const running = pool.run('processToFeatures', [surface], { ...heavy, progress }, { isolated: true })
    running.catch(() => undefined)
    while (progress[0] === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    process.kill(findIsolatedChild(), 'SIGKILL')
    await assert.rejects(running, isFailure('worker_lost'))
  } finally {
    await pool.close()
  }
})

/** The process that runs isolated jobs of this one; read from Linux itself, as `ps` need not be installed. */
function findIsolatedChild(): number {
  const read = (id: string, name: string) => {
    try {
      return readFileSync(`/proc/${id}/${name}`, 'utf8')
    } catch {
      return ''
    }
  }
  const found = readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && read(id, 'cmdline').includes('isolated-child'))
    .find((id) => read(id, 'status').includes(`PPid:\t${process.pid}\n`))
  assert.ok(found)
  return Number(found)
}
