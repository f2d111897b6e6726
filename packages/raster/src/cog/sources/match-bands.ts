import { RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'

/** Names of the bands of a raster, in the order of its file; null where a band has none. */
export type JoinedBandNames = readonly (string | null)[]

/** A raster whose bands are joined with those of others. */
export interface JoinedSource {
  readonly raster: Raster
  /** 0-based, in the order of the bands of the result. */
  readonly bands: readonly number[]
}

/**
 * The bands of rasters in the order of those of the first one: by name, where two rasters name all of their bands and have a
 * name in common; else by position.
 *
 * @param names default: those of the files.
 * @throws RasterFailure `request` for rasters that have some names in common, but not all, or values of different units.
 */
export function matchBandsOfRasters(
  rasters: readonly Raster[],
  names: readonly JoinedBandNames[] | undefined,
): JoinedSource[] {
  const namesOf = (index: number): JoinedBandNames => names?.[index] ?? rasters[index]!.bands.map(({ name }) => name)
  const sources = rasters.map((raster, index) => ({ raster, bands: matchBands(namesOf(0), namesOf(index), index) }))
  for (const [index, source] of sources.entries()) checkUnits(sources[0]!, source, index)
  return sources
}

const areComplete = (names: JoinedBandNames): names is readonly string[] =>
  names.every((name) => name !== null) && new Set(names).size === names.length

function matchBands(first: JoinedBandNames, other: JoinedBandNames, index: number): number[] {
  const byPosition = first.map((_, band) => band)
  if (first.length < 2 || !areComplete(first) || !areComplete(other)) return byPosition
  const shared = first.filter((name) => other.includes(name))
  if (shared.length === 0) return byPosition
  if (shared.length === first.length) return first.map((name) => other.indexOf(name))
  throw new RasterFailure(
    'request',
    `file ${index + 1} has the bands ${other.join(', ')} and file 1 has ${first.join(', ')}: they cannot be joined`,
  )
}

/** Spellings of one unit. */
const unitSpellings: readonly (readonly string[])[] = [
  ['m', 'metre', 'metres', 'meter', 'meters'],
  ['ft', 'foot', 'feet'],
  ['k', 'kelvin', 'degree_kelvin', 'degrees_kelvin'],
  ['°c', 'c', 'degc', 'deg_c', 'celsius', 'degree_celsius', 'degrees_celsius'],
  ['1', 'unitless', 'dimensionless', 'none'],
]

/** A unit in one spelling; null for none. */
function normalizeUnit(unit: string | null | undefined): string | null {
  const text = unit?.trim() ?? ''
  if (text === '') return null
  const lower = text.toLowerCase()
  return unitSpellings.find((spellings) => spellings.includes(lower))?.[0] ?? text
}

function checkUnits(first: JoinedSource, other: JoinedSource, index: number): void {
  for (const [at, band] of other.bands.entries()) {
    const [own, wanted] = [other.raster.bands[band]!.unit, first.raster.bands[first.bands[at]!]!.unit]
    if (haveEqualUnits(own, wanted)) continue
    throw new RasterFailure(
      'request',
      `band ${at + 1} of file ${index + 1} is in ${own} and that of file 1 in ${wanted}: values of different units cannot be joined`,
    )
  }
}

/** True unless both say a unit, and another one. */
export function haveEqualUnits(a: string | null | undefined, b: string | null | undefined): boolean {
  const [left, right] = [normalizeUnit(a), normalizeUnit(b)]
  return left === null || right === null || left === right
}
