import type { InputOf, OutputOf } from '@swath/client/operations.ts'
import { readUrlText } from '../../../api/read-text.ts'
import { parseCql2Text, type Cql2Json } from './parse-cql2-text.ts'

export type FoundItem = OutputOf<'stac.search'>['features'][number]
export type LibraryItemType = OutputOf<'items.get'>['item']['type']

export const itemTypes = [
  'satellite_capture',
  'derived_raster',
  'derived_vector',
  'clip',
  'user_raster',
  'user_vector',
  'external_reference',
] as const satisfies readonly LibraryItemType[]

/** The orders of the list, with the property and direction of each; the first is that of a URL without one. */
export const sortings = {
  added: ['created_at', 'desc'],
  newest: ['datetime', 'desc'],
  oldest: ['datetime', 'asc'],
  name: ['title', 'asc'],
  cloud: ['eo:cloud_cover', 'asc'],
} as const
export type Sorting = keyof typeof sortings

/** In place of a collection: the items that are in none. */
export const noCollection = 'none'

/** The shown part of the library, as in the URL. */
export interface LibrarySearch {
  readonly project?: string
  readonly collection?: string
  /** Part of the name or the place, whatever the case. */
  readonly q?: string
  /** Days of acquisition, both included. */
  readonly from?: string
  readonly to?: string
  /** At most this many per cent. */
  readonly cloud?: number
  readonly type?: LibraryItemType
  /** Conditions in CQL2 text, each a chip. */
  readonly where?: readonly string[]
  readonly sort?: Sorting
}

export const page_size = 50
const day = /^\d{4}-\d\d-\d\d$/

const readText = (value: unknown): string | undefined => readUrlText(value) ?? undefined
const readDay = (value: unknown): string | undefined =>
  typeof value === 'string' && day.test(value) ? value : undefined
const isType = (value: unknown): value is LibraryItemType => itemTypes.some((type) => type === value)
const isSorting = (value: unknown): value is Sorting => typeof value === 'string' && Object.hasOwn(sortings, value)

/** Leaves out parameters without a value. */
export const compact = (search: {
  readonly [Name in keyof LibrarySearch]: LibrarySearch[Name] | undefined
}): LibrarySearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''))

/** Reads the query parameters; invalid ones are ignored. */
export function parseLibrarySearch(url: Readonly<Record<string, unknown>>): LibrarySearch {
  const { cloud, where, type, sort } = url
  const conditions = Array.isArray(where) ? where.filter((text) => typeof text === 'string' && text !== '') : []
  return compact({
    project: readText(url['project']),
    collection: readText(url['collection']),
    q: readText(url['q']),
    from: readDay(url['from']),
    to: readDay(url['to']),
    cloud: typeof cloud === 'number' && cloud >= 0 && cloud < 100 ? cloud : undefined,
    type: isType(type) ? type : undefined,
    where: conditions.length > 0 ? (conditions as string[]) : undefined,
    sort: isSorting(sort) ? sort : undefined,
  })
}

/** True if a filter besides the place in the tree is set. */
export const isFiltered = ({
  project: _project,
  collection: _collection,
  sort: _sort,
  ...filters
}: LibrarySearch): boolean => Object.keys(filters).length > 0

const property = (name: string): Cql2Json => ({ property: name })
const casei = (operand: Cql2Json): Cql2Json => ({ op: 'casei', args: [operand] })

/** A condition that a text property contains these words, whatever the case. */
const contains = (name: string, words: string): Cql2Json => ({
  op: 'like',
  args: [casei(property(name)), casei(`%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)],
})

/** The conditions of a URL. Throws `Cql2SyntaxError` if one of them is not CQL2 text. */
function createConditions({ project, collection, q, cloud, type, where }: LibrarySearch): Cql2Json[] {
  return [
    ...(project ? [{ op: '=', args: [property('project_id'), project] }] : []),
    ...(collection === noCollection ? [{ op: 'isNull', args: [property('collection')] }] : []),
    ...(q ? [{ op: 'or', args: [contains('title', q), contains('place', q)] }] : []),
    ...(cloud === undefined ? [] : [{ op: '<=', args: [property('eo:cloud_cover'), cloud] }]),
    ...(type ? [{ op: '=', args: [property('service:item_type'), type] }] : []),
    ...(where ?? []).map(parseCql2Text),
  ]
}

/** The input of `stac.search` for its first page. Throws `Cql2SyntaxError` if a condition is not CQL2 text. */
export function createSearchInput(search: LibrarySearch): InputOf<'stac.search'> {
  const { collection, from, to, sort = 'added' } = search
  const [field, direction] = sortings[sort]
  const conditions = createConditions(search)
  return {
    limit: page_size,
    sortby: [{ field, direction }],
    ...(collection && collection !== noCollection ? { collections: [collection] } : {}),
    ...(from || to ? { datetime: `${from ? `${from}T00:00:00Z` : '..'}/${to ? `${to}T23:59:59.999Z` : '..'}` } : {}),
    ...(conditions.length === 1 ? { filter: conditions[0] as Record<string, unknown> } : {}),
    ...(conditions.length > 1 ? { filter: { op: 'and', args: conditions } } : {}),
  }
}

/** The token of the page after this one; null on the last. */
export function nextPageToken({ links }: OutputOf<'stac.search'>): string | null {
  const token = links.find(({ rel }) => rel === 'next')?.body?.['token']
  return typeof token === 'string' ? token : null
}
