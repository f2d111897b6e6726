import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { RasterFailure } from '../../failures.ts'
import { openFileSource } from '../../io/source/file.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import type { PixelBlock, Raster } from '../../types.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { readWindow } from './read-window.ts'

const fixtures = new URL('../../../../../fixtures/rasters/', import.meta.url)

interface Expected {
  readonly bands: number
  readonly type: string
  readonly nodata: string | null
  readonly affine: number[] | null
  readonly levels: { width: number; height: number; mask: string; samples?: string; every_fifth?: string }[]
}

const expected = JSON.parse(readFileSync(new URL('pixels.json', fixtures), 'utf8')) as Record<string, Expected>

/** JPEG decoders may differ by this much; GDAL's and ours use the same library with another transform. */
const jpeg_tolerance = 0

for (const [file, facts] of Object.entries(expected)) {
  test(`${file} is read as GDAL reads it, level by level`, async () => {
    await withRaster(file, async (raster) => {
      assert.equal(raster.bands.length, facts.bands)
      assert.equal(raster.sampleType, facts.type)
      assert.equal(raster.levels.length, facts.levels.length)
      if (facts.affine) for (const [at, value] of facts.affine.entries()) assertClose(raster.affine[at]!, value, 1e-9)
      assertNodata(raster.nodata, facts.nodata)
      for (const [index, level] of facts.levels.entries()) {
        const block = await readWindow(raster, { level: index, window: [0, 0, level.width, level.height] })
        if (level.samples !== undefined) assert.equal(digest(block.data), level.samples)
        else assertThinned(block, level.every_fifth!)
        assert.equal(digest(block.mask), level.mask)
      }
    })
  })
}

test('a window of some bands is the same part of the whole image', async () => {
  for (const file of [
    'scenes/bolzano.tif',
    'scenes/exe-27700.tif',
    'scenes/naip-nd.tif',
    'packings/u16-planar-strips.tif',
  ]) {
    await withRaster(file, async (raster) => {
      const whole = await readWindow(raster, { window: [0, 0, raster.width, raster.height] })
      const [x0, y0, x1, y1] = [37, 51, 131, 93]
      const part = await readWindow(raster, { window: [x0, y0, x1, y1], bands: [1, 0] })
      assert.deepEqual([part.width, part.height, part.bands], [x1 - x0, y1 - y0, 2])
      for (const [place, band] of [1, 0].entries()) {
        for (let y = 0; y < part.height; y += 7) {
          for (let x = 0; x < part.width; x += 5) {
            const inWhole = band * raster.width * raster.height + (y + y0) * raster.width + x + x0
            assert.equal(part.data[place * part.width * part.height + y * part.width + x], whole.data[inWhole])
          }
        }
      }
    })
  }
})

test('the mask joins all bands: a pixel is empty only where every requested band is', async () => {
  await withRaster('scenes/pucallpa.tif', async (raster) => {
    const window = [0, 0, raster.width, raster.height] as const
    const all = await readWindow(raster, { window })
    const size = raster.width * raster.height
    const zeros = all.mask.reduce(
      (sum, _, at) => sum + ([0, 1, 2, 3].every((band) => all.data[band * size + at] === 0) ? 1 : 0),
      0,
    )
    assert.equal(countEmpty(all.mask), zeros)
    const one = await readWindow(raster, { window, bands: [0] })
    assert.ok(countEmpty(one.mask) > zeros)
  })
})

test('alpha is a mask even where it was not requested, and the samples stay those of the bands', async () => {
  await withRaster('packings/u8-alpha.tif', async (raster) => {
    assert.equal(raster.alphaBand, 3)
    const window = [0, 0, raster.width, raster.height] as const
    const colour = await readWindow(raster, { window, bands: [0, 1, 2] })
    const whole = await readWindow(raster, { window })
    assert.deepEqual(colour.mask, whole.mask)
    assert.ok(countEmpty(colour.mask) > 100)
    assert.equal(colour.data.length, raster.width * raster.height * 3)
    assert.deepEqual(colour.data, whole.data.slice(0, colour.data.length))
  })
})

