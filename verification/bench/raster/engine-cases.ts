import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { JsonLinesProcess } from '../../oracle/json-lines-process.ts'
import type { Figure } from '../runner.ts'
import { measureOwnCost, type TileCost } from './compare.ts'
import { createFigure } from './figure-bounds.ts'
import { tileStyles, warmUpStyles, type TileStyle } from './tile-style.ts'
import type { RasterBenchContext } from './context.ts'
import { hashTiles, chooseScatteredTiles, withOpenRaster, type TileAddress } from './tile-sets.ts'
import { closeAtEnd } from '../../prove/harness/resources.ts'

/** Zooms of the small scenes at which a few tiles of each sample type are rendered. */
const smallZooms = [12, 13, 14]
const resamplings = ['nearest', 'bilinear'] as const

/** Renders every sample type once, so that no measurement includes the first use of one. */
export async function warmUp(context: RasterBenchContext, contender: JsonLinesProcess, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const [name, style] of Object.entries(warmUpStyles)) {
      const file = context.scene(name)
      const tiles = await smallTiles(file)
      for (const resampling of resamplings)
        await contender.request({ do: 'tiles', file, tiles, style: { ...style, resampling } })
    }
}

function smallTiles(file: string): Promise<TileAddress[]> {
  return withOpenRaster(file, (raster) => smallZooms.flatMap((z) => [...chooseScatteredTiles(raster, z, 3).tiles]))
}

interface LimitCost {
  readonly inflate_ms: number
  readonly encode_ms: number
}

/**
 * Share of inflating the blocks and encoding the image in the cost of a cold tile: with the functions of the runtime, and
 * with libdeflate and libspng in a C program.
 */
export async function measureLimit(context: RasterBenchContext): Promise<Figure[]> {
  const file = context.scene('s2.tif')
  const set = await withOpenRaster(file, (raster) => chooseScatteredTiles(raster, 13, context.tiles))
  const { blocks } = await context.gdal.request<{ blocks: [number, number][] }>({
    do: 'blocks',
    file,
    level: set.level,
    blocks: set.blocks,
  })
  await context.ours.request({ do: 'cache', bytes: 0 })
  const figures: Figure[] = []
  for (const resampling of resamplings) {
    const style = { ...tileStyles.colours, resampling }
    const tile_ms = await measureOwnCost(context, file, set, style)
    let [inflate_ms, encode_ms] = [Infinity, Infinity]
    const input = join(context.folder, 'limit-input')
    for (let round = 0; round <= context.rounds; round++) {
      const cost = await context.ours.request<LimitCost>({ do: 'limit', file, tiles: set.tiles, style, blocks, input })
      inflate_ms = Math.min(inflate_ms, cost.inflate_ms / set.tiles.length)
      encode_ms = Math.min(encode_ms, cost.encode_ms / set.tiles.length)
    }
    console.log(
      `limit, ${resampling}: ${set.tiles.length} tiles ${hashTiles(set.tiles)} of z13, ${blocks.length} blocks; a tile ${tile_ms.toFixed(2)} ms, of it inflating by node:zlib ${inflate_ms.toFixed(2)}, encoding ${encode_ms.toFixed(2)}`,
    )
    const inC = await measureLimitInC(context, input, tile_ms, set.tiles.length)
    figures.push(
      createFigure(`share of the limit, ${resampling}`, (inflate_ms + encode_ms) / tile_ms),
      createFigure(`share of the limit in C, ${resampling}`, inC),
    )
  }
  return figures
}

async function measureLimitInC(
  { limitProgram, rounds }: RasterBenchContext,
  input: string,
  tile_ms: number,
  tiles: number,
): Promise<number> {
  const { stdout } = await promisify(execFile)(limitProgram, [input, String(rounds + 2)])
  const cost = JSON.parse(stdout) as LimitCost & { readonly png_bytes: number }
  const [inflate_ms, encode_ms] = [cost.inflate_ms / tiles, cost.encode_ms / tiles]
  console.log(
    `limit in C: inflating by libdeflate ${inflate_ms.toFixed(2)} ms a tile, encoding by libspng ${encode_ms.toFixed(2)} (${(cost.png_bytes / 1000 / tiles).toFixed(0)} kB)`,
  )
  return (inflate_ms + encode_ms) / tile_ms
}

