import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createCrsFromWkt, lonLatToCrs, RasterFailure, crsToLonLat, type Crs } from '@swath/raster'
import type { ProofOptions, ProofResult } from '../prove/proof.ts'
import { crsDefinitions, type TestedCrs } from './crs-definitions.ts'
import { startGdalProgram } from './gdal.ts'
import { openRasterFor } from '../prove/harness/resources.ts'

type PositionPair = readonly [x: number, y: number, longitude: number, latitude: number]

interface WrittenCrsFiles {
  /** Files and texts by the name of their spelling. */
  readonly paths: Readonly<Record<string, string>>
  readonly texts: Readonly<Record<string, string>>
  readonly places: readonly PositionPair[]
  /** The same positions as PROJ has them from each spelling, which may say less than the system. */
  readonly said: Readonly<Record<string, readonly PositionPair[]>>
}

const max_metres = 1
const earth_radius_m = 6_371_000

/**
 * Compares reference systems with PROJ: GDAL writes files in each, in its own spelling and in ESRI's, and says it as text of three
 * kinds; we read each, and positions all over it must agree with PROJ to a metre in both directions; or it is rejected with a message
 * that names the reason. The systems are written ones, and some of every projection method of the EPSG register. The tables that are
 * printed from PROJ's database must equal it. `only` filters by name.
 */
export async function proveCrsOracle({ only = '' }: ProofOptions): Promise<ProofResult> {
  await using gdal = await startGdalProgram('./crs-oracle.py')
  const { request } = gdal
  const { systems } = await request<{ systems: readonly TestedCrs[] }>({ do: 'codes' })
  const register = systems.map((system): TestedCrs => ({ ...system, isOfRegister: true }))
  const definitions = [...crsDefinitions, ...register].filter(({ name }) => name.includes(only))
  const violations = checkEpsgTables()
  const counts = { places: 0, spellings: 0, refused: 0 }
  console.log((await request<{ text: string }>({ do: 'versions' })).text)
  for (const [number, definition] of definitions.entries()) {
    const written = await request<WrittenCrsFiles>({ do: 'write', number, ...definition })
    counts.places += written.places.length
    for (const [spelling, crs] of await readSpellings(written)) {
      const result = checkCrs(definition, crs, [written.places, written.said[spelling]!], spelling === 'keys')
      counts.spellings += 1
      counts.refused += result.text.startsWith('rejected') ? 1 : 0
      if (result.isWrong || spelling === 'keys') console.log(`${definition.name}, ${spelling}: ${result.text}`)
      if (result.isWrong) violations.push(`${definition.name}, ${spelling}: ${result.text}`)
    }
  }
  await request({ do: 'clean' })
  const { places, spellings, refused } = counts
  return {
    tried: `${definitions.length} reference systems in ${spellings} spellings (${refused} rejected by name), ${places} positions`,
    violations,
  }
}

/** What we read of each spelling; null for text that we take for none. */
async function readSpellings({ paths, texts }: WrittenCrsFiles): Promise<[spelling: string, crs: Crs | null][]> {
  const read: [string, Crs | null][] = []
  for (const [spelling, path] of Object.entries(paths)) {
    await using raster = await openRasterFor(path)
    read.push([spelling, raster.crs])
  }
  for (const [spelling, text] of Object.entries(texts)) read.push([spelling, await createCrsFromWkt(text)])
  return read
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

/**
 * @param truths what PROJ has for the system, and for what the spelling says of it.
 * @param isWritten true for the spelling in which a written definition says whether it is rejected.
 */
function checkCrs(
  { expectedRefusal, isOfRegister }: TestedCrs,
  crs: Crs | null,
  truths: readonly (readonly PositionPair[])[],
  isWritten: boolean,
): CrsCheckResult {
  if (crs === null) return { text: 'taken for no reference system', isWrong: true }
  const refusal = readRefusal(crs)
  if (refusal !== null) {
    const isExpected = isWritten && !isOfRegister ? expectedRefusal?.test(refusal) : / is not read/.test(refusal)
    return { text: `rejected: ${refusal}`, isWrong: !isExpected }
  }
  if (truths[0]!.length === 0) return { text: 'PROJ has no position in it', isWrong: true }
  const metres = Math.min(...truths.filter(({ length }) => length > 0).map((places) => maxMetres(crs, places)))
  const isAccepted = isWritten && expectedRefusal !== undefined
  const note = isAccepted ? ', but should be rejected' : ''
  // Written as a negation so that NaN is a violation, too.
  return { text: `${metres.toFixed(4)} m${note}`, isWrong: isAccepted || !(metres <= max_metres) }
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
