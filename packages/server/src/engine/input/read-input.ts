import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Format } from 'typebox/format'
import { Value } from 'typebox/value'
import type { Operation } from '@swath/contract/operation.ts'
import { clampCoordinates } from './clamp-coordinates.ts'
import { compileDropAbsentMembers } from './drop-absent.ts'
import { hasStringFormat, type SchemaTransform } from './schema-transform.ts'
import { findFieldErrors } from './find-field-errors.ts'
import { parseJson } from './parse-json.ts'
import { assertInvariant, Problem, validationProblem } from '../problem.ts'
import { compileNormalizeTimes, isDateTimeText } from './normalize-times.ts'

// Compiled validators call the check that a format has when they are compiled.
Format.Set('date-time', isDateTimeText)

/** The compiled validators and transforms of one operation. */
export interface OperationValidators {
  readonly input: Validator
  readonly output: Validator
  /** Drops empty optional members, such as null in a member that is not nullable. */
  readonly dropAbsent: SchemaTransform
  /** Fills in the defaults of absent members; may change the body in place. */
  applyDefaults(body: unknown): unknown
  /** The members that the input accepts. */
  readonly inputProperties: Readonly<Record<string, TSchema>>
  /** Names of the input members that are a UUID. */
  readonly uuidFields: readonly string[]
  /** Converts times to RFC 3339. */
  readonly normalizeTimes: SchemaTransform
}

const validatorsById = new Map<string, OperationValidators>()

/** The schemas of an operation, or of a part of one that has schemas of its own, for validation. */
export type OperationSchemas = Pick<Operation, 'id' | 'input' | 'output'>

/** Compiled once per operation and cached. */
export function getOperationValidators(operation: OperationSchemas): OperationValidators {
  const cached = validatorsById.get(operation.id)
  if (cached) return cached
  const { input, output } = operation
  const inputProperties = propertiesOf(input)
  const compiled = {
    input: Compile(input),
    output: Compile(output),
    dropAbsent: compileDropAbsentMembers(input),
    applyDefaults: compileApplyDefaults(input),
    inputProperties,
    uuidFields: Object.entries(inputProperties).flatMap(([name, property]) =>
      hasStringFormat(property, 'uuid') ? [name] : [],
    ),
    normalizeTimes: compileNormalizeTimes(input),
  }
  validatorsById.set(operation.id, compiled)
  return compiled
}

const containsDefault = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  ('default' in schema || Object.values(schema).some((inner) => containsDefault(inner)))

/** Most defaults are top-level scalars: only members with nested defaults are walked. */
function compileApplyDefaults(schema: TSchema): (body: unknown) => unknown {
  const { properties = {} } = schema as { properties?: Record<string, TSchema & { default?: unknown }> }
  const isScalar = (value: unknown): boolean => value === null || (value !== undefined && typeof value !== 'object')
  const withDefault = Object.entries(properties).filter(([, property]) => containsDefault(property))
  const scalarDefaults = withDefault.filter(([, property]) => isScalar(property.default))
  const nestedDefaults = withDefault.filter(([, property]) => !isScalar(property.default))
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    const input = body as Record<string, unknown>
    for (const [name, property] of scalarDefaults) if (input[name] === undefined) input[name] = property.default
    for (const [name, property] of nestedDefaults) {
      const completed = Value.Default(property, input[name])
      if (completed !== undefined) input[name] = completed
    }
    return input
  }
}

/** The properties that a schema accepts, through unions and intersections. */
function propertiesOf(schema: TSchema): Record<string, TSchema> {
  const { properties, anyOf, allOf } = schema as {
    properties?: Record<string, TSchema>
    anyOf?: TSchema[]
    allOf?: TSchema[]
  }
  return Object.assign({}, properties, ...[...(anyOf ?? []), ...(allOf ?? [])].map(propertiesOf))
}

/** UUIDs are accepted in any case (RFC 9562) and normalized to lower case, so that equal ids are equal strings. */
function normalizeUuids(input: Record<string, unknown>, uuidFields: readonly string[]): void {
  for (const name of uuidFields) {
    const id = input[name]
    if (typeof id === 'string') input[name] = id.toLowerCase()
  }
}

