/** A range of a numbered list: from `after` (exclusive) to `until` (inclusive). */
export interface NumberedRowRange {
  readonly after: number
  readonly until: number
}

const max_page_rows = 500

/**
 * Reads numbered rows in pages, in ascending order. Every page is its own statement, so the list must be append-only.
 *
 * @param read reads at most `limit` rows of a range in order.
 */
export async function* readNumberedRowPages<Row extends { readonly position: number }>(
  { after, until }: NumberedRowRange,
  read: (page: NumberedRowRange & { readonly limit: number }) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let at = after; at < until;) {
    const rows = await read({ after: at, until, limit: max_page_rows })
    if (rows.length > 0) yield rows
    if (rows.length < max_page_rows) return
    at = rows.at(-1)!.position
  }
}
