import type { JsonLinesProcess } from '../../oracle/json-lines-process.ts'
import type { TileStyle } from './tile-style.ts'
import type { RasterBenchContext } from './context.ts'
import { hashTiles } from './tile-sets.ts'
import type { TileSet } from './tile-sets.ts'

export interface TileCost {
  readonly cpu_ms: number
  readonly wall_ms: number
  readonly bytes: number
}

export interface TileComparison {
  readonly description: string
  readonly file: string
  readonly sets: readonly TileSet[]
  readonly style: TileStyle
  readonly peer: JsonLinesProcess
  readonly peerName: string
  /** Size of our cache of decoded blocks; it is empty at the start of each list. */
  readonly cache_bytes: number
  /** The peer keeps its dataset open, and so its decoded blocks. */
  readonly kept?: boolean
}

/** Tiles rendered before the measurement. */
const warm_up_tiles = 4

/**
 * Both contenders render the same lists of tiles, alternating over several rounds. Returns the peer's cost divided by ours,
 * each the sum over all lists of the minimum cost.
 */
export async function compareTiles(context: RasterBenchContext, comparison: TileComparison): Promise<number> {
  const { file, sets, style, peer: peerProcess, cache_bytes, kept } = comparison
  const draw = (side: JsonLinesProcess, { tiles }: Pick<TileSet, 'tiles'>) =>
    side.request<TileCost>({ do: 'tiles', file, tiles, style, kept })
  await context.ours.request({ do: 'cache', bytes: cache_bytes })
  for (const side of [context.ours, peerProcess])
    for (const { tiles } of sets) await draw(side, { tiles: tiles.slice(0, warm_up_tiles) })
  const ownCosts = sets.map((): TileCost[] => [])
  const peerCosts = sets.map((): TileCost[] => [])
  for (let round = 0; round < context.rounds; round++)
    for (const [index, set] of sets.entries()) {
      await context.ours.request({ do: 'cache', bytes: cache_bytes })
      ownCosts[index]!.push(await draw(context.ours, set))
      peerCosts[index]!.push(await draw(peerProcess, set))
    }
  let [ownSum, peerSum] = [0, 0]
  for (const [index, set] of sets.entries()) {
    const [ownCost, peerCost] = [minCost(ownCosts[index]!), minCost(peerCosts[index]!)]
    ownSum += ownCost.cpu_ms
    peerSum += peerCost.cpu_ms
    console.log(
      `${comparison.description}, ${style.resampling}, ${describe(set)}: ${formatCosts(ownCost, peerCost, comparison, set)}`,
    )
  }
  return peerSum / ownSum
}

/** Our own cost per tile in CPU milliseconds, minimum of the rounds. */
export async function measureOwnCost(
  context: RasterBenchContext,
  file: string,
  set: TileSet,
  style: TileStyle,
): Promise<number> {
  const costs: TileCost[] = []
  for (let round = 0; round <= context.rounds; round++)
    costs.push(await context.ours.request<TileCost>({ do: 'tiles', file, tiles: set.tiles, style }))
  return minCost(costs).cpu_ms / set.tiles.length
}

const minCost = (costs: readonly TileCost[]): TileCost => costs.reduce((a, b) => (b.cpu_ms < a.cpu_ms ? b : a))

function describe({ name, tiles, blocks, level }: TileSet): string {
  const each = (blocks.length / tiles.length).toFixed(2)
  return `${name}: ${tiles.length} tiles ${hashTiles(tiles)}, ${each} blocks a tile of level ${level}`
}

function formatCosts(ownCost: TileCost, peerCost: TileCost, { peerName }: TileComparison, { tiles }: TileSet): string {
  const formatCost = ({ cpu_ms, wall_ms, bytes }: TileCost): string => {
    const size = bytes > 0 ? `, ${(bytes / 1000 / tiles.length).toFixed(0)} kB` : ''
    return `${(cpu_ms / tiles.length).toFixed(1)} ms (wall ${(wall_ms / tiles.length).toFixed(1)}${size})`
  }
  return `ours ${formatCost(ownCost)}, ${peerName} ${formatCost(peerCost)}, ratio ${(peerCost.cpu_ms / ownCost.cpu_ms).toFixed(2)}`
}
