import { findAttribute, type ScimAttribute, type ScimResource, type ScimResourceType } from './schema.ts'
import { invalidSyntax, invalidValue } from './scim-problem.ts'

/** Longer texts, and longer lists but that of the members of a group, are refused. */
const max_text_length = 2000
const max_values = 100
const max_members = 10_000

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body of a request that must be an object. */
export function requireObject(body: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(body)) throw invalidSyntax('The body must be a JSON object.')
  return body
}

/**
 * A resource of a request in the names of its schema: without what only the server writes, what is not known and what is empty, which
 * counts as absent (RFC 7643 2.5). Throws `invalidValue`.
 */
export function readResource(type: ScimResourceType, body: unknown): ScimResource {
  const members = Object.entries(requireObject(body))
  const entries = members.flatMap(([name, value]): [string, unknown][] => {
    const extension = type.extensions.find(({ id }) => id.toLowerCase() === name.toLowerCase())
    if (extension) return toEntry(extension.id, readComplex(extension.attributes, name, value))
    const attribute = findWritable(type.attributes, stripSchema(type, name))
    return attribute ? toEntry(attribute.name, readValue(attribute, value, name)) : []
  })
  const resource = Object.fromEntries(entries)
  const missing = type.attributes.find(({ name, required }) => required && resource[name] === undefined)
  if (missing) throw invalidValue(`"${missing.name}" is required.`)
  return resource
}

const stripSchema = ({ schema }: ScimResourceType, name: string): string =>
  name.toLowerCase().startsWith(`${schema}:`.toLowerCase()) ? name.slice(schema.length + 1) : name

/** What only the server writes is ignored, and so is `schemas`, which follows from the members. */
function findWritable(attributes: readonly ScimAttribute[], name: string): ScimAttribute | undefined {
  const attribute = findAttribute(attributes, name)
  return attribute?.mutability === 'readOnly' || attribute?.name === 'schemas' ? undefined : attribute
}

const toEntry = (name: string, value: unknown): [string, unknown][] => (value === undefined ? [] : [[name, value]])

/** A value in its form; undefined for one that is absent. Throws `invalidValue`. */
export function readValue(attribute: ScimAttribute, value: unknown, path: string): unknown {
  if (value === null || value === undefined) return undefined
  return attribute.multiValued ? readList(attribute, value, path) : readOne(attribute, value, path)
}

function readList(attribute: ScimAttribute, value: unknown, path: string): unknown {
  const values = Array.isArray(value) ? value : [value]
  const max = attribute.name === 'members' ? max_members : max_values
  if (values.length > max) throw invalidValue(`"${path}" has more than ${max} values.`)
  const list = values.flatMap((one) => toEntry('', readOne(attribute, one, path)).map(([, read]) => read))
  const primaries = list.filter((one) => isObject(one) && one['primary'] === true)
  if (primaries.length > 1) throw invalidValue(`"${path}" has more than one primary value.`)
  return list.length === 0 ? undefined : list
}

/** One value of an attribute. */
export function readOne(attribute: ScimAttribute, value: unknown, path: string): unknown {
  if (value === null || value === undefined) return undefined
  if (attribute.type === 'complex') return readComplex(attribute.subAttributes, path, toComplex(attribute, value))
  return attribute.type === 'boolean' ? readBoolean(value, path) : readText(value, path)
}

/** A plain value in a list of objects is the member `value` of one, as some directories send it. */
const toComplex = ({ multiValued }: ScimAttribute, value: unknown): unknown =>
  multiValued && typeof value === 'string' ? { value } : value

function readComplex(attributes: readonly ScimAttribute[], path: string, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (!isObject(value)) throw invalidValue(`"${path}" must be an object.`)
  const entries = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const attribute = findWritable(attributes, name)
    return attribute ? toEntry(attribute.name, readValue(attribute, one, `${path}.${name}`)) : []
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Some directories write truth values as texts. */
function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text === 'true' || text === 'false') return text === 'true'
  throw invalidValue(`"${path}" must be true or false.`)
}

function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalidValue(`"${path}" must be a text.`)
  if (value.length > max_text_length) throw invalidValue(`"${path}" has more than ${max_text_length} characters.`)
  // oxlint-disable-next-line no-control-regex -- PostgreSQL rejects a NUL, and no name has the others
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(value)) throw invalidValue(`"${path}" has control characters.`)
  return value
}
