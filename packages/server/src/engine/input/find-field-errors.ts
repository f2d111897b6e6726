import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Value } from 'typebox/value'
import type { FieldError } from '../problem.ts'

/** Errors beyond this number are not looked for, to bound the cost of an invalid input. */
const max_errors = 50

/** Allowed values beyond this number are counted, not named, so that a message stays a sentence. */
const max_named_values = 15

/** The schema keywords that are walked into. */
interface SchemaKeywords {
  readonly type?: string
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

type Members = Readonly<Record<string, unknown>>

/**
 * The validation errors of a value that does not match its schema: at most 50, one per path. Only parts that do not match
 * are walked into, with compiled validators, so finding one error costs about as much as validating the whole value.
 */
export function findFieldErrors(schema: TSchema, value: unknown): FieldError[] {
  const errors = new Map<string, FieldError>()
  collectErrors(schema, value, '', errors)
  if (errors.size === 0) addAll(errors, libraryErrors(schema, value, ''))
  const allErrors = [...errors.values()]
  // For a nullable field, only the errors of the value are useful.
  const informative = allErrors.filter(({ message }) => message !== 'must be null')
  return informative.length > 0 ? informative : allErrors
}

const validators = new WeakMap<TSchema, Validator>()

/** Validates with a validator that is compiled once per subschema. */
function matchesSchema(schema: TSchema, value: unknown): boolean {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  return validator.Check(value)
}

const isFull = (errors: ReadonlyMap<string, FieldError>): boolean => errors.size >= max_errors

function addAll(errors: Map<string, FieldError>, added: Iterable<FieldError>): void {
  for (const error of added) {
    if (isFull(errors)) return
    if (!errors.has(error.path)) errors.set(error.path, error)
  }
}

const childPath = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`)

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function collectErrors(schema: TSchema, value: unknown, path: string, errors: Map<string, FieldError>): void {
  const keywords = schema as SchemaKeywords
  const alternative = keywords.anyOf && findAlternative(keywords.anyOf, value)
  if (alternative) return collectErrors(alternative, value, path, errors)
  const types = keywords.anyOf && isObject(value) ? listTypes(keywords.anyOf) : []
  if (types.length > 0) {
    const message = (value as Members)['type'] === undefined ? 'is required' : `must be ${types.join(' or ')}`
    return addAll(errors, [{ path: childPath(path, 'type'), message }])
  }
  if (keywords.properties && isObject(value)) return collectMemberErrors(keywords, value, path, errors)
  if (keywords.items && !Array.isArray(keywords.items) && Array.isArray(value)) {
    const { items, ...withoutItems } = keywords
    addAll(errors, libraryErrors(withoutItems as TSchema, value, path))
    return collectItemErrors(items, value as unknown[], path, errors)
  }
  addAll(errors, libraryErrors(schema, value, path))
}

/** The alternative that a value is meant to match: the only one beside null, or the one whose `type` it has. */
function findAlternative(anyOf: readonly TSchema[], value: unknown): TSchema | undefined {
  if (value === null) return undefined
  const others = anyOf.filter((schema) => (schema as SchemaKeywords).type !== 'null')
  if (others.length === 1) return others[0]
  if (!isObject(value) || typeof value['type'] !== 'string') return undefined
  return others.find((schema) => {
    const { properties, anyOf: innerAnyOf } = schema as SchemaKeywords
    if (innerAnyOf) return findAlternative(innerAnyOf, value) !== undefined
    return (properties?.['type'] as SchemaKeywords | undefined)?.const === value['type']
  })
}

/** The values of `type` by which alternatives differ, as those of GeoJSON do; none if one has no such value. */
function listTypes(anyOf: readonly TSchema[]): string[] {
  const types = anyOf.flatMap((schema) => {
    const { properties, anyOf: inner, type } = schema as SchemaKeywords
    if (type === 'null') return []
    return inner ? listTypes(inner) : [(properties?.['type'] as SchemaKeywords | undefined)?.const]
  })
  return types.every((type) => typeof type === 'string') ? (types as string[]) : []
}

function collectMemberErrors(
  keywords: SchemaKeywords,
  value: Members,
  path: string,
  errors: Map<string, FieldError>,
): void {
  const { properties = {}, required = [], additionalProperties } = keywords
  for (const name of required) {
    if (!Object.hasOwn(value, name)) addAll(errors, [{ path: childPath(path, name), message: 'is required' }])
  }
  if (additionalProperties === false) {
    for (const name in value) {
      if (isFull(errors)) return
      if (Object.hasOwn(properties, name)) continue
      addAll(errors, [{ path: childPath(path, name), message: 'is not a field of this operation' }])
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    if (isFull(errors)) return
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (member !== undefined && !matchesSchema(property, member))
      collectErrors(property, member, childPath(path, name), errors)
  }
}

function collectItemErrors(
  schema: TSchema,
  items: readonly unknown[],
  path: string,
  errors: Map<string, FieldError>,
): void {
  for (const [index, item] of items.entries()) {
    if (isFull(errors)) return
    if (!matchesSchema(schema, item)) collectErrors(schema, item, childPath(path, index), errors)
  }
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: object
}

/** The library's errors of a subschema that is not walked into; it stops after a few by itself. */
function* libraryErrors(schema: TSchema, value: unknown, path: string): Generator<FieldError> {
  for (const error of Value.Errors(schema, value)) yield* toFieldErrors(error, path)
}

const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

interface AllowedValues {
  readonly allowedValue?: unknown
  readonly allowedValues?: readonly unknown[]
}

/** Names the values that a field may have: all, or the first ones and how many more there are. */
function describeAllowed(values: readonly unknown[]): string {
  const named = values.slice(0, max_named_values).map((value) => JSON.stringify(value))
  if (named.length < values.length) return `must be one of ${named.join(', ')} and ${values.length - named.length} more`
  return named.length < 2 ? `must be ${named.join()}` : `must be ${named.slice(0, -1).join(', ')} or ${named.at(-1)}`
}

/** Converts one library error to field errors: missing and unknown members get their own path. */
function* toFieldErrors(error: SchemaError, path: string): Generator<FieldError> {
  const errorPath = parsePointer(error.instancePath).reduce(childPath, path)
  const params = error.params as { requiredProperties?: string[]; additionalProperties?: string[] }
  if (error.keyword === 'required') {
    for (const name of params.requiredProperties ?? [])
      yield { path: childPath(errorPath, name), message: 'is required' }
  } else if (error.keyword === 'additionalProperties') {
    for (const name of params.additionalProperties ?? []) {
      yield { path: childPath(errorPath, name), message: 'is not a field of this operation' }
    }
  } else if (error.keyword === 'const' || error.keyword === 'enum') {
    const { allowedValue, allowedValues = [allowedValue] } = error.params as AllowedValues
    yield { path: errorPath, message: describeAllowed(allowedValues) }
  } else {
    // The keyword `boolean` means the schema `false`, which an unknown member has.
    yield { path: errorPath, message: error.keyword === 'boolean' ? 'is not a field of this operation' : error.message }
  }
}
