import type { Conversation } from '../../oracle/conversation.ts'
import type { Figure } from '../figure.ts'
import { costOfOurs } from './compare.ts'
import type { Cost } from './compare.ts'
import { figureOf } from './limits.ts'
import { PICTURES, WARM_UP } from './picture.ts'
import type { Picture } from './picture.ts'
import type { Setting } from './setting.ts'
import { hashOf, scatteredTiles, withRaster } from './tile-sets.ts'
import type { TileWords } from './tile-sets.ts'

/** Zooms of the small scenes at which a few tiles of each sample type are rendered. */
const SMALL_ZOOMS = [12, 13, 14]
const RESAMPLINGS = ['nearest', 'bilinear'] as const

/** Renders every sample type once, so that no measurement includes the first use of one. */
export async function warmUp(setting: Setting, side: Conversation, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const [name, picture] of Object.entries(WARM_UP)) {
      const file = setting.scene(name)
      const tiles = await smallTiles(file)
      for (const resampling of RESAMPLINGS)
        await side.ask({ do: 'tiles', file, tiles, picture: { ...picture, resampling } })
    }
}

function smallTiles(file: string): Promise<TileWords[]> {
  return withRaster(file, (raster) => SMALL_ZOOMS.flatMap((z) => [...scatteredTiles(raster, z, 3).tiles]))
}

/** Share of inflating the blocks and encoding the image in the cost of a cold tile. */
export async function measureLimit(setting: Setting): Promise<Figure[]> {
  const file = setting.scene('s2.tif')
  const set = await withRaster(file, (raster) => scatteredTiles(raster, 13, setting.tiles))
  const { blocks } = await setting.gdal.ask<{ blocks: [number, number][] }>({
    do: 'blocks',
    file,
    level: set.level,
    blocks: set.blocks,
  })
  await setting.ours.ask({ do: 'cache', bytes: 0 })
  const figures: Figure[] = []
  for (const resampling of RESAMPLINGS) {
    const picture = { ...PICTURES.colours, resampling }
    const tile_ms = await costOfOurs(setting, file, set, picture)
    let [inflate_ms, encode_ms] = [Infinity, Infinity]
    for (let round = 0; round <= setting.rounds; round++) {
      const cost = await setting.ours.ask<{ inflate_ms: number; encode_ms: number }>({
        do: 'limit',
        file,
        tiles: set.tiles,
        picture,
        blocks,
      })
      inflate_ms = Math.min(inflate_ms, cost.inflate_ms / set.tiles.length)
      encode_ms = Math.min(encode_ms, cost.encode_ms / set.tiles.length)
    }
    console.log(
      `limit, ${resampling}: ${set.tiles.length} tiles ${hashOf(set.tiles)} of z13, ${blocks.length} blocks; a tile ${tile_ms.toFixed(2)} ms, of it inflating by node:zlib ${inflate_ms.toFixed(2)}, encoding ${encode_ms.toFixed(2)}`,
    )
    figures.push(figureOf(`share of the limit, ${resampling}`, (inflate_ms + encode_ms) / tile_ms))
  }
  return figures
}

/** Cold tiles per second with two workers relative to one. */
export async function measureWorkers(setting: Setting): Promise<Figure[]> {
  const file = setting.scene('s2.tif')
  const { tiles } = await withRaster(file, (raster) => scatteredTiles(raster, 13, setting.tiles * 4))
  const picture = { ...PICTURES.colours, resampling: 'nearest' }
  const best = [0, 0, 0]
  for (let round = 0; round < setting.rounds; round++)
    for (const threads of [1, 2]) {
      const { wall_ms } = await setting.ours.ask<Cost>({ do: 'threads', file, tiles, picture, threads })
      best[threads] = Math.max(best[threads]!, (1000 * tiles.length) / wall_ms)
    }
  console.log(
    `workers: ${tiles.length} tiles ${hashOf(tiles)} of z13, cold: one ${best[1]!.toFixed(1)} a second, two ${best[2]!.toFixed(1)}`,
  )
  return [figureOf('two workers / one', best[2]! / best[1]!)]
}

/** How much slower 16-bit tiles become after the process has rendered four other sample types. */
export async function measureMixed(setting: Setting): Promise<Figure[]> {
  const file = setting.scene('m_u16.tif')
  const set = await withRaster(file, (raster) => scatteredTiles(raster, 14, setting.tiles))
  const fresh = { ...setting, ours: setting.startOurs(), rounds: Math.max(4, setting.rounds) }
  try {
    // With blocks cached, decoding does not hide the cost of rendering.
    await fresh.ours.ask({ do: 'cache', bytes: 2 ** 28 })
    const measure = async (): Promise<number[]> => {
      const costs: number[] = []
      for (const resampling of RESAMPLINGS)
        costs.push(await costOfOurs(fresh, file, set, { ...PICTURES.colours, resampling }))
      return costs
    }
    await measure()
    const before = await measure()
    await warmUp(fresh, fresh.ours, 2)
    const after = await measure()
    const slower = after.map((cost, index) => cost / before[index]!)
    console.log(
      `mixed types: ${set.tiles.length} tiles ${hashOf(set.tiles)}, blocks kept; ${RESAMPLINGS.map((name, index) => `${name} ${before[index]!.toFixed(2)} ms before, ${after[index]!.toFixed(2)} after`).join('; ')}`,
    )
    return [figureOf('u16 tiles after other sample types / before', Math.max(...slower))]
  } finally {
    await fresh.ours.end()
  }
}

/** Reads of the file per cold tile. */
export async function measureRequests(setting: Setting): Promise<Figure[]> {
  const file = setting.scene('s2.tif')
  const { tiles } = await withRaster(file, (raster) => scatteredTiles(raster, 13, setting.tiles * 2))
  const picture: Picture = { ...PICTURES.colours, resampling: 'nearest' }
  const { known, unknown } = await setting.ours.ask<{ known: number[]; unknown: number[] }>({
    do: 'requests',
    file,
    tiles,
    picture,
  })
  const mean = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0) / counts.length
  console.log(
    `requests: ${tiles.length} tiles ${hashOf(tiles)} of z13, at most ${Math.max(...known)} with the header known, ${Math.max(...unknown)} without`,
  )
  return [
    figureOf('requests a cold tile, header known', mean(known)),
    figureOf('requests a cold tile, header unknown', mean(unknown)),
  ]
}
