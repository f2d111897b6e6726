import { limits } from '@swath/contract/limits.ts'
import { isUuid } from '../../../platform/ids.ts'
import { selectAttributes } from './attribute-paths.ts'
import { matchesFilter } from './filter/evaluate-filter.ts'
import { findEqualValue, parseFilter, type ScimFilter } from './filter/parse-filter.ts'
import { listPeople, toPersonFilter } from './find-people.ts'
import type { ScimCall } from './scim-call.ts'
import { userType, type ScimResource, type ScimResourceType } from './schema.ts'
import { invalidValue } from './scim-problem.ts'
import { toGroupResource, toUserResource, type ScimReference } from './scim-resources.ts'
import { listGroupMemberships, listScimGroups, type GroupMembershipRow } from './store.scim-groups.ts'

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const searchSchema = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

/** Which attributes of a resource are returned. */
export interface AttributeSelection {
  readonly attributes: readonly string[]
  readonly excluded: readonly string[]
}

export interface ResourceSearch extends AttributeSelection {
  readonly filter: ScimFilter | null
  /** Counted from one. */
  readonly startIndex: number
  readonly count: number
}

const max_attributes = 100

const splitNames = (value: unknown): readonly string[] => {
  const names = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return names
    .flatMap((name) => (typeof name === 'string' && name.trim() !== '' ? [name.trim()] : []))
    .slice(0, max_attributes)
}

/** The attributes that a request names, which it does in one of two ways. */
export function readSelection(get: (name: string) => unknown): AttributeSelection {
  const [attributes, excluded] = [splitNames(get('attributes')), splitNames(get('excludedAttributes'))]
  if (attributes.length > 0 && excluded.length > 0)
    throw invalidValue('"attributes" and "excludedAttributes" exclude each other.')
  return { attributes, excluded }
}

function readInteger(value: unknown, name: string): number | null {
  if (value === undefined || value === null || value === '') return null
  const number = typeof value === 'number' ? value : Number(value)
  if (!Number.isSafeInteger(number)) throw invalidValue(`"${name}" must be an integer.`)
  return number
}

/** The parameters of a search, by query or by body. Sorting is not supported and has no effect. */
export function readSearch(get: (name: string) => unknown): ResourceSearch {
  const filter = get('filter')
  if (filter !== undefined && filter !== null && typeof filter !== 'string')
    throw invalidValue('"filter" must be a text.')
  return {
    ...readSelection(get),
    filter: filter ? parseFilter(filter) : null,
    startIndex: Math.max(1, readInteger(get('startIndex'), 'startIndex') ?? 1),
    count: Math.min(limits.max_scim_page, Math.max(0, readInteger(get('count'), 'count') ?? limits.max_scim_page)),
  }
}

/** The parameters of `/.search` (RFC 7644 3.4.3). */
export function readSearchBody(body: ScimResource): ResourceSearch {
  const { schemas } = body
  if (!Array.isArray(schemas) || !schemas.includes(searchSchema))
    throw invalidValue(`The schema of a search is "${searchSchema}".`)
  return readSearch((name) => body[name])
}

/** The resources of one type that a filter matches, oldest first. */
export async function findResources(
  call: ScimCall,
  type: ScimResourceType,
  filter: ScimFilter | null,
): Promise<readonly ScimResource[]> {
  const resources = type === userType ? await listUsers(call, filter) : await listGroups(call, filter)
  return filter === null ? resources : resources.filter((resource) => matchesFilter(type, resource, filter))
}

function groupBy<Value>(
  rows: readonly GroupMembershipRow[],
  key: 'group_id' | 'resource_id',
  toValue: (row: GroupMembershipRow) => Value,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>()
  for (const row of rows) {
    const list = groups.get(row[key]) ?? []
    list.push(toValue(row))
    groups.set(row[key], list)
  }
  return groups
}

const toReference = ({ group_id, display_name }: GroupMembershipRow): ScimReference => ({
  id: group_id,
  display: display_name,
})

async function listUsers(call: ScimCall, filter: ScimFilter | null): Promise<readonly ScimResource[]> {
  const { unscoped, organization } = call
  const wanted = toPersonFilter(filter)
  const people = wanted === null ? [] : await listPeople(unscoped, organization, wanted)
  if (people.length === 0) return []
  const resource = people.length === 1 ? people[0]!.id : null
  const rows = await listGroupMemberships(unscoped, organization, { group: null, resource })
  const groups = groupBy(rows, 'resource_id', toReference)
  return people.map((person) => toUserResource(person, groups.get(person.id) ?? [], call))
}

async function listGroups(call: ScimCall, filter: ScimFilter | null): Promise<readonly ScimResource[]> {
  const { unscoped, organization } = call
  const id = findEqualValue(filter, 'id')
  if (id !== null && !isUuid(id)) return []
  const groups = await listScimGroups(unscoped, organization, id)
  const rows = await listGroupMemberships(unscoped, organization, { group: id, resource: null })
  const members = groupBy(rows, 'group_id', ({ resource_id }) => resource_id)
  return groups.map((group) => toGroupResource(group, members.get(group.id) ?? [], call))
}

/** A page of the resources of some types, as a list of SCIM. */
export async function searchResources(
  call: ScimCall,
  types: readonly ScimResourceType[],
  search: ResourceSearch,
): Promise<ScimResource> {
  const found: { readonly type: ScimResourceType; readonly resource: ScimResource }[] = []
  for (const type of types)
    for (const resource of await findResources(call, type, search.filter)) found.push({ type, resource })
  const { startIndex, count } = search
  const page = found.slice(startIndex - 1, startIndex - 1 + count)
  return toListDocument(
    page.map(({ type, resource }) => selectAttributes(type, resource, search)),
    { total: found.length, startIndex },
  )
}

export const toListDocument = (
  resources: readonly ScimResource[],
  { total, startIndex }: { readonly total: number; readonly startIndex: number },
): ScimResource => ({
  schemas: [listSchema],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})
