import { limits } from '@swath/contract/limits.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { getEmailDomain } from '../../organizations/federation/domain-names.ts'
import { listVerifiedDomains } from '../../organizations/federation/store.domains.ts'
import { updateMembershipName } from '../../organizations/store.members.ts'
import { createUser, findUserByEmail, toEmailKey } from '../../users/users.ts'
import { recordDirectoryChange } from '../federation/directory-audit.ts'
import { findPerson, listPeople } from './find-people.ts'
import { activatePerson, applyPersonRights, deactivatePerson } from './person-rights.ts'
import type { ScimResource } from './schema.ts'
import { requireVersion, type ScimCall } from './scim-call.ts'
import { invalidValue, ScimProblem, unknownResource } from './scim-problem.ts'
import { toPersonAttributes } from './scim-resources.ts'
import {
  countScimUsers,
  deleteScimUser,
  everyPerson,
  hasScimUserName,
  insertScimUser,
  lockScimUser,
  updateScimUser,
  type ScimPerson,
  type WrittenScimUser,
} from './store.scim-users.ts'

const isTaken = (userName: string): ScimProblem =>
  new ScimProblem(409, `The name "${userName.slice(0, 320)}" is in use.`, 'uniqueness')

/** What a resource of a request says of a person. `active` is true unless it says otherwise. */
function readPerson(resource: ScimResource) {
  const { userName, externalId, active, ...attributes } = resource
  const user_name = String(userName).trim()
  return {
    user_name,
    user_name_key: toEmailKey(user_name),
    external_id: typeof externalId === 'string' ? externalId : null,
    active: active !== false,
    attributes: active === undefined ? attributes : { ...attributes, active },
  }
}

/** The name of a person is an address of a domain that the organization has proved: others are not for it to provision. */
async function requireOwnAddress(tx: Tx, organization: string, user_name: string): Promise<void> {
  const domain = getEmailDomain(user_name)
  const isAddress = /^[^@\s]{1,64}@[^@\s]+$/.test(user_name) && user_name.length <= 320
  if (isAddress && domain !== null && (await listVerifiedDomains(tx, organization)).includes(domain)) return
  throw invalidValue('"userName" must be an e-mail address of a verified domain of the organization.')
}

/** The name that others see. */
function chooseDisplayName({ displayName, name }: ScimResource): string | null {
  const { formatted, givenName, familyName } = (name ?? {}) as ScimResource
  const parts = [givenName, familyName].filter((part) => typeof part === 'string')
  const chosen = [displayName, formatted, parts.join(' ')].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  )
  return typeof chosen === 'string' ? chosen.trim().slice(0, limits.max_name_length) : null
}

/** The account of an address: the same for one that is known elsewhere and one that is not. */
async function findOrCreateAccount(tx: Tx, { clocks }: ScimCall, email: string, name: string | null): Promise<string> {
  const input = { email, name, password_hash: null, password_temporary: false, organization: null }
  const user = (await createUser(tx, input, clocks.process.now())) ?? (await findUserByEmail(tx, email))
  if (!user) throw isTaken(email)
  return user.id
}

/** Creates a person, who is a member at once unless the directory says otherwise. Throws 409 for a name that is in use. */
export async function createPerson(tx: Tx, call: ScimCall, resource: ScimResource): Promise<ScimPerson> {
  const { organization, actor } = call
  const written = readPerson(resource)
  await requireOwnAddress(tx, organization, written.user_name)
  const sameName = { ...everyPerson, user_name_key: written.user_name_key }
  if ((await listPeople(tx, organization, sameName)).length > 0) throw isTaken(written.user_name)
  if ((await countScimUsers(tx, organization)) >= limits.max_scim_resources)
    throw new ScimProblem(403, `A directory provisions ${limits.max_scim_resources} people at most.`)
  const user_id = await findOrCreateAccount(tx, call, written.user_name, chooseDisplayName(resource))
  const now = actor.clock.now()
  const person = { ...written, id: newId(), user_id, version: 1, created_at: now, updated_at: now }
  if (!(await insertScimUser(tx, organization, person))) throw isTaken(written.user_name)
  if (person.active) {
    await activatePerson(tx, call, person)
    await applyPersonRights(tx, call, person)
  }
  await record(tx, call, person.id)
  return person
}

/** A person for a change, with a row of their own. Throws 404, and 412 for another version than the client has. */
export async function lockPerson(tx: Tx, call: ScimCall, id: string): Promise<ScimPerson> {
  const { organization } = call
  const found = await findPerson(tx, organization, id)
  if (!found) throw unknownResource(id)
  if (found.version === 0)
    await insertScimUser(tx, organization, { ...found, user_name_key: toEmailKey(found.user_name) })
  const person = await lockScimUser(tx, organization, found.id)
  if (!person) throw unknownResource(id)
  return person
}

/** Replaces what a directory has written of a person, or what is computed from it. */
export async function updatePerson(
  tx: Tx,
  call: ScimCall,
  id: string,
  change: (current: ScimResource) => ScimResource,
): Promise<ScimPerson> {
  const { organization, actor } = call
  const before = await lockPerson(tx, call, id)
  requireVersion(call, before.version)
  const resource = change(toPersonAttributes(before))
  const written = readPerson(resource)
  if (written.user_name_key !== toEmailKey(before.user_name)) await requireFreeName(tx, organization, before, written)
  if (written.active && !before.active) await requireOwnAddress(tx, organization, written.user_name)
  const now = actor.clock.now()
  const person = { ...before, ...written, version: before.version + 1, updated_at: now }
  await updateScimUser(tx, organization, person)
  if (before.active && !person.active) await deactivatePerson(tx, call, person)
  if (!before.active && person.active) await activatePerson(tx, call, person)
  await applyPersonRights(tx, call, person)
  const [former, name] = [chooseDisplayName(toPersonAttributes(before)), chooseDisplayName(resource)]
  if (name !== null && name !== former) await updateMembershipName(tx, organization, person.user_id, { name, now })
  await record(tx, call, person.id)
  return person
}

async function requireFreeName(
  tx: Tx,
  organization: string,
  { id, user_id }: ScimPerson,
  { user_name, user_name_key }: Pick<WrittenScimUser, 'user_name' | 'user_name_key'>,
): Promise<void> {
  await requireOwnAddress(tx, organization, user_name)
  if (await hasScimUserName(tx, organization, { user_name_key, id })) throw isTaken(user_name)
  const others = await listPeople(tx, organization, { ...everyPerson, user_name_key })
  if (others.some((other) => other.user_id !== user_id)) throw isTaken(user_name)
}

/** Removes a person, whose membership ends; the account stays for what else it is in. */
export async function deletePerson(tx: Tx, call: ScimCall, id: string): Promise<void> {
  const { organization } = call
  const person = await lockPerson(tx, call, id)
  requireVersion(call, person.version)
  await deactivatePerson(tx, call, person)
  await deleteScimUser(tx, organization, person.id)
  await record(tx, call, person.id)
}

const record = (tx: Tx, { actor, address }: ScimCall, target_id: string): Promise<void> =>
  recordDirectoryChange(tx, actor, { target_type: 'scim_user', target_id, address })
