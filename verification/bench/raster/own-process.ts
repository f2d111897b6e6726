import { readSync, openSync, closeSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { inflateSync } from 'node:zlib'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Tile } from '@swath/geo/tile-grid.ts'
import {
  openFileSource,
  createHeaderCachingSource,
  openRaster,
  type CogOptions,
  type RasterByteSource,
} from '@swath/raster'
import { createEngine } from './engine.ts'
import type { TileStyle } from './tile-style.ts'

/**
 * Our contender in the raster benchmark, a process that answers JSON lines as the peers do. Costs are CPU milliseconds of
 * the whole process: all threads, user and system.
 */
const engine = createEngine()

interface TilesMessage {
  readonly file: string
  readonly tiles: readonly (readonly [z: number, x: number, y: number])[]
  readonly style: TileStyle
}

const tileOf = ([z, x, y]: readonly [number, number, number]): Tile => ({ z, x, y })

async function timed<Result extends object>(work: () => Promise<Result>) {
  const cpu = process.cpuUsage()
  const wall = performance.now()
  const result = await work()
  const { user, system } = process.cpuUsage(cpu)
  return { ...result, cpu_ms: (user + system) / 1000, wall_ms: performance.now() - wall }
}

async function renderTiles({ file, tiles, style }: TilesMessage) {
  return timed(async () => {
    let bytes = 0
    for (const tile of tiles) bytes += (await engine.renderEncoded(file, tileOf(tile), style)).byteLength
    return { bytes }
  })
}

/**
 * The minimum cost of a cold tile: inflating its blocks with node:zlib, and encoding the rendered image. Blocks and images
 * are also written to a file, for the program that does the same in C.
 */
async function measureLimit(
  message: TilesMessage & { readonly blocks: readonly (readonly [number, number])[]; readonly input: string },
) {
  const { file, tiles, style, blocks, input } = message
  const renderedTiles: Awaited<ReturnType<typeof engine.renderTile>>[] = []
  for (const tile of tiles) renderedTiles.push(await engine.renderTile(file, tileOf(tile), style))
  const descriptor = openSync(file, 'r')
  const packed = blocks.map(([offset, size]) => {
    const bytes = Buffer.alloc(size)
    readSync(descriptor, bytes, 0, size, offset)
    return bytes
  })
  closeSync(descriptor)
  const lengths = packed.map((bytes) => inflateSync(bytes).length)
  writeLimitInput(
    input,
    packed.map((bytes, at) => ({ numbers: [bytes.length, lengths[at]!], bytes })),
    renderedTiles.map(({ width, height, data }) => ({
      numbers: [width, height, data.length / width / height],
      bytes: data,
    })),
  )
  const inflate = await timed(async () => {
    for (const [at, bytes] of packed.entries()) inflateSync(bytes, { chunkSize: lengths[at]! })
    return {}
  })
  const encode = await timed(async () => {
    for (const image of renderedTiles) engine.encode(image, style)
    return {}
  })
  return { inflate_ms: inflate.cpu_ms, encode_ms: encode.cpu_ms }
}

interface LimitInput {
  readonly numbers: readonly number[]
  readonly bytes: Uint8Array
}

/** Writes the input of limit.c: two lists, each with its length in front. */
function writeLimitInput(path: string, ...lists: readonly (readonly LimitInput[])[]): void {
  const words = (numbers: readonly number[]): Uint8Array => new Uint8Array(Uint32Array.from(numbers).buffer)
  const parts = lists.flatMap((list) => [
    words([list.length]),
    ...list.flatMap(({ numbers, bytes }) => [words(numbers), bytes]),
  ])
  writeFileSync(path, Buffer.concat(parts))
}

/** Measures the second run of a list, when all threads have started and compiled. */
async function readInThreads({ file, tiles, style, threads }: TilesMessage & { readonly threads: number }) {
  const readTiles = () => engine.readInThreads(file, tiles.map(tileOf), style, threads)
  await readTiles()
  const { wall_ms } = await timed(async () => {
    await readTiles()
    return {}
  })
  return { wall_ms }
}

/**
 * Counts the reads per tile, with a cached header and with the file opened for each tile. The first bytes are cached, as for
 * remote sources.
 */
async function countRequests({ file, tiles, style }: TilesMessage) {
  let reads = 0
  const source = await openFileSource(file)
  const counting: RasterByteSource = {
    id: file,
    size: source.size,
    read: (offset, length, signal) => {
      reads++
      return source.read(offset, length, signal)
    },
    close: async () => {},
  }
  const raster = await openRaster(createHeaderCachingSource(counting))
  const withHeader: number[] = []
  for (const tile of tiles) {
    reads = 0
    await engine.renderFrom(raster, tileOf(tile), style)
    withHeader.push(reads)
  }
  const withoutHeader: number[] = []
  for (const tile of tiles) {
    reads = 0
    await engine.renderFrom(await openRaster(createHeaderCachingSource(counting)), tileOf(tile), style)
    withoutHeader.push(reads)
  }
  await source.close()
  return { known: withHeader, unknown: withoutHeader }
}

/**
 * Peak memory of this process while it renders tiles without a block cache, and before the first one: the difference is
 * the memory of tile jobs.
 */
async function measureTileMemory(message: TilesMessage) {
  const before_mib = process.resourceUsage().maxRSS / 1024
  await renderTiles(message)
  return { before_mib, peak_mib: process.resourceUsage().maxRSS / 1024 }
}

/** Measures the process since its start, so it writes one file and exits. */
async function writeCog(message: { readonly source: string; readonly target: string; readonly options: CogOptions }) {
  const wall = performance.now()
  await engine.writeCog(message.source, message.target, message.options)
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  return { cpu_ms: (userCPUTime + systemCPUTime) / 1000, wall_ms: performance.now() - wall, rss_mib: maxRSS / 1024 }
}

const commands: Readonly<Record<string, (message: never) => Promise<object>>> = {
  versions: async () => ({
    text: `Node ${process.versions.node}, zlib ${process.versions.zlib}, V8 ${process.versions.v8}`,
  }),
  cache: async ({ bytes }: { readonly bytes: number }) => {
    engine.setBlockCache(bytes)
    return {}
  },
  tiles: renderTiles,
  limit: measureLimit,
  requests: countRequests,
  threads: readInThreads,
  zonal: ({ file, polygon }: { readonly file: string; readonly polygon: AreaGeometry }) =>
    timed(async () => ({ bands: await engine.zonal(file, polygon) })),
  memory: measureTileMemory,
  write: writeCog,
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as { readonly do: string }
  const result = await commands[message.do]!(message as never).catch((error: unknown) => ({
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }))
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
