import type { Conversation } from '../../oracle/conversation.ts'
import type { Picture } from './picture.ts'
import type { Setting } from './setting.ts'
import { hashOf } from './tile-sets.ts'
import type { TileSet } from './tile-sets.ts'

export interface Cost {
  readonly cpu_ms: number
  readonly wall_ms: number
  readonly bytes: number
}

export interface Contest {
  readonly about: string
  readonly file: string
  readonly sets: readonly TileSet[]
  readonly picture: Picture
  readonly peer: Conversation
  readonly peerName: string
  /** Size of our cache of decoded blocks; it is empty at the start of each list. */
  readonly cache_bytes: number
  /** The peer keeps its dataset open, and so its decoded blocks. */
  readonly kept?: boolean
}

/** Tiles rendered before the measurement. */
const WARM_UP_TILES = 4

/**
 * Both contenders render the same lists of tiles, alternating over several rounds. Returns the peer's cost divided by ours,
 * each the sum over all lists of the minimum cost.
 */
export async function compareTiles(setting: Setting, contest: Contest): Promise<number> {
  const { file, sets, picture, peer, cache_bytes, kept } = contest
  const draw = (side: Conversation, { tiles }: Pick<TileSet, 'tiles'>) =>
    side.ask<Cost>({ do: 'tiles', file, tiles, picture, kept })
  await setting.ours.ask({ do: 'cache', bytes: cache_bytes })
  for (const side of [setting.ours, peer])
    for (const { tiles } of sets) await draw(side, { tiles: tiles.slice(0, WARM_UP_TILES) })
  const ours = sets.map((): Cost[] => [])
  const theirs = sets.map((): Cost[] => [])
  for (let round = 0; round < setting.rounds; round++)
    for (const [index, set] of sets.entries()) {
      await setting.ours.ask({ do: 'cache', bytes: cache_bytes })
      ours[index]!.push(await draw(setting.ours, set))
      theirs[index]!.push(await draw(peer, set))
    }
  let [sumOfOurs, sumOfTheirs] = [0, 0]
  for (const [index, set] of sets.entries()) {
    const [own, other] = [least(ours[index]!), least(theirs[index]!)]
    sumOfOurs += own.cpu_ms
    sumOfTheirs += other.cpu_ms
    console.log(`${contest.about}, ${picture.resampling}, ${describe(set)}: ${line(own, other, contest, set)}`)
  }
  return sumOfTheirs / sumOfOurs
}

/** Our own cost per tile in CPU milliseconds, minimum of the rounds. */
export async function costOfOurs(setting: Setting, file: string, set: TileSet, picture: Picture): Promise<number> {
  const costs: Cost[] = []
  for (let round = 0; round <= setting.rounds; round++)
    costs.push(await setting.ours.ask<Cost>({ do: 'tiles', file, tiles: set.tiles, picture }))
  return least(costs).cpu_ms / set.tiles.length
}

const least = (costs: readonly Cost[]): Cost => costs.reduce((a, b) => (b.cpu_ms < a.cpu_ms ? b : a))

function describe({ name, tiles, blocks, level }: TileSet): string {
  const each = (blocks.length / tiles.length).toFixed(2)
  return `${name}: ${tiles.length} tiles ${hashOf(tiles)}, ${each} blocks a tile of level ${level}`
}

function line(own: Cost, other: Cost, { peerName }: Contest, { tiles }: TileSet): string {
  const words = ({ cpu_ms, wall_ms, bytes }: Cost): string => {
    const size = bytes > 0 ? `, ${(bytes / 1000 / tiles.length).toFixed(0)} kB` : ''
    return `${(cpu_ms / tiles.length).toFixed(1)} ms (wall ${(wall_ms / tiles.length).toFixed(1)}${size})`
  }
  return `ours ${words(own)}, ${peerName} ${words(other)}, ratio ${(other.cpu_ms / own.cpu_ms).toFixed(2)}`
}
