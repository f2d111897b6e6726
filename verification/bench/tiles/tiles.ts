import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createFolder } from '../../prove/harness/resources.ts'
import { alternate, describeMachine, median, ratiosOf, readOptions, type Figure } from '../runner.ts'
import { createRequestBytes, measureThroughput } from '../socket-load.ts'
import { benchFolder, ensureScenes } from '../raster/context.ts'
import {
  hashTiles,
  chooseNeighbouringTiles,
  chooseScatteredTiles,
  withOpenRaster,
  type TileAddress,
} from '../raster/tile-sets.ts'
import {
  startOwnServer,
  startTitiler,
  createTitilerContender,
  type CacheSizes,
  type TileContender,
  type BenchTileStyle,
} from './contenders.ts'

const connections = 8

const tileStyles: readonly BenchTileStyle[] = [
  {
    description: 'u16 of four bands, deflate, PNG',
    scene: 's2.tif',
    format: 'png',
    ours: 'bands=3,2,1&rescale=0,3000',
    titiler: 'bidx=3&bidx=2&bidx=1&rescale=0,3000&resampling=bilinear&reproject=bilinear',
  },
  {
    description: 'RGB in JPEG with a mask, JPEG',
    scene: 'rgb_jpeg.tif',
    format: 'jpg',
    ours: 'bands=1,2,3&rescale=0,255&quality=75',
    titiler: 'resampling=bilinear&reproject=bilinear',
  },
]

interface TileServerCase {
  readonly name: string
  readonly description: string
  readonly cacheSizes: CacheSizes
  readonly tiles: 'scattered' | 'neighbouring'
  /** The list is requested once before the measurement. */
  readonly isWarmedUp: boolean
  readonly must: number
  readonly aim?: number
}

const cases: Readonly<Record<string, TileServerCase>> = {
  uncached: {
    name: 'uncached',
    description: 'tiles all over the image, once each; ours caches neither blocks nor tiles',
    cacheSizes: { blocks_mib: 0, tiles_mib: 0 },
    tiles: 'scattered',
    isWarmedUp: false,
    must: 2,
  },
  blocks: {
    name: 'warm blocks',
    description: 'a part of the map again; ours caches decoded blocks, and renders and encodes every tile again',
    cacheSizes: { tiles_mib: 0 },
    tiles: 'neighbouring',
    isWarmedUp: true,
    must: 4,
    aim: 6,
  },
  cached: {
    name: 'warm',
    description:
      'the same part again, both with default settings: ours caches blocks and tiles, titiler nothing between requests',
    cacheSizes: {},
    tiles: 'neighbouring',
    isWarmedUp: true,
    must: 6,
  },
}

/**
 * Tiles over HTTP compared with titiler: the same renderings of the same files from the same disk, as many threads of ours as
 * titiler has workers, alternating; the median over the rounds of tiles per second, ours / titiler. Arguments choose cases;
 * `--rounds`, `--tiles`, `--workers`, `--scenes` and `--titiler` (folders, created if missing).
 */
export async function benchTiles(args: readonly string[]): Promise<readonly Figure[]> {
  const { values, positionals } = readOptions(args, {
    rounds: 7,
    tiles: 48,
    workers: availableParallelism(),
    scenes: join(benchFolder, 'scenes'),
    titiler: join(benchFolder, 'titiler'),
  })
  const chosenGroups = positionals.length > 0 ? positionals : Object.keys(cases)
  const unknown = chosenGroups.find((group) => !cases[group])
  if (unknown !== undefined)
    throw new Error(`there is no case "${unknown}"; cases are ${Object.keys(cases).join(', ')}`)
  const { rounds, tiles, workers, scenes } = values
  ensureScenes(scenes)
  const sceneAt = (name: string): string => join(scenes, name)
  // Next to the scenes, so that files can be hard-linked instead of copied.
  await using folder = await createFolder('tiles', join(scenes, '..'))
  await using peer = await startTitiler(values.titiler, workers)
  console.log(`${describeMachine()}; ${connections} connections`)
  console.log(`titiler with ${workers} workers: ${peer.versions}; ours with ${workers} threads for pixels`)
  const theirs = createTitilerContender(peer.url, sceneAt)
  const context = { folder: folder.path, sceneAt, theirs, workers, rounds, tiles }
  const figures: Figure[] = []
  for (const group of chosenGroups) figures.push(...(await measureCase(cases[group]!, context)))
  return figures
}

