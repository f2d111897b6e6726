import { readFile } from 'node:fs/promises'
import { day_ms } from '@swath/geo/time-units.ts'
import { parseElementSets, type ElementSet } from '@swath/geo/orbit/element-set.ts'
import { findSatellitePasses, type SatellitePass, type PassSearchOptions } from '@swath/geo/orbit/passes.ts'
import { createSatellite } from '@swath/geo/orbit/satellite.ts'
import { createSurfacePointAxes } from '@swath/geo/orbit/view-angles.ts'
import { constellationSensors } from '../../../packages/server/src/platform/integrations/hosts/constellation/sensors.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../harness/random.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runPythonJudge } from '../harness/programs.ts'

type Place = readonly [longitude: number, latitude: number]
/** Of skyfield: times in seconds, the angle in degrees. */
type JudgedPass = readonly [start_s: number, end_s: number, closest_s: number, off_nadir_deg: number]

export const elementsFile = new URL('../../../packages/server/demo/orbits/elements.tle', import.meta.url)
const script = new URL('skyfield_passes.py', import.meta.url)
const tolerance_s = 2
const tolerance_deg = 0.1
const start_ms = Date.UTC(2026, 10, 24)

/** Places that are easy to get wrong, before random ones. */
const corners: readonly Place[] = [
  [0, 90],
  [0, -90],
  [179.999, 0.001],
  [-180, -17],
  [180, 66],
  [-45, 81.8],
  [11.35, 46.5],
]

/**
 * Compares the passes of all satellites over places with those of skyfield: the same passes, start, end and closest moment
 * within 2 s, the smallest off-nadir angle within 0.1 degrees. One may be absent only if it is that near to a limit.
 */
export async function provePasses({ short, seed, data }: ProofOptions): Promise<ProofResult> {
  const elements = parseElementSets(await readFile(elementsFile, 'utf8'))
  const places = choosePlaces(seed, short ? 8 : 50)
  const days = short ? 1 : 30
  const window = { from_ms: start_ms, to_ms: start_ms + days * day_ms }
  const satellites = elements.map((one) => ({ ...one, limit: limitOf(one) }))
  const request = { places, satellites, start_s: window.from_ms / 1000, end_s: window.to_ms / 1000 }
  const answers = (await runSkyfield(data ?? skyfieldFolder, script, request)) as { passes: JudgedPass[][] }[]
  const worst = { seconds: 0, degrees: 0 }
  const violations: string[] = []
  let compared = 0
  for (const [index, set] of elements.entries()) {
    const satellite = createSatellite(set)
    const search = { ...window, max_off_nadir_deg: limitOf(set) }
    for (const [at, place] of places.entries()) {
      const judged = answers[index]!.passes[at]!
      const found = comparePasses(
        findSatellitePasses(satellite, [createSurfacePointAxes(...place)], search),
        judged,
        search,
        worst,
      )
      violations.push(...found.map((text) => `${set.name} over ${place.join(', ')}: ${text}`))
      compared += judged.length
    }
  }
  if (compared < places.length * 10) violations.push(`skyfield found ${compared} passes only`)
  const subject = `${compared} passes of ${elements.length} satellites over ${places.length} places in ${days} days`
  const differences = `largest differences ${worst.seconds.toFixed(2)} s, ${worst.degrees.toFixed(4)} degrees`
  return { tried: `${subject}; ${differences}`, violations }
}

/** The limit of the sensor that the satellite carries. */
export const limitOf = ({ name }: Pick<ElementSet, 'name'>): number =>
  constellationSensors.find(({ satellites }) => satellites.includes(name))!.max_off_nadir_deg

/** The corners, and places that are spread evenly over the sphere. */
function choosePlaces(seed: number, count: number): Place[] {
  const random = createRandom(seed)
  const places = [...corners]
  while (places.length < count) places.push([random() * 360 - 180, (Math.asin(random() * 2 - 1) * 180) / Math.PI])
  return places.slice(0, count)
}

function comparePasses(
  own: readonly SatellitePass[],
  judged: readonly JudgedPass[],
  search: PassSearchOptions,
  worst: { seconds: number; degrees: number },
): string[] {
  const matched = new Set<SatellitePass>()
  const violations = judged.flatMap((other): string[] => {
    const [start_s, end_s, closest_s, angle] = other
    const pass = own.find((one) => Math.abs(one.closest_ms / 1000 - closest_s) < 60)
    if (!pass) return mayBeAbsent(angle, closest_s * 1000, search) ? [] : [`missing at ${toText(closest_s)}, ${angle}`]
    matched.add(pass)
    // A pass that only touches the limit has no sharp start and end.
    const isGrazing = search.max_off_nadir_deg - angle < tolerance_deg
    const starts = isGrazing ? [] : [pass.start_ms / 1000 - start_s, pass.end_ms / 1000 - end_s]
    const seconds = Math.max(...[pass.closest_ms / 1000 - closest_s, ...starts].map(Math.abs))
    const degrees = Math.abs(pass.off_nadir_deg - angle)
    worst.seconds = Math.max(worst.seconds, seconds)
    worst.degrees = Math.max(worst.degrees, degrees)
    return seconds <= tolerance_s && degrees <= tolerance_deg
      ? []
      : [`differs at ${toText(closest_s)} by ${seconds.toFixed(2)} s and ${degrees.toFixed(3)} degrees`]
  })
  const extra = own.filter((pass) => !matched.has(pass) && !mayBeAbsent(pass.off_nadir_deg, pass.closest_ms, search))
  return [...violations, ...extra.map((pass) => `found only here at ${toText(pass.closest_ms / 1000)}`)]
}

/** A pass at the limit of the angle or the window may be on either side of it. */
const mayBeAbsent = (
  angle: number,
  closest_ms: number,
  { max_off_nadir_deg, from_ms, to_ms }: PassSearchOptions,
): boolean =>
  max_off_nadir_deg - angle < tolerance_deg ||
  Math.min(Math.abs(closest_ms - from_ms), Math.abs(closest_ms - to_ms)) < tolerance_s * 1000

const toText = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** Folder in which skyfield is installed, also for `.ci/run`. */
export const skyfieldFolder = join(tmpdir(), 'swath-skyfield')

const installer = new URL('install-skyfield.sh', import.meta.url)

/** Runs a script with skyfield, which is installed in the folder if it is missing. Returns the JSON lines that it prints. */
export const runSkyfield = (folder: string, script: URL, request: unknown): Promise<unknown[]> =>
  runPythonJudge({ installer, script }, folder, request)