test('near infrared filed as an extra channel is no alpha where GDAL says what the bands are', async () => {
  await withRaster('scenes/naip-nd.tif', async (raster) => {
    assert.equal(raster.alphaBand, null)
    assert.equal(raster.nodata, 0)
  })
})

test('a missing band and a too expensive window are refused before anything is read', async () => {
  await withRaster('scenes/bolzano.tif', async (raster) => {
    const fails = (request: Parameters<typeof readWindow>[1], kind: string) =>
      assert.rejects(readWindow(raster, request), (error) => error instanceof RasterFailure && error.kind === kind)
    await fails({ window: [0, 0, 391, 10] }, 'request')
    await fails({ window: [5, 5, 5, 10] }, 'request')
    await fails({ window: [0, 0, 1.5, 10] }, 'request')
    await fails({ window: [0, 0, 10, 10], bands: [2] }, 'request')
    await fails({ window: [0, 0, 10, 10], bands: [] }, 'request')
    await fails({ window: [0, 0, 10, 10], level: 1 }, 'request')
    await fails({ window: [0, 0, 390, 380], budget_bytes: 100_000 }, 'budget')
    await fails({ window: [0, 0, 10, 10], signal: AbortSignal.abort() }, 'cancelled')
  })
})

test('a file that is cut short anywhere ends in a named failure', async () => {
  for (const file of [
    'scenes/hls-exe.tif',
    'scenes/exe-27700.tif',
    'packings/u16-big-tiff.tif',
    'packings/u8-jpeg-ycbcr.tif',
  ]) {
    const bytes = readFileSync(new URL(file, fixtures))
    for (const part of [0, 0.00001, 0.001, 0.1, 0.5, 0.9, 0.999]) {
      const error = await readAll(bytes.subarray(0, Math.floor(bytes.length * part))).then(
        () => null,
        (failure: unknown) => failure,
      )
      assert.ok(error instanceof RasterFailure, `${file} at ${part}: ${String(error)}`)
      assert.ok(['not_raster', 'damaged'].includes(error.kind), `${file} at ${part}: ${error.kind}`)
    }
  }
})

// `prove -- fuzz-raster` tries many more.
test('bytes turned over at random never end in anything but an image or a named failure', async () => {
  let seed = 20_260_101
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  const files = Object.keys(expected).filter((file) => file.startsWith('packings/'))
  let failures = 0
  for (let round = 0; round < 60; round++) {
    const bytes = new Uint8Array(readFileSync(new URL(files[Math.floor(random() * files.length)]!, fixtures)))
    const reach = random() < 0.6 ? Math.min(1500, bytes.length) : bytes.length
    for (let change = 0; change < 4; change++) bytes[Math.floor(random() * reach)] = Math.floor(random() * 256)
    try {
      await readAll(bytes)
    } catch (error) {
      assert.ok(error instanceof RasterFailure, `round ${round}: ${String(error)}`)
      failures++
    }
  }
  assert.ok(failures > 5 && failures < 60)
})

test('a header that claims more than the file can hold costs no memory', async () => {
  const bytes = new Uint8Array(readFileSync(new URL('scenes/elkton-red.tif', fixtures)))
  const view = new DataView(bytes.buffer)
  const directory = view.getUint32(4, true)
  for (let at = 0; at < view.getUint16(directory, true); at++) {
    const entry = directory + 2 + at * 12
    const tag = view.getUint16(entry, true)
    // Width and height of four million: 35 TB of pixels.
    if (tag === 256 || tag === 257) {
      view.setUint16(entry + 2, 4, true)
      view.setUint32(entry + 8, 4_000_000, true)
    }
  }
  await assert.rejects(
    openRaster(createMemorySource(bytes, 'large')),
    (error) => error instanceof RasterFailure && (error.kind === 'damaged' || error.kind === 'budget'),
  )
})

