import { RasterFailure } from '../../failures.ts'
import type { Directory } from './directory.ts'
import { tiffTags } from './tags.ts'

/** Texts about a file that fields of their own carry, by the names under which GDAL gives them. */
export const textFields: readonly (readonly [tag: number, name: string])[] = [
  [tiffTags.documentName, 'TIFFTAG_DOCUMENTNAME'],
  [tiffTags.imageDescription, 'TIFFTAG_IMAGEDESCRIPTION'],
  [tiffTags.dateTime, 'TIFFTAG_DATETIME'],
  [tiffTags.artist, 'TIFFTAG_ARTIST'],
  [tiffTags.copyright, 'TIFFTAG_COPYRIGHT'],
]

/** Pixels for each unit of length, as they are meant to be printed. */
export const resolutionFields: readonly (readonly [tag: number, name: string])[] = [
  [tiffTags.xResolution, 'TIFFTAG_XRESOLUTION'],
  [tiffTags.yResolution, 'TIFFTAG_YRESOLUTION'],
]

export const resolutionUnit = 'TIFFTAG_RESOLUTIONUNIT'

/** The text that GDAL has for each value of the unit. */
export const resolutionUnits: Readonly<Record<number, string>> = {
  1: '1 (unitless)',
  2: '2 (pixels/inch)',
  3: '3 (pixels/cm)',
}

/** Some cameras put whole reports there; longer texts are not read. */
const max_text_bytes = 65_536

/** The fields that describe a TIFF to its reader, as GDAL names and writes them. Damaged ones are left out. */
export async function readBaselineMetadata(directory: Directory): Promise<Record<string, string>> {
  const metadata: Record<string, string> = {}
  for (const [tag, name] of textFields) {
    const text = await directory.text(tag, max_text_bytes).catch(nothingOfDamaged)
    if (text) metadata[name] = text
  }
  const numberOf = (tag: number): Promise<number | undefined> =>
    directory.first(tag, Number.NaN).catch(nothingOfDamaged)
  for (const [tag, name] of resolutionFields) {
    const value = await numberOf(tag)
    if (value !== undefined && Number.isFinite(value)) metadata[name] = String(value)
  }
  const unit = resolutionUnits[(await numberOf(tiffTags.resolutionUnit)) ?? 0]
  if (unit !== undefined) metadata[resolutionUnit] = unit
  return metadata
}

// A remark that is damaged costs the remark, not the image.
function nothingOfDamaged(error: unknown): undefined {
  if (!(error instanceof RasterFailure && error.kind === 'damaged')) throw error
}
