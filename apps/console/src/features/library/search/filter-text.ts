import { itemTypes, type LibrarySearch } from './library-search.ts'
import { isAlternative, parseCql2Text, splitConditions } from './parse-cql2-text.ts'

/** The filters of a URL that a CQL2 text can say. */
export interface FilterParts {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly cloud: number | undefined
  readonly type: LibrarySearch['type'] | undefined
  readonly where: readonly string[] | undefined
}

type Part = Partial<Omit<FilterParts, 'where'>>

/** Conditions that have a parameter of their own, as text and back. */
const parts: readonly {
  readonly write: (search: LibrarySearch) => string | null
  readonly pattern: RegExp
  readonly read: (value: string) => Part
}[] = [
  {
    write: ({ from }) => (from ? `datetime >= TIMESTAMP('${from}T00:00:00Z')` : null),
    pattern: /^datetime\s*>=\s*TIMESTAMP\(\s*'(\d{4}-\d\d-\d\d)T00:00:00Z'\s*\)$/i,
    read: (from) => ({ from }),
  },
  {
    write: ({ to }) => (to ? `datetime <= TIMESTAMP('${to}T23:59:59.999Z')` : null),
    pattern: /^datetime\s*<=\s*TIMESTAMP\(\s*'(\d{4}-\d\d-\d\d)T23:59:59.999Z'\s*\)$/i,
    read: (to) => ({ to }),
  },
  {
    write: ({ cloud }) => (cloud === undefined ? null : `eo:cloud_cover <= ${cloud}`),
    pattern: /^"?eo:cloud_cover"?\s*<=\s*(\d{1,2}(?:\.\d+)?)$/,
    read: (cloud) => ({ cloud: Number(cloud) }),
  },
  {
    write: ({ type }) => (type ? `service:item_type = '${type}'` : null),
    pattern: new RegExp(String.raw`^"?service:item_type"?\s*=\s*'(${itemTypes.join('|')})'$`),
    read: (type) => ({ type: type as LibrarySearch['type'] }),
  },
]

/** True for an `OR` that stands alone; a text that is not CQL2 stays as it is. */
function needsParentheses(text: string): boolean {
  try {
    parseCql2Text(text)
    return isAlternative(text)
  } catch {
    return false
  }
}

/** All filters of a URL as one CQL2 text. */
export function writeFilterText(search: LibrarySearch): string {
  const known = parts.flatMap(({ write }) => write(search) ?? [])
  const texts = [...known, ...(search.where ?? [])]
  return texts.map((text) => (texts.length > 1 && needsParentheses(text) ? `(${text})` : text)).join(' AND ')
}

/** The filters that a CQL2 text means: each condition that `AND` joins is one. Throws `Cql2SyntaxError`. */
export function readFilterText(text: string): FilterParts {
  const found: { -readonly [Name in keyof Part]: Part[Name] } = {}
  const where: string[] = []
  for (const condition of text.trim() === '' ? [] : splitConditions(text)) {
    const part = readPart(condition)
    // A second one of its kind is a condition like any other.
    if (part && Object.keys(part).every((name) => !Object.hasOwn(found, name))) Object.assign(found, part)
    else if (!where.includes(condition)) where.push(condition)
  }
  const { from, to, cloud, type } = found
  return { from, to, cloud, type, where: where.length > 0 ? where : undefined }
}

function readPart(condition: string): Part | null {
  for (const { pattern, read } of parts) {
    const value = pattern.exec(condition)?.[1]
    if (value !== undefined) return read(value)
  }
  return null
}
