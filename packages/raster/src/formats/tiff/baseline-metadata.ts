import { RasterFailure } from '../../failures.ts'
import type { Directory } from './directory.ts'
import { TAG } from './tags.ts'

/** Texts about a file that fields of their own carry, by the names under which GDAL gives them. */
export const TEXT_FIELDS: readonly (readonly [tag: number, name: string])[] = [
  [TAG.documentName, 'TIFFTAG_DOCUMENTNAME'],
  [TAG.imageDescription, 'TIFFTAG_IMAGEDESCRIPTION'],
  [TAG.dateTime, 'TIFFTAG_DATETIME'],
  [TAG.artist, 'TIFFTAG_ARTIST'],
  [TAG.copyright, 'TIFFTAG_COPYRIGHT'],
]

/** Pixels for each unit of length, as they are meant to be printed. */
export const RESOLUTION_FIELDS: readonly (readonly [tag: number, name: string])[] = [
  [TAG.xResolution, 'TIFFTAG_XRESOLUTION'],
  [TAG.yResolution, 'TIFFTAG_YRESOLUTION'],
]

export const RESOLUTION_UNIT = 'TIFFTAG_RESOLUTIONUNIT'

/** The text that GDAL has for each value of the unit. */
export const RESOLUTION_UNITS: Readonly<Record<number, string>> = {
  1: '1 (unitless)',
  2: '2 (pixels/inch)',
  3: '3 (pixels/cm)',
}

/** Some cameras put whole reports there; longer texts are not read. */
const MOST_TEXT_BYTES = 65_536

/** The fields that describe a TIFF to its reader, as GDAL names and writes them. Damaged ones are left out. */
export async function readBaselineMetadata(directory: Directory): Promise<Record<string, string>> {
  const metadata: Record<string, string> = {}
  for (const [tag, name] of TEXT_FIELDS) {
    const text = await directory.text(tag, MOST_TEXT_BYTES).catch(nothingOfDamaged)
    if (text) metadata[name] = text
  }
  const numberOf = (tag: number): Promise<number | undefined> =>
    directory.first(tag, Number.NaN).catch(nothingOfDamaged)
  for (const [tag, name] of RESOLUTION_FIELDS) {
    const value = await numberOf(tag)
    if (value !== undefined && Number.isFinite(value)) metadata[name] = String(value)
  }
  const unit = RESOLUTION_UNITS[(await numberOf(TAG.resolutionUnit)) ?? 0]
  if (unit !== undefined) metadata[RESOLUTION_UNIT] = unit
  return metadata
}

// A remark that is damaged costs the remark, not the picture.
function nothingOfDamaged(error: unknown): undefined {
  if (!(error instanceof RasterFailure && error.kind === 'damaged')) throw error
}
