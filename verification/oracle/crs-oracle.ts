import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { lonLatToCrs, RasterFailure, crsToLonLat, type Crs } from '@swath/raster'
import type { ProofOptions, ProofResult } from '../prove/proof.ts'
import { crsDefinitions, type TestedCrs } from './crs-definitions.ts'
import { startGdalProgram } from './gdal.ts'
import { openRasterFor } from '../prove/harness/resources.ts'

type PositionPair = readonly [x: number, y: number, longitude: number, latitude: number]

interface WrittenCrsFile {
  readonly path: string
  readonly places: readonly PositionPair[]
}

const max_metres = 1
const earth_radius_m = 6_371_000

/**
 * Compares reference systems with PROJ: GDAL writes a file in each, we open it, and positions all over it must agree
 * with PROJ to a metre in both directions; or the file is rejected with a message that names the reason. The tables
 * that are printed from PROJ's database must equal it. `only` filters by name.
 */
export async function proveCrsOracle({ only = '' }: ProofOptions): Promise<ProofResult> {
  await using gdal = await startGdalProgram('./crs-oracle.py')
  const { request } = gdal
  const definitions = crsDefinitions.filter(({ name }) => name.includes(only))
  const violations = checkEpsgTables()
  let places = 0
  console.log((await request<{ text: string }>({ do: 'versions' })).text)
  for (const [number, definition] of definitions.entries()) {
    const file = await request<WrittenCrsFile>({ do: 'write', number, ...definition })
    const result = await checkDefinition(definition, file)
    places += file.places.length
    console.log(`${definition.name}: ${result.text}`)
    if (result.isWrong) violations.push(`${definition.name}: ${result.text}`)
  }
  await request({ do: 'clean' })

  return { tried: `${definitions.length} reference systems, ${places} positions`, violations }
}

/** Compares the tables of ellipsoids, meridians, units and datum shifts with PROJ's database. */
function checkEpsgTables(): string[] {
  const program = fileURLToPath(new URL('../../tools/printers/epsg-tables.py', import.meta.url))
  const { status, stdout, stderr } = spawnSync('python3', [program, '--check'], { encoding: 'utf8' })
  console.log(stdout.trim())
  return status === 0 ? [] : [stderr.trim()]
}

interface CrsCheckResult {
  readonly text: string
  readonly isWrong: boolean
}

async function checkDefinition(
  { expectedRefusal }: TestedCrs,
  { path, places }: WrittenCrsFile,
): Promise<CrsCheckResult> {
  await using raster = await openRasterFor(path)
  const refusal = readRefusal(raster.crs)
  if (refusal !== null) return { text: `rejected: ${refusal}`, isWrong: !expectedRefusal?.test(refusal) }
  if (places.length === 0) return { text: 'PROJ has no position in it', isWrong: true }
  const metres = maxMetres(raster.crs, places)
  const note = expectedRefusal ? ', but should be rejected' : ''
  // Written as a negation so that NaN is a violation, too.
  return { text: `${metres.toFixed(4)} m${note}`, isWrong: expectedRefusal !== undefined || !(metres <= max_metres) }
}

function readRefusal(crs: Crs): string | null {
  try {
    crsToLonLat(crs, 0, 0)
    return null
  } catch (error) {
    if (error instanceof RasterFailure) return error.message
    throw error
  }
}

/** The maximum distance to PROJ's position after the inverse projection, and after a round trip. */
function maxMetres(crs: Crs, places: readonly PositionPair[]): number {
  let greatest = 0
  for (const [x, y, ...expected] of places) {
    const distances = [
      metresBetween(crsToLonLat(crs, x, y), expected),
      metresBetween(crsToLonLat(crs, ...lonLatToCrs(crs, ...expected)), expected),
    ]
    for (const metres of distances) if (!(metres <= greatest)) greatest = metres
  }
  return greatest
}

function metresBetween(
  [longitude, latitude]: readonly [number, number],
  [otherLongitude, otherLatitude]: readonly [number, number],
): number {
  const radian = Math.PI / 180
  const across = Math.sin(((otherLongitude - longitude) * radian) / 2) ** 2
  const along = Math.sin(((otherLatitude - latitude) * radian) / 2) ** 2
  const chord = along + Math.cos(latitude * radian) * Math.cos(otherLatitude * radian) * across
  return 2 * earth_radius_m * Math.asin(Math.sqrt(chord))
}
