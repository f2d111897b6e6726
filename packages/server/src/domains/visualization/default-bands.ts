import type { RasterBandMetadata } from '../items/assets/raster-metadata.ts'

const rgb = ['red', 'green', 'blue'] as const

/**
 * The default bands of an item: true color by common names, else by the color interpretation of the file, else the first
 * band. 0-based, one or three bands.
 */
export function chooseDefaultBands(bands: readonly Pick<RasterBandMetadata, 'common_name' | 'colour'>[]): number[] {
  const byName = rgb.map((colour) => bands.findIndex((band) => band.common_name === colour))
  if (byName.every((index) => index >= 0)) return byName
  const hasNoCommonNames = bands.every((band) => band.common_name === null)
  const byColorInterpretation = rgb.map((colour) => bands.findIndex((band) => band.colour === colour))
  if (hasNoCommonNames && byColorInterpretation.every((index) => index >= 0)) return byColorInterpretation
  const first = bands.findIndex((band) => band.colour !== 'alpha')
  return [Math.max(first, 0)]
}
