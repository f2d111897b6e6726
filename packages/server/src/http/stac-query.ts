import { validationProblem } from '../engine/problem.ts'

type StacParameters = Readonly<Record<string, unknown>>

/** Parameters that filter a search: ignoring an unsupported one would return more than was requested. */
const filterParameters: ReadonlySet<string> = new Set(['query', 'q', 'filter', 'filter-lang', 'ids', 'intersects'])

/** The only supported CRS of filters and bboxes; it may be named and has no effect. */
const crs84 = /^(<?https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/1\.3\/CRS84>?|urn:ogc:def:crs:OGC:1\.3:CRS84)$/

/**
 * Converts the query parameters of a STAC request to input fields. Unknown parameters that do not filter are ignored,
 * since clients send more than they need.
 */
export function normalizeStacQuery(query: StacParameters, isInputField: (field: string) => boolean): StacParameters {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([name, value]) => isRelevant(name, value, isInputField))
      .map(([name, value]) => [name, convertParameter(name, value)]),
  )
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

/** Restores the plus of a UTC offset that URL decoding turned into a space. */
function restorePlus(text: string): string {
  return text.replaceAll(/ (?=\d\d:\d\d(?:\/|$))/g, '+')
}

function isRelevant(name: string, value: unknown, isInputField: (field: string) => boolean): boolean {
  if (name.endsWith('crs') && typeof value === 'string' && crs84.test(value)) return false
  return isInputField(name) || filterParameters.has(name) || name.endsWith('crs')
}

/** Converts `+a,-b` to the JSON of the Sort extension; plus may be a space after URL decoding, or absent. */
function toSortbyJson(text: string): string {
  if (text.trimStart().startsWith('[')) return text
  const keys = text.split(',').map((key) => ({
    field: key.replace(/^[+\- ]/, ''),
    direction: key.startsWith('-') ? 'desc' : 'asc',
  }))
  return JSON.stringify(keys)
}
