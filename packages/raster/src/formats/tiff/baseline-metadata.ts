import { RasterFailure } from '../../failures.ts'
import type { TiffDirectory } from './directory.ts'
import { tiffTags } from './tags.ts'

/** Texts about a file that fields of their own carry, by the names under which GDAL gives them. */
export const tiffTextFields: readonly (readonly [tag: number, name: string])[] = [
  [tiffTags.documentName, 'TIFFTAG_DOCUMENTNAME'],
  [tiffTags.imageDescription, 'TIFFTAG_IMAGEDESCRIPTION'],
  [tiffTags.dateTime, 'TIFFTAG_DATETIME'],
  [tiffTags.artist, 'TIFFTAG_ARTIST'],
  [tiffTags.copyright, 'TIFFTAG_COPYRIGHT'],
]

/** Pixels for each unit of length, as they are meant to be printed. */
export const tiffResolutionFields: readonly (readonly [tag: number, name: string])[] = [
  [tiffTags.xResolution, 'TIFFTAG_XRESOLUTION'],
  [tiffTags.yResolution, 'TIFFTAG_YRESOLUTION'],
]

export const tiffResolutionUnitField = 'TIFFTAG_RESOLUTIONUNIT'

/** The text that GDAL has for each value of the unit. */
export const tiffResolutionUnits: Readonly<Record<number, string>> = {
  1: '1 (unitless)',
  2: '2 (pixels/inch)',
  3: '3 (pixels/cm)',
}

/** Some cameras put whole reports there; longer texts are not read. */
const max_text_bytes = 65_536

/** The fields that describe a TIFF to its reader, as GDAL names and writes them. Damaged ones are left out. */
export async function readTiffBaselineMetadata(directory: TiffDirectory): Promise<Record<string, string>> {
  const metadata: Record<string, string> = {}
  for (const [tag, name] of tiffTextFields) {
    const text = await directory.text(tag, max_text_bytes).catch(nothingOfDamaged)
    if (text) metadata[name] = text
  }
  const numberOf = (tag: number): Promise<number | undefined> =>
    directory.first(tag, Number.NaN).catch(nothingOfDamaged)
  for (const [tag, name] of tiffResolutionFields) {
    const value = await numberOf(tag)
    if (value !== undefined && Number.isFinite(value)) metadata[name] = String(value)
  }
  const unit = tiffResolutionUnits[(await numberOf(tiffTags.resolutionUnit)) ?? 0]
  if (unit !== undefined) metadata[tiffResolutionUnitField] = unit
  return metadata
}

// A remark that is damaged costs the remark, not the image.
function nothingOfDamaged(error: unknown): undefined {
  if (!(error instanceof RasterFailure && error.kind === 'damaged')) throw error
}