/**
 * The validated input of a call: empty optional members dropped, defaults filled in, times in RFC 3339, coordinates
 * clamped, UUIDs in lower case. A missing body counts as `{}`. Throws `validation` with all errors (at most 50).
 */
export function readCallInput(
  operation: OperationSchemas,
  body: unknown,
  inputSource: 'body' | 'query' = 'body',
): unknown {
  const { input, dropAbsent, applyDefaults, uuidFields, normalizeTimes } = getOperationValidators(operation)
  const received = body === undefined ? {} : body
  dropAbsent?.(received)
  const completed = applyDefaults(received)
  clampCoordinates(completed)
  normalizeTimes?.(completed)
  if (input.Check(completed)) {
    normalizeUuids(completed as Record<string, unknown>, uuidFields)
    return completed
  }
  throw validationProblem(findFieldErrors(operation.input, completed), inputSource)
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : String(value).split(','))

/** The item schema of an array schema, or of its first array alternative; null if there is none. */
function itemSchemaOf(schema: TSchema): TSchema | null {
  const { items, anyOf } = schema as { items?: TSchema; anyOf?: TSchema[] }
  return items ?? (anyOf ?? []).map(itemSchemaOf).find((found) => found !== null) ?? null
}

/** True if a schema, or one of its alternatives, has this JSON type. */
function acceptsType(schema: TSchema, type: string): boolean {
  const { type: schemaType, anyOf } = schema as { type?: string; anyOf?: TSchema[] }
  return schemaType === type || (anyOf ?? []).some((inner) => acceptsType(inner, type))
}

/**
 * Converts query parameters to the types that the schema requires. Arrays come as repeated parameters or comma-separated,
 * objects as JSON, booleans as `true`/`false`. A value that cannot be converted stays text and fails validation.
 */
export function parseQueryInput(
  operation: Operation,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const nulField = Object.keys(query).find((name) =>
    toList(query[name]).some((text) => String(text).includes('\u0000')),
  )
  if (nulField !== undefined) throw validationProblem([{ path: nulField, message: 'has a NUL character' }], 'query')
  const { inputProperties } = getOperationValidators(operation)
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const schema = Object.hasOwn(inputProperties, name) ? inputProperties[name] : undefined
      return [name, schema === undefined ? value : parseQueryValue(schema, value, name)]
    }),
  )
}

function parseQueryValue(schema: TSchema, value: unknown, name: string): unknown {
  if (
    typeof value === 'string' &&
    /^\s*[[{]/.test(value) &&
    (acceptsType(schema, 'object') || acceptsType(schema, 'array'))
  ) {
    try {
      return parseJson(value, name)
    } catch (error) {
      // Text that is not JSON stays text, and validation rejects it with its path.
      if (error instanceof Problem && error.problem === 'malformed') return value
      throw error
    }
  }
  if (acceptsType(schema, 'array')) {
    const member = itemSchemaOf(schema) ?? {}
    return toList(value).map((part) => parseScalar(member, part))
  }
  return parseScalar(schema, value)
}

/** Decimal numbers; other texts that `Number` accepts (an empty one, `0x10`) stay text. */
const decimalPattern = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i

function parseScalar(schema: TSchema, value: unknown): unknown {
  const single = Array.isArray(value) ? value.at(-1) : value
  // Python writes them with a capital.
  if (acceptsType(schema, 'boolean') && /^([Tt]rue|[Ff]alse)$/.test(single)) return single.toLowerCase() === 'true'
  if (
    (acceptsType(schema, 'integer') || acceptsType(schema, 'number')) &&
    typeof single === 'string' &&
    decimalPattern.test(single)
  ) {
    const number = Number(single)
    if (Number.isFinite(number)) return number
  }
  return single
}

/** An output that does not match its schema is a bug: the caller gets a 500 rather than an invalid response. */
export function requireValidOutput(operation: OperationSchemas, output: unknown): void {
  if (getOperationValidators(operation).output.Check(output)) return
  const [error] = findFieldErrors(operation.output, output)
  assertInvariant(
    false,
    `the output of ${operation.id} does not match its schema at "${error?.path}": ${error?.message}`,
  )
}
