import type { RowPage } from '../platform/database/select-page.ts'

// The envelopes of lists, one function for each shape of `paging.ts` in the contract.

/** `limit` and `offset` of an input; lists without an offset begin at the first row. */
export interface OffsetPaging {
  readonly limit: number
  readonly offset?: number
}

interface ListMembers {
  limit: number
  offset: number
  total: number
}

interface NextOffsetMembers extends ListMembers {
  next_offset: number | null
}

type RowsUnder<Noun extends string, Row> = { [N in Noun]: Row[] }

const listMembers = ({ limit, offset = 0 }: OffsetPaging, total: number): ListMembers => ({ limit, offset, total })

/** Offset of the next page; null if there is none. */
export const computeNextOffset = (offset: number, returned: number, total: number): number | null =>
  returned > 0 && offset + returned < total ? offset + returned : null

/** The members of `ListEnvelopeWithNextOffset` beside its rows, of which `returned` are on the page. */
export const computeNextOffsetMembers = (paging: OffsetPaging, total: number, returned: number): NextOffsetMembers => ({
  ...listMembers(paging, total),
  next_offset: computeNextOffset(paging.offset ?? 0, returned, total),
})

/** A `List`: the rows under their plural noun, with `limit`, `offset` and `total`. */
export const toListPage = <Noun extends string, Row>(
  noun: Noun,
  { rows, total }: RowPage<Row>,
  paging: OffsetPaging,
): RowsUnder<Noun, Row> & ListMembers => ({
  ...({ [noun]: rows } as RowsUnder<Noun, Row>),
  ...listMembers(paging, total),
})

/** A `List` that is returned in full. */
export const toCompleteList = <Noun extends string, Row>(
  noun: Noun,
  rows: readonly Row[],
): RowsUnder<Noun, Row> & ListMembers =>
  toListPage(noun, { rows: [...rows], total: rows.length }, { limit: rows.length })

/** A `ListEnvelopeWithNextOffset`: a page of large rows may hold fewer rows than its `limit`. */
export const toListPageWithNextOffset = <Noun extends string, Row>(
  noun: Noun,
  { rows, total }: RowPage<Row>,
  paging: OffsetPaging,
): RowsUnder<Noun, Row> & NextOffsetMembers => ({
  ...({ [noun]: rows } as RowsUnder<Noun, Row>),
  ...computeNextOffsetMembers(paging, total, rows.length),
})

/** `size` and `page`, counted from zero. */
export interface NumberedPaging {
  readonly size: number
  readonly page: number
}

/** The `limit` and `offset` of a numbered page. */
export const toOffsetPaging = ({ size, page }: NumberedPaging): Required<OffsetPaging> => ({
  limit: size,
  offset: page * size,
})

/** A `Page`: the rows as `content`, with the numbers of pages and of all rows; an empty list has one page. */
export const toNumberedPage = <Row>({ rows, total }: RowPage<Row>, { size, page }: NumberedPaging) => ({
  content: rows,
  last: (page + 1) * size >= total,
  totalElements: total,
  totalPages: Math.max(1, Math.ceil(total / size)),
  size,
  page,
})
