import { readTsvFile } from '../../tsv-file.ts'
import type { ProjectionParameters } from './geo-keys.ts'

/** A method of projection: how files name it and how proj4 text says it. */
export interface ProjectionMethod {
  /** The name of the method as it is written in a sentence. */
  readonly name: string
  /** Value of ProjMethodGeoKey (3075); null for a method without a code in GeoKeys. */
  readonly geoKey: number | null
  /** Names in well-known text (OGC and ESRI), in lower case. */
  readonly wkt: readonly string[]
  /** Condition of this row, if one code or name stands for several methods; the first row that applies is used. */
  readonly applies: (given: ProjectionParameters) => boolean
  /** proj4 text without false origin, units and datum; null for a method that is not projected. */
  readonly text: ((given: ProjectionParameters) => string) | null
}

const pole_degrees = 90
const poleOf = (latitude: number): number => (latitude < 0 ? -pole_degrees : pole_degrees)
const isNear = (value: number, other: number): boolean => Math.abs(value - other) < 1e-12
const isPole = (latitude: number): boolean => Math.abs(Math.abs(latitude) - pole_degrees) < 1e-8

/** The parameters by the names of the table: those of the file, and those that follow from them. */
const valuesOf = (given: ProjectionParameters): Readonly<Record<string, number | string>> => ({
  ...given,
  rectified: Number.isNaN(given.rectifiedAngle) ? given.azimuth : given.rectifiedAngle,
  pole: poleOf(given.latitude),
  poleOfParallel: poleOf(given.parallel1),
  sweep: given.option === 1 ? 'x' : 'y',
})

/** A condition such as `parallel1!=0`, `latitude=pole` or `height>0`. */
function holds(condition: string, given: ProjectionParameters): boolean {
  const [, name, sign, wanted] = /^(\w+)(=|!=|>)(.+)$/.exec(condition)!
  const value = Number(valuesOf(given)[name!])
  if (sign === '>') return value > Number(wanted)
  return (wanted === 'pole' ? isPole(value) : isNear(value, Number(wanted))) === (sign === '=')
}

/**
 * Every method that a GeoTIFF can name, from `projection-methods.tsv`: the codes of OGC 19-008r4 (annex C), those that
 * GDAL adds (28, 9815), and those that GDAL and ESRI say by well-known text in a citation. Methods that are not
 * supported are there too, without a text, so that a failure can name them. The Swiss form is exact where the initial
 * line of an oblique Mercator runs due east.
 */
export const projectionMethods = readTsvFile<'name' | 'geo_key' | 'wkt' | 'applies' | 'text'>(
  new URL('./projection-methods.tsv', import.meta.url),
).map(({ name, geo_key, wkt, applies, text }): ProjectionMethod => ({
  name,
  geoKey: geo_key === '' ? null : Number(geo_key),
  wkt: wkt.split(' '),
  applies: (given) => applies === '' || applies.split(' ').every((condition) => holds(condition, given)),
  text:
    text === '' ? null : (given) => text.replaceAll(/\{(\w+)\}/g, (_, value: string) => `${valuesOf(given)[value]}`),
}))
