import { validationProblem } from '../engine/problem.ts'
import { parseCql2Text } from './cql2-text/parse.ts'
import { restorePlus } from './restore-plus.ts'

type StacParameters = Readonly<Record<string, unknown>>

/** The only supported CRS of filters and bboxes; it may be named and has no effect. */
const crs84 = /^(<?https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/1\.3\/CRS84>?|urn:ogc:def:crs:OGC:1\.3:CRS84)$/

/**
 * Converts the query parameters of a STAC request to input fields. Unknown parameters stay: OGC API - Features requires that
 * they are refused, and validation does it.
 */
export const normalizeStacQuery = (query: StacParameters): StacParameters =>
  Object.fromEntries(
    Object.entries(convertFilterText(query))
      .filter(([name, value]) => !isDefaultCrs(name, value))
      .map(([name, value]) => [name, convertParameter(name, value)]),
  )

/** Converts a filter in CQL2 text, the default language of a GET request, to the JSON that operations take. */
function convertFilterText(query: StacParameters): StacParameters {
  const { filter, 'filter-lang': language } = query
  if (typeof filter !== 'string') return query
  const isText = language === 'cql2-text' || (language === undefined && !filter.trimStart().startsWith('{'))
  return isText ? { ...query, filter: parseCql2Text(filter), 'filter-lang': 'cql2-json' } : query
}

/** Converters of parameters whose syntax differs from the field. Repeated parameters are joined with commas. */
const converters: Readonly<Record<string, (text: string) => string>> = {
  sortby: toSortbyJson,
  datetime: restorePlus,
  fields: toFieldsJson,
  bbox: requireCommaSeparated,
}

function convertParameter(name: string, value: unknown): unknown {
  const convert = Object.hasOwn(converters, name) ? converters[name] : undefined
  return convert ? convert(Array.isArray(value) ? value.join() : String(value)) : value
}

/** A bbox parameter must be comma-separated numbers, not a JSON array. */
function requireCommaSeparated(text: string): string {
  if (text.trimStart().startsWith('[')) {
    throw validationProblem([{ path: 'bbox', message: 'must be comma-separated numbers' }], 'query')
  }
  return text
}

/** Converts `a,+b,-c` to the JSON of the Fields extension; an empty list means the default fields. */
function toFieldsJson(text: string): string {
  if (text.trimStart().startsWith('{')) return text
  const names = text.split(',').filter((name) => name.trim() !== '')
  const excluded = names.filter((name) => name.startsWith('-')).map((name) => name.slice(1))
  const included = names.filter((name) => !name.startsWith('-')).map((name) => name.replace(/^[+ ]/, ''))
  return JSON.stringify({
    ...(included.length > 0 ? { include: included } : {}),
    ...(excluded.length > 0 ? { exclude: excluded } : {}),
  })
}

const isDefaultCrs = (name: string, value: unknown): boolean =>
  name.endsWith('crs') && typeof value === 'string' && crs84.test(value)

/** Converts `+a,-b` to the JSON of the Sort extension; plus may be a space after URL decoding, or absent. */
function toSortbyJson(text: string): string {
  if (text.trimStart().startsWith('[')) return text
  const keys = text.split(',').map((key) => ({
    field: key.replace(/^[+\- ]/, ''),
    direction: key.startsWith('-') ? 'desc' : 'asc',
  }))
  return JSON.stringify(keys)
}
