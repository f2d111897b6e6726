/**
 * The meaning of EPSG codes in GeoKeys where the key names no whole reference system: ellipsoids, prime meridians and
 * units. The tables are printed from PROJ's database (`tools/printers/epsg-tables.py`): the Earth alone, nothing
 * deprecated.
 */
import { readTsvFile } from '../../tsv-file.ts'

const rowsOf = <Column extends string>(name: string): Readonly<Record<Column | 'code', string>>[] =>
  readTsvFile(new URL(`./${name}.tsv`, import.meta.url))

const optional = (text: string): number | undefined => (text === '' ? undefined : Number(text))

/** Ellipsoids by code: semi-major axis in metres, and either the inverse flattening or the semi-minor axis. */
export const ellipsoidsByCode: Readonly<
  Record<number, { readonly a: number; readonly rf: number | undefined; readonly b: number | undefined }>
> = Object.fromEntries(
  rowsOf<'a' | 'rf' | 'b'>('ellipsoids').map(({ code, a, rf, b }) => [
    code,
    { a: Number(a), rf: optional(rf), b: optional(b) },
  ]),
)

/** Longitude of prime meridians by code, in degrees east of Greenwich. */
export const primeMeridiansByCode: Readonly<Record<number, number>> = Object.fromEntries(
  rowsOf<'degrees'>('prime-meridians').map(({ code, degrees }) => [code, Number(degrees)]),
)

/** Units of angle by code, in degrees; only those that are one number. */
export const angularUnitsByCode: Readonly<Record<number, number>> = {
  9101: 180 / Math.PI,
  9102: 1,
  9103: 1 / 60,
  9104: 1 / 3600,
  9105: 0.9,
  9106: 0.9,
  9109: 180e-6 / Math.PI,
  9112: 0.009,
  9113: 0.000_09,
  9114: 0.056_25,
  9122: 1,
}

/** Units of length by code, in metres. */
export const linearUnitsByCode: Readonly<Record<number, number>> = Object.fromEntries(
  rowsOf<'metres'>('length-units').map(({ code, metres }) => [code, Number(metres)]),
)
