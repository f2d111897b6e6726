import { limits } from '@swath/contract/limits.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { isUuid, newId } from '../../../platform/ids.ts'
import { recordDirectoryChange } from '../federation/directory-audit.ts'
import { lockPerson } from './people.ts'
import { applyPersonRights } from './person-rights.ts'
import type { ScimResource } from './schema.ts'
import { requireVersion, type ScimCall } from './scim-call.ts'
import { invalidValue, ScimProblem, unknownResource } from './scim-problem.ts'
import {
  countScimGroups,
  deleteGroupMember,
  deleteScimGroup,
  insertGroupMember,
  insertScimGroup,
  listGroupMemberships,
  lockScimGroup,
  updateScimGroup,
  type ScimGroupRow,
} from './store.scim-groups.ts'

/** What a resource of a request says of a group. */
function readGroup({ displayName, externalId, members }: ScimResource) {
  const list = Array.isArray(members) ? (members as readonly ScimResource[]) : []
  return {
    display_name: String(displayName).slice(0, limits.max_name_length),
    external_id: typeof externalId === 'string' ? externalId : null,
    members: [...new Set(list.map(readMemberId))],
  }
}

/** Groups have people, and no groups. */
function readMemberId({ value, type }: ScimResource): string {
  if (typeof value !== 'string' || !isUuid(value))
    throw invalidValue('Each of the "members" has the id of a person as "value".')
  if (type !== undefined && type !== 'User') throw invalidValue('The "members" of a group are of the type "User".')
  return value.toLowerCase()
}

/** The group as a directory could have sent it. */
async function toGroupAttributes(tx: Tx, organization: string, group: ScimGroupRow): Promise<ScimResource> {
  const members = await listGroupMemberships(tx, organization, { group: group.id, resource: null })
  return {
    displayName: group.display_name,
    ...(group.external_id === null ? {} : { externalId: group.external_id }),
    ...(members.length === 0
      ? {}
      : { members: members.map(({ resource_id }) => ({ value: resource_id, type: 'User' })) }),
  }
}

export async function createGroup(tx: Tx, call: ScimCall, resource: ScimResource): Promise<ScimGroupRow> {
  const { organization, actor } = call
  const { display_name, external_id, members } = readGroup(resource)
  if ((await countScimGroups(tx, organization)) >= limits.max_scim_resources)
    throw new ScimProblem(403, `A directory provisions ${limits.max_scim_resources} groups at most.`)
  const now = actor.clock.now()
  const group = { id: newId(), display_name, external_id, version: 1, created_at: now, updated_at: now }
  await insertScimGroup(tx, organization, group)
  await replaceMembers(tx, call, group, { members })
  await record(tx, call, group.id)
  return group
}

/** A group for a change. Throws 404, and 412 for another version than the client has. */
async function lockGroup(tx: Tx, call: ScimCall, id: string): Promise<ScimGroupRow> {
  const group = isUuid(id) ? await lockScimGroup(tx, call.organization, id.toLowerCase()) : null
  if (!group) throw unknownResource(id)
  requireVersion(call, group.version)
  return group
}

/** Replaces what a directory has written of a group, or what is computed from it. */
export async function updateGroup(
  tx: Tx,
  call: ScimCall,
  id: string,
  change: (current: ScimResource) => ScimResource,
): Promise<ScimGroupRow> {
  const { organization, actor } = call
  const before = await lockGroup(tx, call, id)
  const { members, ...written } = readGroup(change(await toGroupAttributes(tx, organization, before)))
  const group = { ...before, ...written, version: before.version + 1, updated_at: actor.clock.now() }
  await updateScimGroup(tx, organization, group)
  const isRenamed = group.display_name !== before.display_name || group.external_id !== before.external_id
  await replaceMembers(tx, call, group, { members, isRenamed })
  await record(tx, call, group.id)
  return group
}

/** Removes a group; the people in it stay, without the rights that it gave. */
export async function deleteGroup(tx: Tx, call: ScimCall, id: string): Promise<void> {
  const group = await lockGroup(tx, call, id)
  await replaceMembers(tx, call, group, { members: [] })
  await deleteScimGroup(tx, call.organization, group.id)
  await record(tx, call, group.id)
}

/** People are locked in the order of their ids: two changes at once would otherwise wait for each other. */
async function replaceMembers(
  tx: Tx,
  call: ScimCall,
  { id: group_id }: ScimGroupRow,
  { members: wanted, isRenamed = false }: { readonly members: readonly string[]; readonly isRenamed?: boolean },
): Promise<void> {
  const { organization } = call
  const rows = await listGroupMemberships(tx, organization, { group: group_id, resource: null })
  const current = rows.map(({ resource_id }) => resource_id)
  const added = wanted.filter((id) => !current.includes(id))
  const removed = current.filter((id) => !wanted.includes(id))
  const affected = isRenamed ? [...new Set([...current, ...wanted])] : [...added, ...removed]
  const people = []
  for (const id of affected.toSorted()) people.push(await lockMember(tx, call, id))
  for (const resource_id of added) await insertGroupMember(tx, organization, { group_id, resource_id })
  for (const resource_id of removed) await deleteGroupMember(tx, organization, { group_id, resource_id })
  for (const person of people) await applyPersonRights(tx, call, person)
}

async function lockMember(tx: Tx, call: ScimCall, id: string) {
  try {
    return await lockPerson(tx, call, id)
  } catch (error) {
    if (error instanceof ScimProblem && error.status === 404) throw invalidValue(`No person has the id "${id}".`)
    throw error
  }
}

const record = (tx: Tx, { actor, address }: ScimCall, target_id: string): Promise<void> =>
  recordDirectoryChange(tx, actor, { target_type: 'scim_group', target_id, address })
