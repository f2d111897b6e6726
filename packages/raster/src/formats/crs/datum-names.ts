import proj4 from 'proj4'
import { createOnce, readTsvFile } from '../../tsv-file.ts'
import { crsNameKey, findCrs, findGeographicCrs } from './crs-table.ts'

/** Codes of geographic systems by the names of their datums, of the EPSG register and of ESRI: printed from PROJ's database. */
const readCodesByName = createOnce(
  () =>
    new Map(
      readTsvFile<'name' | 'code'>(new URL('./datum-names.tsv', import.meta.url)).map(({ name, code }) => [
        name,
        Number(code),
      ]),
    ),
)

/** Names of one ellipsoid are written with fewer digits than others. */
const tolerance_m = 1

/**
 * Ellipsoid and shift to WGS 84 of a datum, as words of proj4 text: by its name in well-known text, or the name of its geographic
 * system. Text of ESRI names a datum and leaves its shift to the reader. Null for a datum that is not known, or one of that name on
 * another ellipsoid.
 *
 * @param axis_m semi-major axis of the ellipsoid that the text has.
 */
export async function findDatumWords(names: readonly string[], axis_m: number): Promise<string | null> {
  for (const name of names) {
    const plain = name.replace(/^D_/, '')
    const code = readCodesByName().get(crsNameKey(plain))
    const found = (code === undefined ? null : await findCrs(code)) ?? (await findGeographicCrs(plain))
    const words = found && readDatumWords(found.proj4, axis_m)
    if (words) return words
  }
  return null
}

/** The words of a geographic system that say its datum, without its meridian; null where its ellipsoid is another one. */
export function readDatumWords(text: string, axis_m: number): string | null {
  if (!text.startsWith('+proj=longlat ')) return null
  const { a } = new proj4.Proj(text) as unknown as { a: number }
  if (Math.abs(a - axis_m) > tolerance_m) return null
  return text
    .replace('+proj=longlat ', '')
    .replace(/ ?\+pm=\S+/, '')
    .replace(' +no_defs', '')
}
