import { parseColormap, spectralIndicesByName, type Colormap, type RescaleRange } from '@swath/raster'
import type { RasterClass } from '../../../platform/integrations/classification-classes.ts'
import { findBandClasses } from '../../items/assets/classes.ts'
import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'

/** How a band is shown whose values have a known meaning. */
export interface BandLook {
  /** The name of the index or of the band. */
  readonly title: string
  /** In samples of the file; null for classes, and for an index whose samples are in an unknown unit. */
  readonly range: RescaleRange | null
  /** The name of a ramp; null for classes. */
  readonly colormap_name: string | null
  readonly colormap: Colormap
  readonly classes: readonly RasterClass[] | null
}

/** The look of a band of classes, or of a band named like a known index; null for any other. */
export function findBandLook(band: RasterBandMetadata): BandLook | null {
  const classes = findBandClasses(band)
  if (classes) {
    const colormap = parseColormap(
      JSON.stringify(Object.fromEntries(classes.map(({ value, color }) => [value, color]))),
    )
    return { title: band.name ?? 'Classes', range: null, colormap_name: null, colormap, classes }
  }
  const index = spectralIndicesByName.get(band.name?.trim().toLowerCase() ?? '')
  if (!index) return null
  const colormap = parseColormap(index.colormap)
  return {
    title: index.title,
    range: toSampleRange(index.range, band),
    colormap_name: index.colormap,
    colormap,
    classes: null,
  }
}

/** Samples that are spread wider than this many times the range are not the index in this unit. */
const max_spread = 4

/** The range of an index in the samples of a band; null if its scale or its statistics tell of another unit. */
function toSampleRange(range: RescaleRange, { scale, offset, statistics }: RasterBandMetadata): RescaleRange | null {
  // Every sample would be the same value.
  if (scale === 0) return null
  const [low, high] = [(range[0] - offset) / scale, (range[1] - offset) / scale]
  if (!statistics) return [low, high]
  const { minimum, maximum, p2, p98 } = statistics
  const [dark, bright] = [p2 ?? minimum, p98 ?? maximum]
  return dark <= high && bright >= low && bright - dark <= max_spread * (high - low) ? [low, high] : null
}
