import type { BandFacts } from '../items/raster-facts.ts'

const primaries = ['red', 'green', 'blue'] as const

/**
 * The default bands of an item: true color by common names, else by the color interpretation of the file, else the first
 * band. 0-based, one or three bands.
 */
export function defaultBands(bands: readonly Pick<BandFacts, 'common_name' | 'colour'>[]): number[] {
  const byName = primaries.map((colour) => bands.findIndex((band) => band.common_name === colour))
  if (byName.every((index) => index >= 0)) return byName
  const unnamed = bands.every((band) => band.common_name === null)
  const byColour = primaries.map((colour) => bands.findIndex((band) => band.colour === colour))
  if (unnamed && byColour.every((index) => index >= 0)) return byColour
  const first = bands.findIndex((band) => band.colour !== 'alpha')
  return [Math.max(first, 0)]
}
