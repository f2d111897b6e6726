import { validationProblem } from '../engine/problem.ts'

type Query = Readonly<Record<string, unknown>>

/** Parameters that narrow a search: where they are not known, more would be answered than was asked for. */
const narrowing: ReadonlySet<string> = new Set(['query', 'q', 'filter', 'filter-lang', 'ids', 'intersects'])

/** The one reference system of the coordinates of filters and boxes; it needs no saying. */
const crs84 = /^(<?https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/1\.3\/CRS84>?|urn:ogc:def:crs:OGC:1\.3:CRS84)$/

/**
 * The parameters of a STAC address as fields of the operation. What is known to none of our operations and narrows
 * nothing is left alone, since clients send more than they need.
 */
export function readStacQuery(query: Query, takes: (field: string) => boolean): Query {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([name, value]) => isAsked(name, value, takes))
      .map(([name, value]) => [name, said(name, value)]),
  )
}

/** The parameters whose text is not that of the field. One that is said again goes on where it stopped. */
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

/** A box of an address is numbers with commas between them, and no list of JSON. */
function withoutBrackets(text: string): string {
  if (text.trimStart().startsWith('[')) {
    throw validationProblem([{ path: 'bbox', message: 'is not numbers with commas between them' }], 'query')
  }
  return text
}

/** `a,+b,-c` as JSON text. What names none asks for the default fields, as an empty object does. */
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

/** The plus of an offset that became a blank on its way. */
function withPlus(text: string): string {
  return text.replaceAll(/ (?=\d\d:\d\d(?:\/|$))/g, '+')
}

function isAsked(name: string, value: unknown, takes: (field: string) => boolean): boolean {
  if (name.endsWith('crs') && typeof value === 'string' && crs84.test(value)) return false
  return takes(name) || narrowing.has(name) || name.endsWith('crs')
}

/** `+a,-b` as JSON text; a plus that became a blank on its way is one, and none means the same. */
function sortKeys(text: string): string {
  if (text.trimStart().startsWith('[')) return text
  const keys = text.split(',').map((key) => ({
    field: key.replace(/^[+\- ]/, ''),
    direction: key.startsWith('-') ? 'desc' : 'asc',
  }))
  return JSON.stringify(keys)
}
