import Type, { type TProperties, type TSchema } from 'typebox'
import { limits } from './limits.ts'
import { Count, Default, Maybe, Nullable } from './shapes/primitives.ts'

interface Range {
  readonly minimum: number
  readonly maximum: number
  readonly default: number
}

const ranged = (range: Range) =>
  Default(Type.Integer({ minimum: range.minimum, maximum: range.maximum }), range.default)

const skipped = Default(Type.Integer({ minimum: 0, maximum: limits.furthest_row }), 0)

/** `limit` and `offset`. */
export const offsetPaging = (range: Range = limits.offset_limit) => ({ limit: ranged(range), offset: skipped })

/** `size` and `page`, counted from zero. */
export const pagePaging = (range: Range = limits.page_size) => ({ size: ranged(range), page: skipped })

/** `limit` and `page`, counted from zero. */
export const searchPaging = (range: Range) => ({ limit: ranged(range), page: skipped })

/** `limit` and the opaque `next` of the previous response; the last page has no `next`. */
export const tokenPaging = (range: Range = limits.catalog_search_limit) => ({
  limit: ranged(range),
  next: Maybe(Type.String({ maxLength: 4000, description: 'The opaque `next` of the previous response.' })),
})

/** The offset of the next page; a page may hold fewer rows than its limit. */
export const next_offset = Nullable(Count, {
  description:
    'The `offset` of the next page, or null if this is the last. A page of large rows may hold fewer rows than its `limit`.',
})

/** The envelope of a list: its rows under their plural noun, the requested `limit` and `offset`, and the total. */
export const List = <N extends string, T extends TSchema>(noun: N, row: T) =>
  Type.Object({
    ...({ [noun]: Type.Array(row) } as Record<N, Type.TArray<T>>),
    limit: Count,
    offset: Count,
    total: Count,
  })

/** The same for rows that may be large: a page may then hold fewer rows than its limit. */
export const LargeList = <N extends string, T extends TSchema>(noun: N, row: T) =>
  Type.Object({ ...List(noun, row).properties, next_offset })

/** The `limit`, `offset` and `total` of a list that is always returned in full. */
export const wholeWindow = (rows: readonly unknown[]) => ({ limit: rows.length, offset: 0, total: rows.length })

/** The envelope of the page convention. */
export const Page = <T extends TSchema>(row: T, more: TProperties = {}) =>
  Type.Object({
    content: Type.Array(row),
    last: Type.Boolean({ description: 'This is the last page.' }),
    totalElements: Count,
    totalPages: Type.Integer({ minimum: 1 }),
    size: Count,
    page: Count,
    ...more,
  })
