export type PageInput = Readonly<Record<string, unknown>>

interface StacLink {
  readonly rel: string
  readonly href: string
  /** The members that the input of the next page has besides those of this one. */
  readonly body?: PageInput
}

/** The members of pages of the four conventions that say where the next one is. */
interface PageMembers {
  readonly total?: number
  readonly numberMatched?: number
  readonly next_offset?: number | null
  readonly limit?: number
  readonly last?: boolean
  readonly page?: number
  readonly next?: string | null
  readonly links?: readonly StacLink[]
}

type NextPage = (page: PageMembers, input: PageInput, rowCount: number) => PageInput | null

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const findNextLink = ({ links = [] }: PageMembers): StacLink | undefined => links.find(({ rel }) => rel === 'next')

const conventions: Readonly<Record<string, NextPage>> = {
  offset: ({ total, numberMatched, next_offset }, { offset }, rowCount) => {
    const end = numberOf(offset) + rowCount
    if (next_offset !== undefined) return next_offset === null ? null : { offset: next_offset }
    return rowCount === 0 || end >= (total ?? numberMatched ?? 0) ? null : { offset: end }
  },
  page: ({ last }, { page }) => (last === false ? { page: numberOf(page) + 1 } : null),
  search: (page, input, rowCount) => {
    const number = numberOf(input['page'])
    const { links, limit = 0, total = 0 } = page
    if (!links) return rowCount > 0 && (number + 1) * limit < total ? { page: number + 1 } : null
    const link = findNextLink(page)
    // A link of the method GET is one of the STAC API; the operation counts pages.
    return link ? (link.body ?? { page: number + 1 }) : null
  },
  token: (page, input, rowCount) => {
    // A list that can be continued later says where also when it has no more rows.
    if (page.next) return rowCount === 0 && page.next === input['next'] ? null : { next: page.next }
    const link = findNextLink(page)
    return link ? { next: link.body?.['next'] ?? new URL(link.href).searchParams.get('next') } : null
  },
}

/** The input of the page after this one; null after the last. */
export function nextPageInput(paging: string, input: PageInput, page: object): PageInput | null {
  const rowCount = rowsOf(page).length
  const next = conventions[paging]?.(page as PageMembers, input, rowCount) ?? null
  return next && { ...input, ...next }
}

/** The rows of a page: `features`, or the only list that it has. */
export function rowsOf(page: object): readonly unknown[] {
  const { features } = page as { readonly features?: unknown }
  const rows = Array.isArray(features) ? features : Object.values(page).find(Array.isArray)
  return (rows as readonly unknown[] | undefined) ?? []
}
