import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type { Figure } from '../figure.ts'
import { measureLimit, measureMixed, measureRequests, measureWorkers, warmUp } from './engine-rows.ts'
import type { Setting } from './setting.ts'
import { endSetting, prepare } from './setting.ts'
import { measureTiles, TILE_WORDS } from './tile-rows.ts'
import { measurePixels, measureProjection, measureZonal } from './truth-rows.ts'
import { measureWriting } from './write-rows.ts'

/** Groups of cases by name. */
const ROWS: Readonly<Record<string, (setting: Setting) => Promise<Figure[]>>> = {
  ...Object.fromEntries(TILE_WORDS.map((word) => [word, (setting: Setting) => measureTiles(setting, word)])),
  limit: measureLimit,
  workers: measureWorkers,
  mixed: measureMixed,
  zonal: measureZonal,
  write: measureWriting,
  requests: measureRequests,
  pixels: measurePixels,
  projection: measureProjection,
}

/**
 * The raster engine compared with its peers, alternating, over the same tiles of the same files: CPU milliseconds of the
 * whole process, minimum of the rounds, peer / ours. Arguments choose groups; `--rounds`, `--tiles` (of each zoom),
 * `--scenes` and `--peers` (folders, created if missing).
 */
export async function benchRaster(words: readonly string[]): Promise<readonly Figure[]> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      tiles: { type: 'string', default: '16' },
      scenes: { type: 'string' },
      peers: { type: 'string' },
    },
  })
  const chosen = positionals.length > 0 ? positionals : Object.keys(ROWS)
  const unknown = chosen.find((word) => ROWS[word] === undefined)
  if (unknown !== undefined) throw new Error(`there is no group "${unknown}"; groups are ${Object.keys(ROWS).join(', ')}`)
  const numbers = { rounds: Math.max(2, Number(values.rounds)), tiles: Number(values.tiles) }
  const setting = await prepare({ ...numbers, scenes: values.scenes, peers: values.peers })
  try {
    await introduce(setting)
    for (const side of [setting.ours, setting.rioTiler]) await warmUp(setting, side, side === setting.ours ? 2 : 1)
    const figures: Figure[] = []
    for (const word of chosen) figures.push(...(await ROWS[word]!(setting)))
    return figures
  } finally {
    await endSetting(setting)
  }
}

async function introduce({ ours, rioTiler, gdal, rounds, tiles }: Setting): Promise<void> {
  const [processor] = cpus()
  console.log(`${cpus().length} × ${processor?.model ?? 'processor'}; ${rounds} rounds, ${tiles} tiles of each zoom`)
  for (const [name, side] of Object.entries({ ours, 'rio-tiler': rioTiler, GDAL: gdal }))
    console.log(`${name}: ${(await side.ask<{ text: string }>({ do: 'versions' })).text}`)
  console.log(
    'Costs are CPU milliseconds of the whole process. Ours caches headers, rio-tiler opens the file for each tile as titiler does; JPEG quality 75, PNG of rio-tiler with zlevel 1 and alpha, ours with alpha only if a pixel is transparent.',
  )
}
