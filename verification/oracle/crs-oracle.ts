import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createCrsFromWkt, lonLatToCrs, RasterFailure, crsToLonLat, withAreaShift, type Crs } from '@swath/raster'
import type { ProofOptions, ProofResult } from '../prove/proof.ts'
import { crsDefinitions, knownDifferences, type TestedCrs } from './crs-definitions.ts'
import { startGdalProgram } from './gdal.ts'
import { openRasterFor } from '../prove/harness/resources.ts'

type PositionPair = readonly [x: number, y: number, longitude: number, latitude: number]

interface WrittenCrsFiles {
  /** Files and texts by the name of their spelling. */
  readonly paths: Readonly<Record<string, string>>
  readonly texts: Readonly<Record<string, string>>
  readonly places: readonly PositionPair[]
  /** The same positions on the datum of the system itself, from its own meridian. */
  readonly base_places: readonly PositionPair[]
  /** The same positions as PROJ has them from each spelling, which may say less than the system. */
  readonly said: Readonly<Record<string, readonly PositionPair[]>>
}

const max_metres = 1
/** Versions of PROJ choose other operations of equal standing for some datums of the register, some metres apart. */
const max_register_metres = 10
/** The projection alone, which has one right value. */
const max_projection_metres = 0.01
/** Systems of each method of the register, spread over its codes. */
const systems_of_method = 60
const short_systems_of_method = 8
const earth_radius_m = 6_371_000

/**
 * Compares reference systems with PROJ: GDAL writes files in each, in its own spelling and in ESRI's, and says it as text of three
 * kinds; we read each, and positions all over it must agree with PROJ to a metre in both directions; or it is rejected with a message
 * that names the reason. The systems are written ones, and some of every projection method of the EPSG register. The tables that are
 * printed from PROJ's database must equal it. `only` filters by name.
 */
export async function proveCrsOracle({ only = '', short }: ProofOptions): Promise<ProofResult> {
  await using gdal = await startGdalProgram('./crs-oracle.py')
  const { request } = gdal
  const { systems } = await request<{ systems: readonly TestedCrs[] }>({
    do: 'codes',
    of_method: short ? short_systems_of_method : systems_of_method,
  })
  const register = systems.map((system): TestedCrs => ({ ...system, isOfRegister: true }))
  const definitions = [...crsDefinitions, ...register].filter(({ name }) => name.includes(only))
  const violations = checkEpsgTables()
  const counts = { places: 0, spellings: 0, refused: 0, known: 0 }
  console.log((await request<{ text: string }>({ do: 'versions' })).text)
  for (const [number, definition] of definitions.entries()) {
    const written = await request<WrittenCrsFiles>({ do: 'write', number, ...definition })
    counts.places += written.places.length
    for (const [spelling, crs] of await readSpellings(written)) {
      const result = checkCrs(definition, crs, { written, spelling })
      counts.spellings += 1
      counts.refused += result.text.startsWith('rejected') ? 1 : 0
      if (result.isWrong || spelling === 'keys') console.log(`${definition.name}, ${spelling}: ${result.text}`)
      if (result.isWrong && Object.hasOwn(knownDifferences, definition.definition)) counts.known += 1
      else if (result.isWrong) violations.push(`${definition.name}, ${spelling}: ${result.text}`)
    }
  }
  await request({ do: 'clean' })
  const { places, spellings, refused, known } = counts
  return {
    tried: `${definitions.length} reference systems in ${spellings} spellings (${refused} rejected by name, ${known} known to differ), ${places} positions`,
    violations,
  }
}

/** What we read of each spelling; null for text that we take for none. */
async function readSpellings({
  paths,
  texts,
  places,
}: WrittenCrsFiles): Promise<[spelling: string, crs: Crs | null][]> {
  const read: [string, Crs | null][] = []
  for (const [spelling, path] of Object.entries(paths)) {
    await using raster = await openRasterFor(path)
    read.push([spelling, raster.crs])
  }
  for (const [spelling, text] of Object.entries(texts)) {
    const [x = 0, y = 0] = places[Math.floor(places.length / 2)] ?? []
    const crs = await createCrsFromWkt(text)
    read.push([spelling, crs && withAreaShift(crs, [x, y])])
  }
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

/** What a refusal says by itself, whatever the system. */
const namedRefusal = / not (?:read|in degrees|of the Earth)|: no system that is read has this code/

function checkCrs(
  { expectedRefusal, isOfRegister }: TestedCrs,
  crs: Crs | null,
  { written, spelling }: { readonly written: WrittenCrsFiles; readonly spelling: string },
): CrsCheckResult {
  if (crs === null) return { text: 'taken for no reference system', isWrong: true }
  // In the spelling of GDAL, a written definition says whether it is rejected.
  const isWritten = spelling === 'keys' && !isOfRegister
  const refusal = readRefusal(crs)
  if (refusal !== null) {
    const isExpected = isWritten ? expectedRefusal?.test(refusal) : namedRefusal.test(refusal)
    return { text: `rejected: ${refusal}`, isWrong: !isExpected }
  }
  // What PROJ has for the system, and for what the spelling says of it.
  const truths = [written.places, written.said[spelling]!].filter(({ length }) => length > 0)
  if (truths.length === 0) return { text: 'PROJ has no position in it', isWrong: true }
  const metres = Math.min(...truths.map((places) => maxMetres(crs, places)))
  const projection = isOfRegister ? maxMetres(withoutDatum(crs), written.base_places) : 0
  const isAccepted = isWritten && expectedRefusal !== undefined
  const note = isAccepted ? ', but should be rejected' : ''
  // Written as negations so that NaN is a violation, too.
  const isFar = !(metres <= (isOfRegister ? max_register_metres : max_metres)) || !(projection <= max_projection_metres)
  return {
    text: `${metres.toFixed(4)} m, of the projection ${projection.toFixed(4)}${note}`,
    isWrong: isAccepted || isFar,
  }
}

/** The same projection with places on its own datum, from its own meridian. */
const withoutDatum = (crs: Crs): Crs => ({
  ...crs,
  epsg: null,
  proj4: crs
    .proj4!.replaceAll(/ ?\+(?:towgs84|pm)=\S+/g, '')
    .replace('+datum=NAD27', '+ellps=clrk66')
    .replace('+datum=NAD83', '+ellps=GRS80'),
})

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
