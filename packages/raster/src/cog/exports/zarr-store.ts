import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { checkCancelled, RasterFailure } from '../../failures.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { PixelRows, SampleArray } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { viewSampleBytes } from '../writer/strip.ts'
import type { ExportProgressReporter } from './png-file.ts'
import { computeZarrFillValue, buildZarrGroupMetadata, listZarrArrays, zarr_chunk_pixels } from './zarr-metadata.ts'

const pack = promisify(gzip)
const compression_level = 5
/** Chunks that are packed at the same time. */
const max_parallel_chunks = 4

/** A chunk that is to be stored: its key, and its samples or null if they are all the fill value. */
interface Chunk {
  readonly key: string
  readonly samples: SampleArray | null
}

/**
 * Writes an image as a Zarr store of version 3 into a folder: `data` by band, row and column in chunks of 512 × 512 pixels of one
 * band, packed by gzip, which every reader knows, and the coordinates of the centres of its pixels. Chunks without any value are
 * left out. Memory: one row of chunks.
 *
 * @throws RasterFailure `write`, `cancelled`, and what reading the image throws.
 */
export async function writeZarr(
  input: CogInput,
  folder: string,
  { signal, report }: ExportProgressReporter,
): Promise<void> {
  await storeJson(folder, 'zarr.json', buildZarrGroupMetadata(input))
  const arrays = listZarrArrays(input)
  for (const { name, metadata } of arrays) await storeJson(folder, `${name}/zarr.json`, metadata)
  const names = new Set(arrays.map(({ name }) => name))
  if (names.has('x')) await storeCoordinates(folder, input)
  for (let top = 0; top < input.height; top += zarr_chunk_pixels) {
    const rows = Math.min(zarr_chunk_pixels, input.height - top)
    const read = await input.readRows(top, rows)
    for (const chunks of inGroups(chunksOf(input, read, top / zarr_chunk_pixels, names.has('mask')))) {
      checkCancelled(signal)
      await Promise.all(chunks.map((chunk) => storeChunk(folder, chunk)))
    }
    report(top + rows)
  }
}

function* inGroups(chunks: Iterable<Chunk>): Generator<Chunk[]> {
  let group: Chunk[] = []
  for (const chunk of chunks) {
    group.push(chunk)
    if (group.length < max_parallel_chunks) continue
    yield group
    group = []
  }
  yield group
}

function* chunksOf(input: CogInput, read: PixelRows, row: number, hasMask: boolean): Generator<Chunk> {
  const fill = computeZarrFillValue(input)
  for (let column = 0; column * zarr_chunk_pixels < input.width; column++) {
    for (let band = 0; band < input.bands.length; band++)
      yield { key: `data/c/${band}/${row}/${column}`, samples: cutBand(input, read, { column, band, fill }) }
    if (hasMask) yield { key: `mask/c/${row}/${column}`, samples: cutMask(read, column) }
  }
}

interface ChunkPlace {
  readonly column: number
  readonly band: number
  readonly fill: number
}

/** The samples of one band in a chunk; null if each of them is the fill value, which masked pixels become. */
function cutBand(input: CogInput, { width, rows, bands, data, mask }: PixelRows, { column, band, fill }: ChunkPlace) {
  const samples = sampleTypeProperties[input.sampleType].allocate(zarr_chunk_pixels * zarr_chunk_pixels).fill(fill)
  const [left, right] = [column * zarr_chunk_pixels, Math.min(width, (column + 1) * zarr_chunk_pixels)]
  // Without a nodata value, the array `mask` marks the valid pixels.
  const isMasking = mask !== null && (input.nodata !== null || Number.isNaN(fill))
  let isEmpty = true
  for (let row = 0; row < rows; row++)
    for (let x = left, at = row * width + left, to = row * zarr_chunk_pixels; x < right; x++, at++, to++) {
      if (isMasking && mask[at] === 0) continue
      const sample = data[at * bands + band]!
      samples[to] = sample
      if (isEmpty && sample !== fill && !(Number.isNaN(sample) && Number.isNaN(fill))) isEmpty = false
    }
  return isEmpty ? null : samples
}

function cutMask({ width, rows, mask }: PixelRows, column: number): Uint8Array | null {
  const samples = new Uint8Array(zarr_chunk_pixels * zarr_chunk_pixels)
  const [left, right] = [column * zarr_chunk_pixels, Math.min(width, (column + 1) * zarr_chunk_pixels)]
  for (let row = 0; row < rows; row++) {
    const to = row * zarr_chunk_pixels
    if (mask) samples.set(mask.subarray(row * width + left, row * width + right), to)
    else samples.fill(255, to, to + right - left)
  }
  return samples.every((value) => value === 0) ? null : samples
}

/** The coordinates of the centres of columns and rows. */
async function storeCoordinates(folder: string, { width, height, georeferencing }: CogInput): Promise<void> {
  const [a, b, , d, , f] = georeferencing.affine!
  const xs = Float64Array.from({ length: width }, (_, x) => a + b * (x + 0.5))
  const ys = Float64Array.from({ length: height }, (_, y) => d + f * (y + 0.5))
  await store(folder, 'x/c/0', viewSampleBytes(xs))
  await store(folder, 'y/c/0', viewSampleBytes(ys))
}

async function storeChunk(folder: string, { key, samples }: Chunk): Promise<void> {
  if (samples !== null) await store(folder, key, await pack(viewSampleBytes(samples), { level: compression_level }))
}

const storeJson = (folder: string, key: string, value: object): Promise<void> =>
  store(folder, key, Buffer.from(JSON.stringify(value)))

async function store(folder: string, key: string, bytes: Uint8Array): Promise<void> {
  const path = join(folder, key)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  } catch (cause) {
    throw new RasterFailure('write', 'the Zarr store could not be written', { cause })
  }
}
