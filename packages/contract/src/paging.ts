import Type, { type TProperties, type TSchema } from 'typebox'
import { limits } from './limits.ts'
import { Count, WithDefault, OptionalNullable, Nullable } from './schemas/primitives.ts'

interface IntegerRange {
  readonly minimum: number
  readonly maximum: number
  readonly default: number
}

const integerInRange = (range: IntegerRange) =>
  WithDefault(Type.Integer({ minimum: range.minimum, maximum: range.maximum }), range.default)

const offsetField = WithDefault(Type.Integer({ minimum: 0, maximum: limits.max_offset }), 0)

/** `limit` and `offset`. */
export const offsetPaging = (range: IntegerRange = limits.offset_limit) => ({
  limit: integerInRange(range),
  offset: offsetField,
})

/** `size` and `page`, counted from zero. */
export const pageNumberPaging = (range: IntegerRange = limits.page_size) => ({
  size: integerInRange(range),
  page: offsetField,
})

/** `limit` and `page`, counted from zero. */
export const searchPaging = (range: IntegerRange) => ({ limit: integerInRange(range), page: offsetField })

/** `limit` and the opaque `next` of the previous response; the last page has no `next`. */
export const nextTokenPaging = (range: IntegerRange = limits.catalog_search_limit) => ({
  limit: integerInRange(range),
  next: OptionalNullable(Type.String({ maxLength: 4000, description: 'The opaque `next` of the previous response.' })),
})

/** The offset of the next page; a page may hold fewer rows than its limit. */
export const nextOffsetField = Nullable(Count, {
  description:
    'The `offset` of the next page, or null if this is the last. A page of large rows may hold fewer rows than its `limit`.',
})

/** The envelope of a list: its rows under their plural noun, the requested `limit` and `offset`, and the total. */
export const ListEnvelope = <N extends string, T extends TSchema>(noun: N, row: T) =>
  Type.Object({
    ...({ [noun]: Type.Array(row) } as Record<N, Type.TArray<T>>),
    limit: Count,
    offset: Count,
    total: Count,
  })

/** The same for rows that may be large: a page may then hold fewer rows than its limit. */
export const ListEnvelopeWithNextOffset = <N extends string, T extends TSchema>(noun: N, row: T) =>
  Type.Object({ ...ListEnvelope(noun, row).properties, next_offset: nextOffsetField })

/** The envelope of the page convention. */
export const PageEnvelope = <T extends TSchema>(row: T, more: TProperties = {}) =>
  Type.Object({
    content: Type.Array(row),
    last: Type.Boolean({ description: 'This is the last page.' }),
    totalElements: Count,
    totalPages: Type.Integer({ minimum: 1 }),
    size: Count,
    page: Count,
    ...more,
  })
