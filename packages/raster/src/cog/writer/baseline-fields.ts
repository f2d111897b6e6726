import { tiffResolutionFields, tiffResolutionUnitField, tiffTextFields } from '../../formats/tiff/baseline-metadata.ts'
import { tiffTags } from '../../formats/tiff/tags.ts'
import { createTiffTextField } from './directory-bytes.ts'
import type { TiffField } from './directory-bytes.ts'

/** The largest denominator that keeps common resolutions exact, such as 300 or 118.11 pixels a centimetre. */
const rational_denominator = 10_000

/** The fields that describe a file to its reader, out of metadata by the names of GDAL; the others go into field 42112. */
export function buildTiffMetadataFields(metadata: Readonly<Record<string, string>>): TiffField[] {
  const texts = tiffTextFields.flatMap(([tag, name]) => {
    const text = metadata[name]
    return text ? [createTiffTextField(tag, text)] : []
  })
  const resolutions = tiffResolutionFields.flatMap(([tag, name]): TiffField[] => {
    const ratio = ratioOf(Number(metadata[name] ?? 'none'))
    return ratio ? [{ tag, type: 'rational', values: ratio }] : []
  })
  const unit = Number(/^[123]/.exec(metadata[tiffResolutionUnitField] ?? '')?.[0] ?? 0)
  return [
    ...texts,
    ...resolutions,
    ...(unit > 0 ? [{ tag: tiffTags.resolutionUnit, type: 'short', values: [unit] } as const] : []),
  ]
}

/** A positive number as a fraction of two numbers of 32 bits; null for what none says. */
function ratioOf(value: number): [numerator: number, denominator: number] | null {
  if (!(value >= 0) || value > 0xffff_ffff) return null
  if (Number.isInteger(value)) return [value, 1]
  const denominator = value * rational_denominator > 0xffff_ffff ? 1 : rational_denominator
  return [Math.round(value * denominator), denominator]
}
