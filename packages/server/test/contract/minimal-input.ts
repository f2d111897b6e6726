import type { TSchema } from 'typebox'

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly minItems?: number
  readonly minLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly format?: string
  readonly pattern?: string
}

const valuesByFormat: Readonly<Record<string, string>> = {
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  'date-time': '2030-01-01T00:00:00.000Z',
}

/** Strings that match the patterns of the contract. */
const sampleStrings = [
  'pm_card_good',
  'example@example.org',
  'ACCEPTED',
  '2024-05',
  'createdAt,desc',
  '#336699',
  'https://example.org/hook',
  'a'.repeat(64),
  'example',
]

/** Creates a minimal value for a schema, with required members only; the caller validates it. */
export function createMinimalValue(schema: TSchema): unknown {
  const { type, const: constValue, enum: enumValues, anyOf, format, pattern, ...rest } = schema as Schema
  if (constValue !== undefined) return constValue
  if (enumValues) return enumValues[0]
  if (anyOf) return createMinimalValue(anyOf[0]!)
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (rest.required ?? []).map((name) => [name, createMinimalValue(rest.properties![name]!)]),
      )
    case 'array':
      return Array.from({ length: rest.minItems ?? 0 }, () => createMinimalValue(rest.items!))
    case 'integer':
    case 'number':
      return rest.exclusiveMinimum === undefined ? (rest.minimum ?? 1) : rest.exclusiveMinimum + 1
    case 'boolean':
      return false
    case 'string':
      if (format) return valuesByFormat[format]
      if (pattern) return sampleStrings.find((text) => new RegExp(pattern).test(text))
      return 'example'.padEnd(rest.minLength ?? 0, 'x')
    default:
      return {}
  }
}
