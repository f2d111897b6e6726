import { isPlainObject } from '../../engine/input/schema-transform.ts'

/** Keywords of JSON Schema that OpenAPI 3.0 does not have, and that only narrow a schema. */
const dropped: ReadonlySet<string> = new Set([
  'contentMediaType',
  'contentSchema',
  'contentEncoding',
  'propertyNames',
  'unevaluatedProperties',
  'if',
  'then',
  'else',
  'dependentRequired',
  'contains',
  '$schema',
  '$id',
  'examples',
])

type Node = Readonly<Record<string, unknown>>

const isNullType = (value: unknown): boolean => isPlainObject(value) && value['type'] === 'null'

/**
 * A schema, or a document with schemas, in the words of OpenAPI 3.0: null is `nullable`, one value an `enum` of one, exclusive bounds
 * are flags, a reference stands alone, a tuple is a list of any of its members, and members by a pattern are additional properties. What
 * a converted schema accepts includes what the given one accepts.
 */
export function toOpenapi30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOpenapi30)
  if (!isPlainObject(value)) return value
  if (typeof value['$ref'] === 'string' && Object.keys(value).length > 1) return { allOf: [{ $ref: value['$ref'] }] }
  const {
    anyOf,
    const: only,
    exclusiveMinimum,
    exclusiveMaximum,
    type,
    openapi,
    prefixItems,
    patternProperties,
    ...rest
  } = value
  const entries = Object.entries(rest)
    .filter(([name]) => !dropped.has(name))
    .map(([name, part]): [string, unknown] => [name, name === 'properties' ? convertMembers(part) : toOpenapi30(part)])
  return {
    ...Object.fromEntries(entries),
    ...(openapi === undefined ? {} : { openapi: '3.0.3' }),
    ...convertAlternatives(anyOf),
    ...convertType(type),
    ...convertTuple(prefixItems, rest['items']),
    ...convertPatterns(patternProperties, rest['additionalProperties']),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(typeof exclusiveMinimum === 'number' ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : {}),
  }
}

/** The names of properties are no keywords. */
const convertMembers = (properties: unknown): unknown =>
  isPlainObject(properties)
    ? Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, toOpenapi30(part)]))
    : toOpenapi30(properties)

/** `items` is required, and one schema for all members. */
function convertTuple(prefixItems: unknown, items: unknown): Node {
  if (!Array.isArray(prefixItems)) return items === false ? { items: {} } : {}
  const members = [...prefixItems, ...(isPlainObject(items) ? [items] : [])].map((member) =>
    JSON.stringify(toOpenapi30(member)),
  )
  const schemas = [...new Set(members)].map((text) => JSON.parse(text) as unknown)
  return { items: schemas.length === 1 ? schemas[0] : { anyOf: schemas } }
}

function convertPatterns(patterns: unknown, additional: unknown): Node {
  if (!isPlainObject(patterns)) return {}
  const [schema, ...others] = Object.values(patterns)
  const isOnly = others.length === 0 && (additional === undefined || additional === false)
  return { additionalProperties: isOnly ? toOpenapi30(schema) : true }
}

function convertAlternatives(anyOf: unknown): Node {
  if (!Array.isArray(anyOf)) return anyOf === undefined ? {} : { anyOf }
  const named = anyOf.filter((part) => !isNullType(part)).map(toOpenapi30)
  const nullable = named.length < anyOf.length ? { nullable: true } : {}
  return named.length === 0 ? nullable : { anyOf: named, ...nullable }
}

function convertType(type: unknown): Node {
  if (type === undefined || isPlainObject(type)) return type === undefined ? {} : { type: toOpenapi30(type) }
  if (type === 'null') return { nullable: true }
  if (!Array.isArray(type)) return { type }
  const named = type.filter((name) => name !== 'null')
  const nullable = named.length < type.length ? { nullable: true } : {}
  return named.length === 1
    ? { type: named[0] as unknown, ...nullable }
    : { anyOf: named.map((name) => ({ type: name as unknown })), ...nullable }
}
