import Type, { type Static, type TSchema } from 'typebox'

/** Identifiers are UUIDs, version 7 where we make them. */
export const Uuid = Type.String({ format: 'uuid' })

/** RFC 3339 in UTC; we write milliseconds. */
export const Timestamp = Type.String({ format: 'date-time' })

/** A value that may also be `null`. */
export const Nullable = <T extends TSchema>(schema: T, options: { default?: null; description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)

/** A field that may be left out or be `null`. */
export const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

/**
 * A field that may be left out and then has the value given here: optional on the wire, always present for the
 * operation that answers, because reading the input fills it in. Hence the cast that hides the optional mark.
 */
export const Default = <T extends TSchema>(schema: T, value: Static<T>): T =>
  Type.Optional(Type.With(schema, { default: value })) as unknown as T

/** Marks the alternative of a schema that stands for a member which is left out. */
export const absentMark = 'x-stands-for-absent'

/** Marks a member whose null is refused, though it may be left out: a standard asks for that. */
export const nullRefusedMark = 'x-null-is-refused'

/** The same schema, which also takes `{}` for a member that is left out: reading the input drops it. */
export const OrEmpty = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T>>({
    anyOf: [schema, { type: 'object', properties: {}, additionalProperties: false, [absentMark]: true }],
  })

/** An object whose members belong to somebody else: STAC properties, job inputs, filters. */
export const Open = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

/** The same schema with a sentence for its reader. */
export const Described = <T extends TSchema>(description: string, schema: T): T =>
  Type.With(schema, { description }) as unknown as T

/** Adds a sentence to what a schema says of itself. */
const withSentence = <T extends TSchema>(schema: T, sentence: string) => {
  const { description } = schema as { description?: string }
  return Type.Optional(Nullable(schema, { description: description ? `${description} ${sentence}` : sentence }))
}

/** A field of a change: left out or `null`, what is there stays. */
export const KeptByNull = <T extends TSchema>(schema: T) => withSentence(schema, 'Null leaves it as it is.')

/** A field of a change: left out, what is there stays; `null` takes it away, or does what the sentence says. */
export const ClearedByNull = <T extends TSchema>(schema: T, sentence = 'Null removes it.') =>
  withSentence(schema, sentence)

/** Refuses every member that is not listed. */
export const Input = <P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

/** The input of an operation that takes none. */
export const NoInput = Input({})

export const Count = Type.Integer({ minimum: 0 })

/** Whole credits; 100 are 1 AUD. */
export const Credits = Type.Integer({ description: 'Whole credits; 100 credits are 1 AUD.' })

export const Currency = Type.Literal('AUD')

/** West, south, east, north in degrees of WGS84. */
export const Bbox = Type.Array(Type.Number(), {
  minItems: 4,
  maxItems: 4,
  description: 'West, south, east, north in degrees of WGS84; west greater than east crosses the antimeridian.',
})

export const Datetime = Type.String({
  maxLength: 80,
  description:
    'An instant, or an interval `start/end` in which `..` or nothing leaves an end open. Without an offset it is UTC; a date is its day.',
})

/** The absolute address of the service as the caller sees it; what links in the answer begin with. */
export const BaseUrl = Type.String({ maxLength: 2000, description: 'What the links of the answer begin with.' })

/** The answer of an operation that only says that it is done. */
export const Done = Type.Object({ ok: Type.Boolean() })

export const DoneWithId = Type.Object({ ok: Type.Boolean(), id: Uuid })

export const OnlyId = Type.Object({ id: Uuid })
