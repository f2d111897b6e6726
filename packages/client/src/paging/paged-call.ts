import { nextPageInput, rowsOf, type PageInput } from './next-page.ts'

/** A list: a promise of its first page, and an async iterable of the rows of all pages. */
export interface PagedCall<Page, Row> extends Promise<Page>, AsyncIterable<Row> {
  /** All rows, or the first `max` of them. */
  all(options?: { readonly max?: number }): Promise<Row[]>
  /** The pages from the first one on; each is requested when it is asked for. */
  pages(): AsyncGenerator<Page>
}

/**
 * Calls a list. The first page is requested at once, and later ones when their rows are asked for.
 *
 * @param request Requests a page.
 */
export function createPagedCall<Page extends object, Row>(
  request: (input: PageInput) => Promise<Page>,
  input: PageInput,
  paging: string,
): PagedCall<Page, Row> {
  const first = request(input)
  async function* pages(): AsyncGenerator<Page> {
    let page = await first
    let next = nextPageInput(paging, input, page)
    for (;;) {
      yield page
      if (next === null) return
      const asked = next
      page = await request(asked)
      next = nextPageInput(paging, asked, page)
    }
  }
  async function* rows(): AsyncGenerator<Row> {
    for await (const page of pages()) yield* rowsOf(page) as Row[]
  }
  const all = async ({ max = Number.POSITIVE_INFINITY }: { readonly max?: number } = {}): Promise<Row[]> => {
    const found: Row[] = []
    if (max <= 0) return found
    for await (const row of rows()) if (found.push(row) >= max) break
    return found
  }
  return Object.assign(first, { all, pages, [Symbol.asyncIterator]: rows })
}