interface TileBenchContext {
  readonly folder: string
  readonly sceneAt: (name: string) => string
  readonly theirs: TileContender
  readonly workers: number
  readonly rounds: number
  /** Per round. */
  readonly tiles: number
}

async function measureCase(benchCase: TileServerCase, context: TileBenchContext): Promise<Figure[]> {
  const files = tileStyles.map(({ scene }) => context.sceneAt(scene))
  await using ownServer = await startOwnServer(context.folder, files, context.workers, benchCase.cacheSizes)
  console.log(`${benchCase.name}: ${benchCase.description}`)
  const figures: Figure[] = []
  for (const style of tileStyles) figures.push(await compare(benchCase, style, ownServer, context))
  return figures
}

async function compare(
  benchCase: TileServerCase,
  style: BenchTileStyle,
  ownServer: TileContender,
  context: TileBenchContext,
): Promise<Figure> {
  const { theirs: titiler, rounds, tiles } = context
  const lists = await withOpenRaster(context.sceneAt(style.scene), (raster) => {
    if (benchCase.tiles === 'neighbouring') {
      const { tiles: list } = chooseNeighbouringTiles(raster, 13, tiles)
      return Array.from({ length: rounds }, () => list)
    }
    const all = [11, 12, 13].map((z) => chooseScatteredTiles(raster, z, rounds * tiles).tiles)
    return Array.from({ length: rounds }, (_, round) => interleave(all, round, rounds).slice(0, tiles))
  })
  /** Tiles per second of a list, each requested once. */
  const loadList = (side: TileContender, list: readonly TileAddress[]): Promise<number> => {
    const paths = list.map((tile) => side.createPath(style, tile))
    const requests = paths.map((path) => createRequestBytes(side.url, { method: 'GET', path }))
    return measureThroughput({ url: side.url, connections, nextRequest: () => requests.shift() ?? null })
  }
  for (const side of [ownServer, titiler]) {
    await loadList(side, lists[0]!)
    if (benchCase.isWarmedUp) await loadList(side, lists[0]!)
  }
  const sides = [ownServer, titiler].map((side) => (round: number) => loadList(side, lists[round]!))
  const [ours = [], others = []] = await alternate(rounds, ...sides)
  const ratios = ratiosOf(ours, others)
  const value = median(ratios)
  const list = `${lists.length} lists of ${lists[0]!.length} tiles, first ${hashTiles(lists[0]!)}`
  const spread = `${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}`
  console.log(
    `  ${style.description}, ${list}: ours ${median(ours).toFixed(0)}/s, titiler ${median(others).toFixed(0)}/s, ${value.toFixed(2)} (${spread})`,
  )
  return {
    name: `tiles, ${benchCase.name}, ${style.description}: ours / titiler`,
    value,
    must: benchCase.must,
    ...(benchCase.aim === undefined ? {} : { aim: benchCase.aim }),
  }
}

/** The tiles of a round, alternating between zooms; no tile is in two rounds. */
function interleave(zooms: readonly (readonly TileAddress[])[], round: number, rounds: number): TileAddress[] {
  const parts = zooms.map((list) => list.filter((_, index) => index % rounds === round))
  const max_length = Math.max(...parts.map((part) => part.length))
  const turns = Array.from({ length: max_length }, (_, at) => parts.flatMap((part) => (part[at] ? [part[at]] : [])))
  return turns.flat()
}
