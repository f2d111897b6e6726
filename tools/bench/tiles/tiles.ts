import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { INSTALL_GDAL, pythonWithGdal } from '../../oracle/gdal.ts'
import type { Figure } from '../figure.ts'
import { home, readyScenes } from '../raster/setting.ts'
import { hashOf, neighbouringTiles, scatteredTiles, withRaster, type TileWords } from '../raster/tile-sets.ts'
import { startHouse, titilerSide, type Keeping, type Side, type TilePicture } from './sides.ts'
import { loadTiles } from './tile-load.ts'
import { startTitiler } from './titiler.ts'

const connections = 8

const pictures: readonly TilePicture[] = [
  {
    about: 'u16 of four bands, deflate, PNG',
    scene: 's2.tif',
    format: 'png',
    ours: 'bands=3,2,1&rescale=0,3000',
    titiler: 'bidx=3&bidx=2&bidx=1&rescale=0,3000&resampling=bilinear&reproject=bilinear',
  },
  {
    about: 'RGB in JPEG with a mask, JPEG',
    scene: 'rgb_jpeg.tif',
    format: 'jpg',
    ours: 'bands=1,2,3&rescale=0,255&quality=75',
    titiler: 'resampling=bilinear&reproject=bilinear',
  },
]

interface Row {
  readonly name: string
  readonly about: string
  readonly keeping: Keeping
  readonly tiles: 'scattered' | 'neighbouring'
  /** The list is requested once before the measurement. */
  readonly walkedBefore: boolean
  readonly must: number
  readonly aim?: number
}

const rows: Readonly<Record<string, Row>> = {
  uncached: {
    name: 'uncached',
    about: 'tiles all over the image, once each; ours caches neither blocks nor tiles',
    keeping: { blocks_mib: 0, tiles_mib: 0 },
    tiles: 'scattered',
    walkedBefore: false,
    must: 2,
  },
  blocks: {
    name: 'warm blocks',
    about: 'a part of the map again; ours caches decoded blocks, and renders and encodes every tile again',
    keeping: { tiles_mib: 0 },
    tiles: 'neighbouring',
    walkedBefore: true,
    must: 4,
    aim: 6,
  },
  cached: {
    name: 'warm',
    about: 'the same part again, both with default settings: ours caches blocks and tiles, titiler nothing between requests',
    keeping: {},
    tiles: 'neighbouring',
    walkedBefore: true,
    must: 6,
  },
}

/**
 * Tiles over HTTP compared with titiler: the same renderings of the same files from the same disk, as many threads of ours as
 * titiler has workers, alternating; the median over the rounds of tiles per second, ours / titiler. Arguments choose cases;
 * `--rounds`, `--tiles`, `--workers`, `--scenes` and `--titiler` (folders, created if missing).
 */
export async function benchTiles(words: readonly string[]): Promise<readonly Figure[]> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '7' },
      tiles: { type: 'string', default: '48' },
      workers: { type: 'string', default: String(availableParallelism()) },
      scenes: { type: 'string', default: join(home, 'scenes') },
      titiler: { type: 'string', default: join(home, 'titiler') },
    },
  })
  const chosen = positionals.length > 0 ? positionals : Object.keys(rows)
  const unknown = chosen.find((word) => !rows[word])
  if (unknown !== undefined) throw new Error(`there is no case "${unknown}"; cases are ${Object.keys(rows).join(', ')}`)
  const python = pythonWithGdal()
  if (python === null) throw new Error(INSTALL_GDAL)
  readyScenes(values.scenes, python)
  const workers = Number(values.workers)
  const sceneAt = (name: string): string => join(values.scenes, name)
  // Next to the scenes, so that files can be hard-linked instead of copied.
  const folder = await mkdtemp(join(values.scenes, '..', 'tiles-'))
  const peer = await startTitiler(values.titiler, workers)
  try {
    console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'processor'}; ${connections} connections`)
    console.log(`titiler with ${workers} workers: ${peer.about}; ours with ${workers} threads for pixels`)
    const theirs = titilerSide(peer.url, sceneAt, peer.stop)
    const setting = { folder, sceneAt, theirs, workers, rounds: Number(values.rounds), tiles: Number(values.tiles) }
    const figures: Figure[] = []
    for (const word of chosen) figures.push(...(await measureRow(rows[word]!, setting)))
    return figures
  } finally {
    await peer.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Setting {
  readonly folder: string
  readonly sceneAt: (name: string) => string
  readonly theirs: Side
  readonly workers: number
  readonly rounds: number
  /** Per round. */
  readonly tiles: number
}

async function measureRow(row: Row, setting: Setting): Promise<Figure[]> {
  const files = pictures.map(({ scene }) => setting.sceneAt(scene))
  const ours = await startHouse(setting.folder, files, setting.workers, row.keeping)
  try {
    console.log(`${row.name}: ${row.about}`)
    const figures: Figure[] = []
    for (const picture of pictures) figures.push(await compare(row, picture, ours, setting))
    return figures
  } finally {
    await ours.stop()
  }
}

async function compare(row: Row, picture: TilePicture, ours: Side, setting: Setting): Promise<Figure> {
  const { theirs, rounds, tiles } = setting
  const lists = await withRaster(setting.sceneAt(picture.scene), (raster) => {
    if (row.tiles === 'neighbouring') {
      const { tiles: list } = neighbouringTiles(raster, 13, tiles)
      return Array.from({ length: rounds }, () => list)
    }
    const all = [11, 12, 13].map((z) => scatteredTiles(raster, z, rounds * tiles).tiles)
    return Array.from({ length: rounds }, (_, round) => mixed(all, round, rounds).slice(0, tiles))
  })
  const walk = (side: Side, list: readonly TileWords[]) =>
    loadTiles({ url: side.url, paths: list.map((tile) => side.pathOf(picture, tile)), connections })
  for (const side of [ours, theirs]) {
    await walk(side, lists[0]!)
    if (row.walkedBefore) await walk(side, lists[0]!)
  }
  const ratios: number[] = []
  const speeds: { ours: number; theirs: number }[] = []
  for (const list of lists) {
    const theirsNow = await walk(theirs, list)
    const oursNow = await walk(ours, list)
    ratios.push(oursNow.per_s / theirsNow.per_s)
    speeds.push({ ours: oursNow.per_s, theirs: theirsNow.per_s })
  }
  const value = median(ratios)
  const speed = (side: 'ours' | 'theirs'): string => median(speeds.map((one) => one[side])).toFixed(0)
  const list = `${lists.length} lists of ${lists[0]!.length} tiles, first ${hashOf(lists[0]!)}`
  const spread = `${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}`
  console.log(
    `  ${picture.about}, ${list}: ours ${speed('ours')}/s, titiler ${speed('theirs')}/s, ${value.toFixed(2)} (${spread})`,
  )
  return {
    name: `tiles, ${row.name}, ${picture.about}: ours / titiler`,
    value,
    must: row.must,
    ...(row.aim === undefined ? {} : { aim: row.aim }),
  }
}

/** The tiles of a round, alternating between zooms; no tile is in two rounds. */
function mixed(zooms: readonly (readonly TileWords[])[], round: number, rounds: number): TileWords[] {
  const parts = zooms.map((list) => list.filter((_, index) => index % rounds === round))
  const longest = Math.max(...parts.map((part) => part.length))
  const turns = Array.from({ length: longest }, (_, at) => parts.flatMap((part) => (part[at] ? [part[at]] : [])))
  return turns.flat()
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