test('complex samples and unknown packings are refused by name', async () => {
  const bytes = new Uint8Array(readFileSync(new URL('scenes/elkton-red.tif', fixtures)))
  const view = new DataView(bytes.buffer)
  const directory = view.getUint32(4, true)
  for (let at = 0; at < view.getUint16(directory, true); at++) {
    const entry = directory + 2 + at * 12
    if (view.getUint16(entry, true) === 259) view.setUint16(entry + 8, 34_712, true)
  }
  const raster = await openRaster(createMemorySource(bytes, 'jpeg2000'))
  await assert.rejects(
    readWindow(raster, { window: [0, 0, 5, 5] }),
    (error) => error instanceof RasterFailure && error.kind === 'unsupported' && error.message.includes('JPEG 2000'),
  )
})

test('a file that is not a TIFF is reported as such', async () => {
  for (const text of ['', 'II', 'GIF89a and more', 'II*\0\0\0\0\0']) {
    await assert.rejects(
      openRaster(createMemorySource(new TextEncoder().encode(text), 'text')),
      (error) => error instanceof RasterFailure && (error.kind === 'not_raster' || error.kind === 'damaged'),
    )
  }
})

test('neighbouring blocks come with few reads, and the header with one', async () => {
  const bytes = readFileSync(new URL('scenes/hls-exe.tif', fixtures))
  const reads: [number, number][] = []
  const inner = createMemorySource(bytes, 'counted')
  const counted = {
    ...inner,
    read: (offset: number, length: number) => (reads.push([offset, length]), inner.read(offset, length)),
  }
  const raster = await openRaster(counted)
  const afterOpen = reads.length
  assert.ok(afterOpen <= 2, `${afterOpen} reads to open`)
  await readWindow(raster, { window: [0, 0, raster.width, raster.height] })
  assert.ok(reads.length - afterOpen <= 3, `${reads.length - afterOpen} reads for all pixels`)
})

async function withRaster(file: string, use: (raster: Raster) => Promise<void>): Promise<void> {
  const source = await openFileSource(new URL(file, fixtures).pathname)
  try {
    await use(await openRaster(source))
  } finally {
    await source.close()
  }
}

async function readAll(bytes: Uint8Array): Promise<PixelBlock> {
  const raster = await openRaster(createMemorySource(bytes, 'bytes'))
  return readWindow(raster, { window: [0, 0, raster.width, raster.height], budget_bytes: 32_000_000 })
}

function digest(array: ArrayBufferView): string {
  return createHash('md5')
    .update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    .digest('hex')
}

function countEmpty(mask: Uint8Array): number {
  return mask.reduce((sum, value) => sum + (value === 0 ? 1 : 0), 0)
}

function assertThinned(block: PixelBlock, packed: string): void {
  const samples = new Uint8Array(inflateSync(Buffer.from(packed, 'base64')))
  let at = 0
  for (let band = 0; band < block.bands; band++) {
    for (let y = 0; y < block.height; y += 5) {
      for (let x = 0; x < block.width; x += 5) {
        const ours = block.data[(band * block.height + y) * block.width + x]!
        assert.ok(
          Math.abs(ours - samples[at]!) <= jpeg_tolerance,
          `band ${band} at ${x},${y}: ${ours} and ${samples[at]}`,
        )
        at++
      }
    }
  }
  assert.equal(at, samples.length)
}

function assertClose(ours: number, theirs: number, relative: number): void {
  assert.ok(Math.abs(ours - theirs) <= relative * Math.max(1, Math.abs(theirs)), `${ours} is not ${theirs}`)
}

function assertNodata(ours: number | null, theirs: string | null): void {
  if (theirs === null) assert.equal(ours, null)
  else if (theirs === 'nan') assert.ok(Number.isNaN(ours))
  else if (theirs.endsWith('inf')) assert.equal(ours, theirs.startsWith('-') ? -Infinity : Infinity)
  else assert.equal(ours, Number(theirs))
}
