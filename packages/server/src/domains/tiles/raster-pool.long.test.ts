import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openRaster, type Raster } from '@swath/raster'
import { createRasterService, type RasterService } from './raster-pool.ts'

const path = join(import.meta.dirname, '../../../../../fixtures/rasters/scenes/elevation-stormlake.tif')

let service: RasterService
/** Read in this thread. */
let scene: Raster
const ends = new AbortController()
before(async () => {
  service = createRasterService({ threads: 1, cache_mib: 0, max_wait_ms: 60_000 })
  const bytes = readFileSync(path)
  scene = await openRaster({
    id: 'scene',
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    close: async () => undefined,
  })
})
after(async () => {
  ends.abort()
  await service?.close()
})

/** Starts statistics that wait for their first bytes until the end; returns the organizations whose job has a thread. */
function startEndless(organizations: readonly string[], isolated = false): string[] {
  const reading: string[] = []
  for (const organization of organizations) {
    const read = async (): Promise<never> => {
      reading.push(organization)
      return new Promise(() => undefined)
    }
    const silent = { ...scene, source: { ...scene.source, read } }
    service
      .forOwner({ organization, background: true })
      .run('statistics', [silent], { bands: [0] }, { signal: ends.signal, isolated })
      .catch(() => undefined)
  }
  return reading
}

const until = async (condition: () => boolean): Promise<void> => {
  const end_ms = performance.now() + 30_000
  while (!condition()) {
    assert.ok(performance.now() < end_ms, 'not in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function requireStatistics(organization: string, isolated = false): Promise<void> {
  const jobs = service.forOwner({ organization })
  const { bands } = await jobs.run('statistics', [scene], { bands: [0] }, { signal: ends.signal, isolated })
  assert.equal(bands.length, 1)
}

test('one organization has all ordinary threads while nobody waits, and others have one at once all the same', async () => {
  const first = startEndless(['a', 'a', 'a', 'a'])
  await until(() => first.length === 2)
  await requireStatistics('b')
  const second = startEndless(['c', 'c'])
  await until(() => second.length === 1)
  await requireStatistics('b')
  assert.deepEqual([first, second], [['a', 'a'], ['c']])
})

test('an isolated job of one organization does not keep that of another waiting', async () => {
  const endless = startEndless(['a', 'a'], true)
  await until(() => endless.length === 1)
  await requireStatistics('b', true)
  assert.deepEqual(endless, ['a'])
})
