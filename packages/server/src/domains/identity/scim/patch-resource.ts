import { isDeepStrictEqual } from 'node:util'
import { limits } from '@swath/contract/limits.ts'
import { resolveAttribute, type ResolvedAttribute } from './attribute-paths.ts'
import { matchesValueFilter } from './filter/evaluate-filter.ts'
import { parseFilter, type ScimFilter } from './filter/parse-filter.ts'
import { readOne, readResource, readValue, requireObject } from './read-resource.ts'
import { findAttribute, type ScimAttribute, type ScimResource, type ScimResourceType } from './schema.ts'
import { invalidPath, invalidSyntax, invalidValue, ScimProblem } from './scim-problem.ts'

export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

type OperationName = 'add' | 'replace' | 'remove'

interface PatchOperation {
  readonly op: OperationName
  readonly path: string | null
  readonly value: unknown
}

/** The target of an operation: an attribute, the values of it that match a filter, or a part of each. */
interface PatchTarget extends ResolvedAttribute {
  readonly filter: ScimFilter | null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const operationNames: ReadonlySet<string> = new Set(['add', 'replace', 'remove'])

/** The operations of a request (RFC 7644 3.5.2). Some directories write their names in other letter cases. */
export function readPatchOperations(body: unknown): readonly PatchOperation[] {
  const members = Object.entries(requireObject(body))
  const find = (name: string): unknown => members.find(([key]) => key.toLowerCase() === name)?.[1]
  const schemas = find('schemas')
  if (!Array.isArray(schemas) || !schemas.includes(patchSchema))
    throw invalidSyntax(`The schema of a PATCH is "${patchSchema}".`)
  const operations = find('operations')
  if (!Array.isArray(operations) || operations.length === 0) throw invalidSyntax('"Operations" must be a list.')
  if (operations.length > limits.max_scim_operations)
    throw invalidValue(`A PATCH has ${limits.max_scim_operations} operations at most.`)
  return operations.map(readOperation)
}

function readOperation(operation: unknown): PatchOperation {
  const { op, path, value } = requireObject(operation)
  const name = typeof op === 'string' ? op.toLowerCase() : ''
  if (!operationNames.has(name)) throw invalidSyntax('"op" must be add, replace or remove.')
  if (path !== undefined && path !== null && typeof path !== 'string') throw invalidPath('"path" must be a text.')
  return { op: name as OperationName, path: path || null, value }
}

/** The resource after the operations, all of them or none. Throws errors of SCIM. */
export function patchResource(
  type: ScimResourceType,
  resource: ScimResource,
  operations: readonly PatchOperation[],
): ScimResource {
  let patched = resource
  for (const operation of operations) patched = applyOperation(type, patched, operation)
  return readResource(type, patched)
}

function applyOperation(
  type: ScimResourceType,
  resource: ScimResource,
  { op, path, value }: PatchOperation,
): ScimResource {
  if (path !== null) return applyAtPath(type, resource, { op, path, value })
  if (op === 'remove') throw new ScimProblem(400, 'A removal needs a path.', 'noTarget')
  let patched = resource
  for (const [name, member] of Object.entries(requireObject(value))) {
    if (name.toLowerCase() === 'schemas') continue
    patched = applyMember(type, patched, { op, path: name, value: member })
  }
  return patched
}

/** A member of the value without a path is an attribute, an extension with attributes, or a path as some directories send it. */
function applyMember(
  type: ScimResourceType,
  resource: ScimResource,
  operation: PatchOperation & { readonly path: string },
): ScimResource {
  const { op, path, value } = operation
  const resolved = resolveAttribute(type, path)
  if (resolved?.attribute === null && isObject(value)) {
    let patched = resource
    for (const [name, member] of Object.entries(value))
      patched = applyAtPath(type, patched, { op, path: `${resolved.extension}:${name}`, value: member })
    return patched
  }
  // What only the server writes is ignored in an object, as in a PUT.
  if (resolved?.attribute?.mutability === 'readOnly') return resource
  if (!resolved && !path.includes('[')) return resource
  return applyAtPath(type, resource, operation)
}

/** `attribute`, `attribute.sub`, `attribute[filter]` or `attribute[filter].sub`, with the id of a schema in front or without. */
const pathPattern = /^([^[\]]+)(?:\[(.*)\](?:\.([A-Za-z$][\w$-]*))?)?$/s

function parsePath(type: ScimResourceType, path: string): PatchTarget {
  if (path.length > limits.max_scim_filter_length) throw invalidPath('The path is too long.')
  const [, name = '', filterText, subName] = pathPattern.exec(path.trim()) ?? []
  const resolved = resolveAttribute(type, name.trim())
  if (!resolved) throw invalidPath(`There is no attribute "${path.slice(0, 100)}".`)
  if (filterText === undefined) return { ...resolved, filter: null }
  const { attribute, extension } = resolved
  if (!attribute?.multiValued || attribute.type !== 'complex' || resolved.sub !== null)
    throw invalidPath(`"${name.slice(0, 100)}" has no values to choose from.`)
  const sub = subName === undefined ? null : findAttribute(attribute.subAttributes, subName)
  if (sub === undefined) throw invalidPath(`There is no attribute "${path.slice(0, 100)}".`)
  return { extension, attribute, sub, filter: parseFilter(filterText) }
}

function applyAtPath(
  type: ScimResourceType,
  resource: ScimResource,
  { op, path, value }: PatchOperation & { readonly path: string },
): ScimResource {
  const target = parsePath(type, path)
  const { extension, attribute, sub } = target
  if (attribute === null) return applyToExtension(resource, target, { op, value, path })
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly' || attribute.name === 'schemas')
    throw new ScimProblem(400, `"${path.slice(0, 100)}" is written by the server.`, 'mutability')
  const holder = extension === null ? resource : resource[extension]
  const before = isObject(holder) ? holder : {}
  const change = { op, value, path }
  const after = attribute.multiValued
    ? changeList(attribute, asList(before[attribute.name]), target, change)
    : changeSingle(attribute, before[attribute.name], sub, change)
  const changed = { ...before, [attribute.name]: after }
  return extension === null ? changed : { ...resource, [extension]: changed }
}

interface Change {
  readonly op: OperationName
  readonly value: unknown
  readonly path: string
}

function applyToExtension(resource: ScimResource, { extension }: PatchTarget, { op, value }: Change): ScimResource {
  const before = resource[extension!]
  if (op === 'remove') return { ...resource, [extension!]: undefined }
  const members = requireObject(value)
  return { ...resource, [extension!]: op === 'add' && isObject(before) ? { ...before, ...members } : members }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function changeSingle(
  attribute: ScimAttribute,
  before: unknown,
  sub: ScimAttribute | null,
  { op, value, path }: Change,
): unknown {
  if (sub !== null) {
    const members = isObject(before) ? before : {}
    return { ...members, [sub.name]: op === 'remove' ? undefined : readValue(sub, value, path) }
  }
  if (op === 'remove') return undefined
  const read = readValue(attribute, value, path)
  // An object that is added, or replaces, changes the members that it has (RFC 7644 3.5.2.1, 3.5.2.3).
  return attribute.type === 'complex' && isObject(before) && isObject(read) ? { ...before, ...read } : read
}

function changeList(
  attribute: ScimAttribute,
  before: readonly unknown[],
  { filter, sub }: PatchTarget,
  change: Change,
): readonly unknown[] | undefined {
  if (filter !== null) return changeMatching(attribute, before, { filter, sub }, change)
  const { op, value, path } = change
  if (sub !== null) return before.map((one) => changeMember(one, sub, change))
  if (op === 'remove')
    return value === undefined || value === null ? undefined : withoutValues(attribute, before, change)
  const values = asList(readValue(attribute, value, path))
  return op === 'replace' ? values : addValues(attribute, before, values)
}

/** Some directories name what they remove by the value instead of a filter. */
function withoutValues(
  attribute: ScimAttribute,
  before: readonly unknown[],
  { value, path }: Change,
): readonly unknown[] {
  const removed = asList(readValue(attribute, value, path))
  const isRemoved = (one: unknown): boolean =>
    removed.some(
      (other) => isDeepStrictEqual(one, other) || (isObject(one) && isObject(other) && one['value'] === other['value']),
    )
  return before.filter((one) => !isRemoved(one))
}

const isPrimary = (one: unknown): boolean => isObject(one) && one['primary'] === true

/** What is there already is not added again; a new primary value takes the place of the former one. */
function addValues(
  { name }: ScimAttribute,
  before: readonly unknown[],
  values: readonly unknown[],
): readonly unknown[] {
  const isKnown = (one: unknown): boolean =>
    before.some((other) => isDeepStrictEqual(one, other) || (name === 'members' && isSameMember(one, other)))
  const added = values.filter((one) => !isKnown(one))
  const kept = added.some(isPrimary)
    ? before.map((one) => (isPrimary(one) && isObject(one) ? { ...one, primary: false } : one))
    : before
  return [...kept, ...added]
}

/** Members of a group are the same if they have the same id. */
const isSameMember = (one: unknown, other: unknown): boolean =>
  isObject(one) && isObject(other) && one['value'] === other['value']

const changeMember = (one: unknown, sub: ScimAttribute, { op, value, path }: Change): unknown => ({
  ...(isObject(one) ? one : {}),
  [sub.name]: op === 'remove' ? undefined : readValue(sub, value, path),
})

function changeMatching(
  attribute: ScimAttribute,
  before: readonly unknown[],
  { filter, sub }: { readonly filter: ScimFilter; readonly sub: ScimAttribute | null },
  change: Change,
): readonly unknown[] {
  const { op, value, path } = change
  const isMatch = (one: unknown): boolean => matchesValueFilter(attribute, one, filter)
  if (!before.some(isMatch)) return changeWithoutMatch(attribute, before, { filter, sub }, change)
  if (op === 'remove' && sub === null) return before.filter((one) => !isMatch(one))
  const replacement = sub === null ? readOne(attribute, value, path) : null
  const changed = before.map((one) => {
    if (!isMatch(one)) return one
    if (sub !== null) return changeMember(one, sub, change)
    return isObject(one) && isObject(replacement) ? { ...one, ...replacement } : replacement
  })
  const chosen = changed.find((one, at) => isMatch(before[at]) && isPrimary(one))
  return chosen === undefined
    ? changed
    : changed.map((one) => (one !== chosen && isObject(one) && isPrimary(one) ? { ...one, primary: false } : one))
}

/** A value is added for which a filter of equalities stands; nothing else can be changed. */
function changeWithoutMatch(
  attribute: ScimAttribute,
  before: readonly unknown[],
  { filter, sub }: { readonly filter: ScimFilter; readonly sub: ScimAttribute | null },
  change: Change,
): readonly unknown[] {
  const { op, value, path } = change
  if (op === 'remove') return before
  const named = op === 'add' ? readEqualities(attribute, filter) : null
  if (named === null) throw new ScimProblem(400, `No value matches "${path.slice(0, 100)}".`, 'noTarget')
  const members = sub === null ? readOne(attribute, value, path) : { [sub.name]: readValue(sub, value, path) }
  return addValues(attribute, before, [{ ...named, ...(isObject(members) ? members : {}) }])
}

/** The members that a filter requires; null for one that does more. */
function readEqualities(attribute: ScimAttribute, filter: ScimFilter): ScimResource | null {
  if (filter.kind === 'and') {
    const [left, right] = [readEqualities(attribute, filter.left), readEqualities(attribute, filter.right)]
    return left && right && { ...left, ...right }
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || filter.value === null) return null
  const sub = findAttribute(attribute.subAttributes, filter.path)
  return sub ? { [sub.name]: readValue(sub, filter.value, filter.path) } : null
}
