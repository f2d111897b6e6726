import type { InputOf, OutputOf } from '@swath/client/operations.ts'

/** What is shown of the library, as it stands in the address. */
export interface LibrarySearch {
  readonly project: string | null
  readonly collection: string | null
  /** Words of the title or the id of the scene. */
  readonly q: string | null
  readonly limit: number | null
}

type Found = OutputOf<'items.search_org'>['features'][number]
export type LibraryItem = OutputOf<'items.get'>['item']

const usual_limit = 50
const max_limit = 500

const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export function parseLibrarySearch({
  project,
  collection,
  q,
  limit,
}: Readonly<Record<string, unknown>>): LibrarySearch {
  const number = Number(limit)
  return {
    project: readText(project),
    collection: readText(collection),
    q: readText(typeof q === 'number' ? String(q) : q),
    limit: Number.isInteger(number) && number > usual_limit ? Math.min(number, max_limit) : null,
  }
}

/** The input of `items.search_org`; words are found anywhere in the name, whatever their case. */
export const createListInput = (
  project_id: string,
  { collection, q, limit }: LibrarySearch,
): InputOf<'items.search_org'> => ({
  limit: limit ?? usual_limit,
  sortby: [{ field: 'created_at', direction: 'desc' }],
  query: { project_id: { eq: project_id }, ...(q ? { name: { contains: q } } : {}) },
  ...(collection ? { collections: [collection] } : {}),
})

/** `items.search_org` answers items, unless STAC is asked for. */
export const toLibraryItem = (found: Found): LibraryItem => found as LibraryItem