/** Peak memory of tile jobs in a fresh process, without a block cache. */
export async function measureTileMemory(context: RasterBenchContext): Promise<Figure[]> {
  let max_mib = 0
  for (const [scene, style] of [
    ['s2.tif', tileStyles.colours],
    ['rgb_jpeg.tif', tileStyles.bytes],
    ['dem.tif', tileStyles.terrain],
  ] as const) {
    await using fresh = closeAtEnd(context.startOurs())
    const file = context.scene(scene)
    await fresh.request({ do: 'cache', bytes: 0 })
    for (const z of [10, 13]) {
      const { tiles } = await withOpenRaster(file, (raster) => chooseScatteredTiles(raster, z, context.tiles))
      const { before_mib, peak_mib } = await fresh.request<{ before_mib: number; peak_mib: number }>({
        do: 'memory',
        file,
        tiles,
        style: { ...style, resampling: 'bilinear' },
      })
      console.log(
        `memory of tiles of ${scene}, z${z}: ${before_mib.toFixed(0)} MiB before, peak ${peak_mib.toFixed(0)}`,
      )
      max_mib = Math.max(max_mib, peak_mib)
    }
  }
  return [createFigure('tile job, most memory in MiB', max_mib)]
}

/**
 * Cold tiles per second with two workers of one process, relative to two processes with one worker each: what two cores of this
 * machine give at most, which is less than twice what one gives where they share a memory bus or a core.
 */
export async function measureWorkers(context: RasterBenchContext): Promise<Figure[]> {
  const file = context.scene('s2.tif')
  const { tiles } = await withOpenRaster(file, (raster) => chooseScatteredTiles(raster, 13, context.tiles * 4))
  await using other = closeAtEnd(context.startOurs())
  const style = { ...tileStyles.colours, resampling: 'nearest' }
  const render = async (threads: number, processes = [context.ours]): Promise<number> => {
    const costs = await Promise.all(
      processes.map((process) => process.request<TileCost>({ do: 'threads', file, tiles, style, threads })),
    )
    return (1000 * tiles.length * processes.length) / Math.max(...costs.map(({ wall_ms }) => wall_ms))
  }
  const best = { one: 0, two: 0, processes: 0 }
  for (let round = 0; round < context.rounds; round++) {
    best.one = Math.max(best.one, await render(1))
    best.two = Math.max(best.two, await render(2))
    best.processes = Math.max(best.processes, await render(1, [context.ours, other]))
  }
  console.log(
    `workers: ${tiles.length} tiles ${hashTiles(tiles)} of z13, cold: one ${best.one.toFixed(1)} a second, two ${best.two.toFixed(1)}, two processes ${best.processes.toFixed(1)}`,
  )
  return [createFigure('two workers / two processes', best.two / best.processes)]
}

/** How much slower 16-bit tiles become after the process has rendered four other sample types. */
export async function measureMixedSampleTypes(context: RasterBenchContext): Promise<Figure[]> {
  const file = context.scene('m_u16.tif')
  const set = await withOpenRaster(file, (raster) => chooseScatteredTiles(raster, 14, context.tiles))
  await using ours = closeAtEnd(context.startOurs())
  const fresh = { ...context, ours, rounds: Math.max(4, context.rounds) }
  // With blocks cached, decoding does not hide the cost of rendering.
  await fresh.ours.request({ do: 'cache', bytes: 2 ** 28 })
  const measure = async (): Promise<number[]> => {
    const costs: number[] = []
    for (const resampling of resamplings)
      costs.push(await measureOwnCost(fresh, file, set, { ...tileStyles.colours, resampling }))
    return costs
  }
  await measure()
  const before = await measure()
  await warmUp(fresh, fresh.ours, 2)
  const after = await measure()
  const slowdowns = after.map((cost, index) => cost / before[index]!)
  console.log(
    `mixed types: ${set.tiles.length} tiles ${hashTiles(set.tiles)}, blocks kept; ${resamplings.map((name, index) => `${name} ${before[index]!.toFixed(2)} ms before, ${after[index]!.toFixed(2)} after`).join('; ')}`,
  )
  return [createFigure('u16 tiles after other sample types / before', Math.max(...slowdowns))]
}

/** Reads of the file per cold tile. */
export async function measureRequests(context: RasterBenchContext): Promise<Figure[]> {
  const file = context.scene('s2.tif')
  const { tiles } = await withOpenRaster(file, (raster) => chooseScatteredTiles(raster, 13, context.tiles * 2))
  const style: TileStyle = { ...tileStyles.colours, resampling: 'nearest' }
  const { known: withHeader, unknown: withoutHeader } = await context.ours.request<{
    known: number[]
    unknown: number[]
  }>({ do: 'requests', file, tiles, style })
  const mean = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0) / counts.length
  console.log(
    `requests: ${tiles.length} tiles ${hashTiles(tiles)} of z13, at most ${Math.max(...withHeader)} with the header known, ${Math.max(...withoutHeader)} without`,
  )
  return [
    createFigure('requests a cold tile, header known', mean(withHeader)),
    createFigure('requests a cold tile, header unknown', mean(withoutHeader)),
  ]
}
