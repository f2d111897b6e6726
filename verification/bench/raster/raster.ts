import { join } from 'node:path'
import { describeMachine, readOptions, type Figure } from '../runner.ts'
import {
  measureLimit,
  measureMixedSampleTypes,
  measureRequests,
  measureTileMemory,
  measureWorkers,
  warmUp,
} from './engine-cases.ts'
import { benchFolder, createContext, type RasterBenchContext } from './context.ts'
import { measureTiles, tileGroups } from './tile-cases.ts'
import { measurePixels, measureProjection, measureZonal } from './accuracy-cases.ts'
import { measureWriting } from './write-cases.ts'

/** Groups of cases by name. */
const groups: Readonly<Record<string, (context: RasterBenchContext) => Promise<Figure[]>>> = {
  ...Object.fromEntries(
    tileGroups.map((group) => [group, (context: RasterBenchContext) => measureTiles(context, group)]),
  ),
  limit: measureLimit,
  workers: measureWorkers,
  mixed: measureMixedSampleTypes,
  zonal: measureZonal,
  write: measureWriting,
  memory: measureTileMemory,
  requests: measureRequests,
  pixels: measurePixels,
  projection: measureProjection,
}

/**
 * The raster engine compared with its peers, alternating, over the same tiles of the same files: CPU milliseconds of the
 * whole process, minimum of the rounds, peer / ours. Arguments choose groups; `--rounds`, `--tiles` (of each zoom),
 * `--scenes` and `--peers` (folders, created if missing).
 */
export async function benchRaster(args: readonly string[]): Promise<readonly Figure[]> {
  const { values, positionals } = readOptions(args, {
    rounds: 3,
    tiles: 16,
    scenes: join(benchFolder, 'scenes'),
    peers: join(benchFolder, 'peers'),
  })
  const chosenGroups = positionals.length > 0 ? positionals : Object.keys(groups)
  const unknown = chosenGroups.find((group) => groups[group] === undefined)
  if (unknown !== undefined)
    throw new Error(`there is no group "${unknown}"; groups are ${Object.keys(groups).join(', ')}`)
  await using context = await createContext({ ...values, rounds: Math.max(2, values.rounds) })
  await printContenders(context)
  for (const contender of [context.ours, context.rioTiler])
    await warmUp(context, contender, contender === context.ours ? 2 : 1)
  const figures: Figure[] = []
  for (const group of chosenGroups) figures.push(...(await groups[group]!(context)))
  return figures
}

async function printContenders({ ours, rioTiler, gdal, rounds, tiles }: RasterBenchContext): Promise<void> {
  console.log(`${describeMachine()}; ${rounds} rounds, ${tiles} tiles of each zoom`)
  for (const [name, contender] of Object.entries({ ours, 'rio-tiler': rioTiler, GDAL: gdal }))
    console.log(`${name}: ${(await contender.request<{ text: string }>({ do: 'versions' })).text}`)
  console.log(
    'Costs are CPU milliseconds of the whole process. Ours caches headers, rio-tiler opens the file for each tile as titiler does; JPEG quality 75, PNG of rio-tiler with zlevel 1 and alpha, ours with alpha only if a pixel is transparent.',
  )
}
