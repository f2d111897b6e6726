import { findAttribute, type ScimAttribute, type ScimResource, type ScimResourceType } from './schema.ts'

/** An attribute of a resource that a path names: `emails.value`, or with the id of a schema in front. */
export interface ResolvedAttribute {
  /** The member of the resource that has the extension; null for the schema of the type. */
  readonly extension: string | null
  /** Null names the whole extension. */
  readonly attribute: ScimAttribute | null
  readonly sub: ScimAttribute | null
}

const namePattern = /^[A-Za-z$][\w$-]*$/

/** Null for a path that names no attribute of the type. */
export function resolveAttribute(type: ScimResourceType, path: string): ResolvedAttribute | null {
  const extension = type.extensions.find(({ id }) => path.toLowerCase().startsWith(id.toLowerCase()))
  if (extension) return resolveInExtension(extension, path.slice(extension.id.length))
  const prefix = `${type.schema}:`
  const local = path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : path
  return resolveIn(type.attributes, local, null)
}

function resolveInExtension(
  { id, attributes }: ScimResourceType['extensions'][number],
  rest: string,
): ResolvedAttribute | null {
  if (rest === '') return { extension: id, attribute: null, sub: null }
  return rest.startsWith(':') ? resolveIn(attributes, rest.slice(1), id) : null
}

function resolveIn(
  attributes: readonly ScimAttribute[],
  local: string,
  extension: string | null,
): ResolvedAttribute | null {
  const [name = '', subName, ...more] = local.split('.')
  if (more.length > 0 || !namePattern.test(name)) return null
  const attribute = findAttribute(attributes, name)
  if (!attribute) return null
  if (subName === undefined) return { extension, attribute, sub: null }
  const sub = findAttribute(attribute.subAttributes, subName)
  return sub ? { extension, attribute, sub } : null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asList = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

/** The values of an attribute in a resource, each by itself. */
export function readValues(
  resource: ScimResource,
  { extension, attribute, sub }: ResolvedAttribute,
): readonly unknown[] {
  const holder = extension === null ? resource : resource[extension]
  if (attribute === null) return asList(holder)
  const values = asList(isObject(holder) ? holder[attribute.name] : undefined)
  return sub === null ? values : values.flatMap((value) => (isObject(value) ? asList(value[sub.name]) : []))
}

/**
 * A resource with the attributes that a client asks for (RFC 7644 3.9): those that are always returned, and the named ones, or all but
 * the named ones. Names that do not exist have no effect.
 */
export function selectAttributes(
  type: ScimResourceType,
  resource: ScimResource,
  { attributes, excluded }: { readonly attributes: readonly string[]; readonly excluded: readonly string[] },
): ScimResource {
  if (attributes.length === 0 && excluded.length === 0) return resource
  const named = (attributes.length > 0 ? attributes : excluded).flatMap((path) => resolveAttribute(type, path) ?? [])
  const entries = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    const definition = findAttribute(type.attributes, name)
    if (definition?.returned === 'always') return [[name, value]]
    const matches = named.filter(({ extension, attribute }) => (extension ?? attribute?.name) === name)
    return attributes.length > 0 ? pickNamed(name, value, matches) : dropNamed(name, value, matches)
  })
  return Object.fromEntries(entries)
}

type Entries = [string, unknown][]

/** The parts of a member that some paths name: a sub-attribute, or an attribute of an extension. */
const partOf = ({ extension, attribute, sub }: ResolvedAttribute): string | null =>
  extension === null ? (sub?.name ?? null) : (attribute?.name ?? null)

const mapObjects = (value: unknown, change: (entries: Entries) => Entries): unknown => {
  const apply = (one: unknown): unknown => (isObject(one) ? Object.fromEntries(change(Object.entries(one))) : one)
  return Array.isArray(value) ? value.map(apply) : apply(value)
}

function pickNamed(name: string, value: unknown, matches: readonly ResolvedAttribute[]): Entries {
  if (matches.length === 0) return []
  const parts = matches.map(partOf)
  if (parts.includes(null)) return [[name, value]]
  return [[name, mapObjects(value, (entries) => entries.filter(([part]) => parts.includes(part)))]]
}

function dropNamed(name: string, value: unknown, matches: readonly ResolvedAttribute[]): Entries {
  const parts = matches.map(partOf)
  if (parts.includes(null)) return []
  if (parts.length === 0) return [[name, value]]
  return [[name, mapObjects(value, (entries) => entries.filter(([part]) => !parts.includes(part)))]]
}
