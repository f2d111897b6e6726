import type { BandStatistics, Raster } from '@swath/raster'
import {
  chooseClassColour,
  readClassificationClasses,
  type RasterClass,
} from '../../../platform/integrations/classification-classes.ts'
import type { RasterBandMetadata } from './raster-metadata.ts'

/** The colours of the palette of a file, for the values that it has; null for a file without one. */
export function listPaletteClasses(
  { palette, nodata }: Pick<Raster, 'palette' | 'nodata'>,
  statistics: Pick<BandStatistics, 'minimum' | 'maximum'> | null,
): RasterClass[] | null {
  if (palette === null) return null
  const entries = Array.from({ length: Math.floor(palette.length / 3) }, (_, value) => value)
  const { minimum, maximum } = statistics ?? { minimum: 0, maximum: entries.length - 1 }
  return entries
    .filter((value) => value >= minimum && value <= maximum && value !== nodata)
    .map((value) => ({ value, name: null, color: getPaletteColour(palette, value) }))
}

/** The colour of a value as `#rrggbb`; `#` alone for a value that the palette does not have. */
export const getPaletteColour = (palette: Uint8Array, value: number): string =>
  `#${Buffer.from(palette.subarray(value * 3, value * 3 + 3)).toString('hex')}`

type Members = Readonly<Record<string, unknown>>

/** The classes that the STAC asset states for one of its bands; null without any. */
export function readStacClasses(stac: Members, band: number, band_count: number): RasterClass[] | null {
  for (const name of ['bands', 'raster:bands', 'eo:bands']) {
    const list = stac[name]
    const members: unknown = Array.isArray(list) ? list[band] : null
    const classes =
      typeof members === 'object' && members !== null
        ? readClassificationClasses((members as Members)['classification:classes'])
        : null
    if (classes) return classes
  }
  return band_count === 1 ? readClassificationClasses(stac['classification:classes']) : null
}

/** The scene classification of Sentinel-2 Level 2A, in the colours of the Copernicus Browser. */
const sceneClassification: readonly RasterClass[] = [
  { value: 1, name: 'Saturated or defective', color: '#ff0000' },
  { value: 2, name: 'Dark area', color: '#2f2f2f' },
  { value: 3, name: 'Cloud shadow', color: '#643200' },
  { value: 4, name: 'Vegetation', color: '#00a000' },
  { value: 5, name: 'Not vegetated', color: '#ffe65a' },
  { value: 6, name: 'Water', color: '#0000ff' },
  { value: 7, name: 'Unclassified', color: '#808080' },
  { value: 8, name: 'Cloud, medium probability', color: '#c0c0c0' },
  { value: 9, name: 'Cloud, high probability', color: '#ffffff' },
  { value: 10, name: 'Thin cirrus', color: '#64c8ff' },
  { value: 11, name: 'Snow or ice', color: '#ff96ff' },
]

/** More values than this are amounts, not classes. */
const max_unnamed_classes = 64

/** The classes of a band: those that are stored with it, those of a known product, or one for each whole value. */
export function findBandClasses(band: RasterBandMetadata): readonly RasterClass[] | null {
  if (band.classes && band.classes.length > 0) return band.classes
  if (!band.categorical) return null
  if (band.name?.toLowerCase() === 'scl') return sceneClassification
  if (!band.statistics) return null
  const { minimum, maximum } = band.statistics
  const count = maximum - minimum + 1
  if (!Number.isInteger(minimum) || !Number.isInteger(maximum) || count > max_unnamed_classes) return null
  return Array.from({ length: count }, (_, at) => {
    const value = minimum + at
    return { value, name: null, color: chooseClassColour(Math.abs(value)) }
  })
}
