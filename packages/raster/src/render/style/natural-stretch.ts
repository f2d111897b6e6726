import type { SampleType } from '../../types.ts'
import type { RescaleRange, ToneCurve } from './stretch.ts'

/** A band of three that are shown as red, green and blue. */
export interface NaturalBand {
  /** Colour interpretation of the file. */
  readonly colour: string
  readonly scale: number
  readonly offset: number
  /** The 2nd and the 98th percentile of its samples. */
  readonly percentiles: RescaleRange
}

/** How samples become shades. */
export interface Stretch {
  /** The range of all bands or of each, in their samples. */
  readonly ranges: readonly RescaleRange[]
  readonly curve: ToneCurve
}

/** Clouds, snow and roofs in the sun reflect up to this; the highlights end here. */
const max_reflectance = 1.5
/** What is too dark, too bright or too far below 0 for the values to be reflectances. */
const plausible = { min_dark: -0.2, min_bright: 0.005, max_bright: 2 }
/** An 8-bit image without colour interpretation has shades if its bright pixels are as bright as this, else raw counts. */
const min_bright_shade = 128
/** Where values are no reflectances, the reflectances that the dark and the bright end of a common scene have. */
const assumed = { dark: 0.02, bright: 0.4 }
/** Part of the range by which blue is darkest above red only where the light of the air was not removed. */
const max_clear_air = 0.1

/**
 * The default stretch of three bands in true colour. An image of bytes that are shades already is shown as it is. Reflectances from 0 to 1.5 get the
 * natural curve, the same for every band and every scene. Other samples get the curve over one range that is estimated from
 * the percentiles, so that the hue is kept; if the blue band has the light of the air in it, each band begins at its own
 * darkest pixels, and all have the same width.
 */
export function chooseNaturalStretch(bands: readonly NaturalBand[], sampleType: SampleType): Stretch {
  if (hasShades(bands, sampleType)) return { ranges: [[0, 255]], curve: 'linear' }
  const ranges = areReflectances(bands, sampleType)
    ? bands.map(({ scale, offset }): RescaleRange => [(0 - offset) / scale, (max_reflectance - offset) / scale])
    : estimateRanges(bands.map(({ percentiles }) => percentiles))
  return { ranges, curve: 'natural' }
}

function hasShades(bands: readonly NaturalBand[], sampleType: SampleType): boolean {
  if (sampleType !== 'uint8' || bands.some(({ scale, offset }) => scale !== 1 || offset !== 0)) return false
  const isTagged = ['red', 'green', 'blue'].every((colour, at) => bands[at]?.colour === colour)
  return isTagged || bands.some(({ percentiles: [, bright] }) => bright >= min_bright_shade)
}

function areReflectances(bands: readonly NaturalBand[], sampleType: SampleType): boolean {
  const isFloat = sampleType === 'float32' || sampleType === 'float64'
  // Every sample would be the same value, and no range has it at both ends.
  if (bands.some(({ scale }) => scale === 0)) return false
  const isScaled = bands.every(({ scale, offset }) => scale > 0 && (scale !== 1 || offset !== 0))
  if (!isScaled && !isFloat) return false
  const ends = bands.map(({ scale, offset, percentiles }) => percentiles.map((value) => value * scale + offset))
  const [dark, bright] = [Math.min(...ends.map(([low]) => low!)), Math.max(...ends.map(([, high]) => high!))]
  return dark >= plausible.min_dark && bright >= plausible.min_bright && bright <= plausible.max_bright
}

function estimateRanges(percentiles: readonly RescaleRange[]): RescaleRange[] {
  const [dark, bright] = [
    Math.min(...percentiles.map(([low]) => low)),
    Math.max(...percentiles.map(([, high]) => high)),
  ]
  const [red, , blue] = percentiles
  const isHazy = blue![0] - red![0] > (bright - dark) * max_clear_air
  const width = isHazy ? Math.max(...percentiles.map(([low, high]) => high - low)) : bright - dark
  const span = width / (assumed.bright - assumed.dark)
  return percentiles.map(([low]) => {
    const zero = (isHazy ? low : dark) - assumed.dark * span
    return [zero, zero + max_reflectance * span]
  })
}
