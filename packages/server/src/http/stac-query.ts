import { validationProblem } from '../engine/problem.ts'

type Query = Readonly<Record<string, unknown>>

/** Parameters that filter a search: ignoring an unsupported one would return more than was requested. */
const narrowing: ReadonlySet<string> = new Set(['query', 'q', 'filter', 'filter-lang', 'ids', 'intersects'])

/** The only supported CRS of filters and bboxes; it may be named and has no effect. */
const crs84 = /^(<?https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/1\.3\/CRS84>?|urn:ogc:def:crs:OGC:1\.3:CRS84)$/

/**
 * Converts the query parameters of a STAC request to input fields. Unknown parameters that do not filter are ignored,
 * since clients send more than they need.
 */
export function readStacQuery(query: Query, takes: (field: string) => boolean): Query {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([name, value]) => isAsked(name, value, takes))
      .map(([name, value]) => [name, said(name, value)]),
  )
}

/** Converters of parameters whose syntax differs from the field. Repeated parameters are joined with commas. */
const spoken: Readonly<Record<string, (text: string) => string>> = {
  sortby: sortKeys,
  datetime: withPlus,
  fields: fieldNames,
  bbox: withoutBrackets,
}

function said(name: string, value: unknown): unknown {
  const speak = Object.hasOwn(spoken, name) ? spoken[name] : undefined
  return speak ? speak(Array.isArray(value) ? value.join() : String(value)) : value
}

/** A bbox parameter must be comma-separated numbers, not a JSON array. */
function withoutBrackets(text: string): string {
  if (text.trimStart().startsWith('[')) {
    throw validationProblem([{ path: 'bbox', message: 'must be comma-separated numbers' }], 'query')
  }
  return text
}

/** Converts `a,+b,-c` to the JSON of the Fields extension; an empty list means the default fields. */
function fieldNames(text: string): string {
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
function withPlus(text: string): string {
  return text.replaceAll(/ (?=\d\d:\d\d(?:\/|$))/g, '+')
}

function isAsked(name: string, value: unknown, takes: (field: string) => boolean): boolean {
  if (name.endsWith('crs') && typeof value === 'string' && crs84.test(value)) return false
  return takes(name) || narrowing.has(name) || name.endsWith('crs')
}

/** Converts `+a,-b` to the JSON of the Sort extension; plus may be a space after URL decoding, or absent. */
function sortKeys(text: string): string {
  if (text.trimStart().startsWith('[')) return text
  const keys = text.split(',').map((key) => ({
    field: key.replace(/^[+\- ]/, ''),
    direction: key.startsWith('-') ? 'desc' : 'asc',
  }))
  return JSON.stringify(keys)
}
