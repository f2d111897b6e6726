import Type, { type Static, type TSchema } from 'typebox'
import { limits } from '../limits.ts'

/** Identifiers are UUIDs; the platform generates version 7. */
export const Uuid = Type.String({ format: 'uuid' })

/** RFC 3339 in UTC; the platform writes milliseconds. */
export const Timestamp = Type.String({ format: 'date-time' })

/** A value that may also be `null`. */
export const Nullable = <T extends TSchema>(schema: T, options: { default?: null; description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)

/** An optional field that may also be `null`. */
export const OptionalNullable = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

/**
 * An optional field with a default. Reading the input applies the default, so the handler always has a value; hence
 * the cast that hides the optional marker.
 */
export const WithDefault = <T extends TSchema>(schema: T, value: Static<T>): T =>
  Type.Optional(Type.With(schema, { default: value })) as unknown as T

/** Marks the alternative of a schema that means the member is absent. */
export const absentMemberMarker = 'x-stands-for-absent'

/** Marks an optional member that rejects null, because a standard requires that. */
export const rejectsNullMemberMarker = 'x-null-is-refused'

/** The same schema, which also accepts `{}` for an absent member: reading the input drops it. */
export const OrEmptyObject = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T>>({
    anyOf: [schema, { type: 'object', properties: {}, additionalProperties: false, [absentMemberMarker]: true }],
  })

/** An object with any members: STAC properties, job inputs, filters. */
export const AnyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

/** The same schema with a description. */
export const WithDescription = <T extends TSchema>(description: string, schema: T): T =>
  Type.With(schema, { description }) as unknown as T

/** Adds a sentence to the description of a schema. */
const appendDescription = <T extends TSchema>(schema: T, sentence: string) => {
  const { description } = schema as { description?: string }
  return Type.Optional(Nullable(schema, { description: description ? `${description} ${sentence}` : sentence }))
}

/** A field of an update: absent or `null` keeps the stored value. */
export const KeepIfNull = <T extends TSchema>(schema: T) => appendDescription(schema, 'Null keeps the current value.')

/** A field of an update: absent keeps the stored value; `null` removes it, or does what the sentence says. */
export const ClearIfNull = <T extends TSchema>(schema: T, sentence = 'Null removes it.') =>
  appendDescription(schema, sentence)

/** An object that rejects unknown members. */
export const StrictObject = <P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** The input of an operation without parameters. */
export const EmptyInput = StrictObject({})

/** A name or a short text. */
export const ShortText = Type.String({ minLength: 1, maxLength: 500 })

export const Count = Type.Integer({ minimum: 0 })

export const Credits = Type.Integer({ description: 'Credits, an integer; 100 credits are 1 AUD.' })

export const Currency = Type.Literal('AUD')

export const Bbox = Type.Array(Type.Number(), {
  minItems: 4,
  maxItems: 4,
  description:
    'West, south, east, north in WGS 84 degrees; a box with west greater than east crosses the antimeridian.',
})

export const Datetime = Type.String({
  maxLength: 80,
  description:
    'An instant, or an interval `start/end`; `..` or an empty string leaves an end open. Without an offset it is UTC; a date is the whole day.',
})

/** A month of a statement or invoice, in the years that a clock may show. */
export const Month = Type.String({
  pattern: String.raw`^(19[7-9]\d|2[01]\d\d|2200)-(0[1-9]|1[0-2])$`,
  description: 'A month, `YYYY-MM`.',
})

export const BaseUrl = Type.String({ maxLength: 2000, description: 'Base URL of the links in the response.' })

/** The response of an operation that returns nothing else. */
export const OkResult = Type.Object({ ok: Type.Boolean() })

export const OkResultWithId = Type.Object({ ok: Type.Boolean(), id: Uuid })

export const IdResult = Type.Object({ id: Uuid })

/** The reason for an action of an operator. */
export const OperatorReason = Type.String({
  minLength: 1,
  maxLength: limits.max_text_length,
  description: 'Why; the audit trail has it.',
})

/** The same for an operation that did not ask for a reason in its first version: a new required field would refuse its callers. */
export const OptionalOperatorReason = Type.Optional(
  Nullable(OperatorReason, { description: 'Why; the audit trail has it. Null records no reason.' }),
)

/** The input of an operator's operation without other parameters. */
export const ReasonInput = StrictObject({ reason: OptionalOperatorReason })
