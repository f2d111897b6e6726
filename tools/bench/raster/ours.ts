import { readSync, openSync, closeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { inflateSync } from 'node:zlib'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Tile } from '@swath/geo/tile-grid.ts'
import type { CogOptions, Source } from '@swath/raster'
import { fileSource, keepHead, openRaster } from '@swath/raster'
import { createEngine } from './engine.ts'
import type { Picture } from './picture.ts'

/**
 * Our contender in the raster benchmark, a process that answers JSON lines as the peers do. Costs are CPU milliseconds of
 * the whole process: all threads, user and system.
 */
const engine = createEngine()

interface TilesMessage {
  readonly file: string
  readonly tiles: readonly (readonly [z: number, x: number, y: number])[]
  readonly picture: Picture
}

const tileOf = ([z, x, y]: readonly [number, number, number]): Tile => ({ z, x, y })

async function timed<Answer extends object>(work: () => Promise<Answer>) {
  const cpu = process.cpuUsage()
  const wall = performance.now()
  const answer = await work()
  const { user, system } = process.cpuUsage(cpu)
  return { ...answer, cpu_ms: (user + system) / 1000, wall_ms: performance.now() - wall }
}

async function drawTiles({ file, tiles, picture }: TilesMessage) {
  return timed(async () => {
    let bytes = 0
    for (const tile of tiles) bytes += (await engine.drawEncoded(file, tileOf(tile), picture)).byteLength
    return { bytes }
  })
}

/** The minimum cost of a cold tile: inflating its blocks with node:zlib, and encoding the rendered image. */
async function measureLimit(message: TilesMessage & { readonly blocks: readonly (readonly [number, number])[] }) {
  const { file, tiles, picture, blocks } = message
  const painted: Awaited<ReturnType<typeof engine.drawPainted>>[] = []
  for (const tile of tiles) painted.push(await engine.drawPainted(file, tileOf(tile), picture))
  const descriptor = openSync(file, 'r')
  const packed = blocks.map(([offset, size]) => {
    const bytes = Buffer.alloc(size)
    readSync(descriptor, bytes, 0, size, offset)
    return bytes
  })
  closeSync(descriptor)
  const lengths = packed.map((bytes) => inflateSync(bytes).length)
  const inflate = await timed(async () => {
    for (const [at, bytes] of packed.entries()) inflateSync(bytes, { chunkSize: lengths[at]! })
    return {}
  })
  const encode = await timed(async () => {
    for (const picture_ of painted) engine.encode(picture_, picture)
    return {}
  })
  return { inflate_ms: inflate.cpu_ms, encode_ms: encode.cpu_ms }
}

/** Measures the second run of a list, when all threads have started and compiled. */
async function drawInThreads({ file, tiles, picture, threads }: TilesMessage & { readonly threads: number }) {
  const draw = () => engine.drawInThreads(file, tiles.map(tileOf), picture, threads)
  await draw()
  const { wall_ms } = await timed(async () => {
    await draw()
    return {}
  })
  return { wall_ms }
}

/**
 * Counts the reads per tile, with a cached header and with the file opened for each tile. The first bytes are cached, as for
 * remote sources.
 */
async function countRequests({ file, tiles, picture }: TilesMessage) {
  let reads = 0
  const source = await fileSource(file)
  const counting: Source = {
    id: file,
    size: source.size,
    read: (offset, length, signal) => {
      reads++
      return source.read(offset, length, signal)
    },
    close: async () => {},
  }
  const raster = await openRaster(keepHead(counting))
  const known: number[] = []
  for (const tile of tiles) {
    reads = 0
    await engine.drawFrom(raster, tileOf(tile), picture)
    known.push(reads)
  }
  const unknown: number[] = []
  for (const tile of tiles) {
    reads = 0
    await engine.drawFrom(await openRaster(keepHead(counting)), tileOf(tile), picture)
    unknown.push(reads)
  }
  await source.close()
  return { known, unknown }
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
  tiles: drawTiles,
  limit: measureLimit,
  requests: countRequests,
  threads: drawInThreads,
  zonal: ({ file, polygon }: { readonly file: string; readonly polygon: AreaGeometry }) =>
    timed(async () => ({ bands: await engine.zonal(file, polygon) })),
  write: writeCog,
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as { readonly do: string }
  const answer = await commands[message.do]!(message as never).catch((error: unknown) => ({
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }))
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
