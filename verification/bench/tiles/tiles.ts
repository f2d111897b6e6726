import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installGdal, findPythonWithGdal } from '../../oracle/gdal.ts'
import type { Figure } from '../figure.ts'
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
  createTitilerContender,
  type CacheSizes,
  type TileContender,
  type BenchTileStyle,
} from './contenders.ts'
import { loadTiles } from './tile-load.ts'
import { startTitiler } from './titiler.ts'
import { median } from '../median.ts'

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
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '7' },
      tiles: { type: 'string', default: '48' },
      workers: { type: 'string', default: String(availableParallelism()) },
      scenes: { type: 'string', default: join(benchFolder, 'scenes') },
      titiler: { type: 'string', default: join(benchFolder, 'titiler') },
    },
  })
  const chosenGroups = positionals.length > 0 ? positionals : Object.keys(cases)
  const unknown = chosenGroups.find((group) => !cases[group])
  if (unknown !== undefined)
    throw new Error(`there is no case "${unknown}"; cases are ${Object.keys(cases).join(', ')}`)
  const python = findPythonWithGdal()
  if (python === null) throw new Error(installGdal)
  ensureScenes(values.scenes, python)
  const workers = Number(values.workers)
  const scenePath = (name: string): string => join(values.scenes, name)
  // Next to the scenes, so that files can be hard-linked instead of copied.
  const folder = await mkdtemp(join(values.scenes, '..', 'tiles-'))
  const peer = await startTitiler(values.titiler, workers)
  try {
    console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'processor'}; ${connections} connections`)
    console.log(`titiler with ${workers} workers: ${peer.versions}; ours with ${workers} threads for pixels`)
    const titiler = createTitilerContender(peer.url, scenePath, peer.stop)
    const context = {
      folder,
      sceneAt: scenePath,
      theirs: titiler,
      workers,
      rounds: Number(values.rounds),
      tiles: Number(values.tiles),
    }
    const figures: Figure[] = []
    for (const group of chosenGroups) figures.push(...(await measureCase(cases[group]!, context)))
    return figures
  } finally {
    await peer.stop()
    await rm(folder, { recursive: true, force: true })
  }
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
  const ownServer = await startOwnServer(context.folder, files, context.workers, benchCase.cacheSizes)
  try {
    console.log(`${benchCase.name}: ${benchCase.description}`)
    const figures: Figure[] = []
    for (const style of tileStyles) figures.push(await compare(benchCase, style, ownServer, context))
    return figures
  } finally {
    await ownServer.stop()
  }
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
  const loadList = (side: TileContender, list: readonly TileAddress[]) =>
    loadTiles({ url: side.url, paths: list.map((tile) => side.createPath(style, tile)), connections })
  for (const side of [ownServer, titiler]) {
    await loadList(side, lists[0]!)
    if (benchCase.isWarmedUp) await loadList(side, lists[0]!)
  }
  const ratios: number[] = []
  const speeds: { ours: number; theirs: number }[] = []
  for (const list of lists) {
    const titilerResult = await loadList(titiler, list)
    const ownResult = await loadList(ownServer, list)
    ratios.push(ownResult.per_s / titilerResult.per_s)
    speeds.push({ ours: ownResult.per_s, theirs: titilerResult.per_s })
  }
  const value = median(ratios)
  const speed = (side: 'ours' | 'theirs'): string => median(speeds.map((one) => one[side])).toFixed(0)
  const list = `${lists.length} lists of ${lists[0]!.length} tiles, first ${hashTiles(lists[0]!)}`
  const spread = `${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}`
  console.log(
    `  ${style.description}, ${list}: ours ${speed('ours')}/s, titiler ${speed('theirs')}/s, ${value.toFixed(2)} (${spread})`,
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
