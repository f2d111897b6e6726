import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { isUuid } from '../../../platform/ids.ts'
import { getEmailDomain } from '../../organizations/federation/domain-names.ts'
import { listVerifiedDomains } from '../../organizations/federation/store.domains.ts'
import { toEmailKey } from '../../users/users.ts'
import { findEqualValue, type ScimFilter } from './filter/parse-filter.ts'
import {
  everyPerson,
  listScimUsers,
  listUntouchedMembers,
  type PersonFilter,
  type ScimPerson,
  type UntouchedMember,
} from './store.scim-users.ts'

/** A member whom no directory has touched, as one would find them. */
const toPerson = ({ user_id, email, name, created_at, updated_at }: UntouchedMember): ScimPerson => ({
  id: user_id,
  user_id,
  user_name: email,
  external_id: null,
  active: true,
  attributes: { ...(name === null ? {} : { displayName: name }), active: true },
  version: 0,
  created_at,
  updated_at,
})

/**
 * The people of an organization that match a filter, oldest first: whom a directory has provisioned, and members with an address of a
 * verified domain. Nobody else can be seen.
 */
export async function listPeople(
  db: SqlStatementRunner,
  organization: string,
  filter: PersonFilter,
): Promise<readonly ScimPerson[]> {
  const rows = await listScimUsers(db, organization, filter)
  if (filter.external_id !== null) return rows
  const domains = await listVerifiedDomains(db, organization)
  const members = domains.length === 0 ? [] : await listUntouchedMembers(db, organization, filter)
  const visible = members.filter(({ email }) => domains.includes(getEmailDomain(email) ?? ''))
  return [...rows, ...visible.map(toPerson)].toSorted(
    (one, other) => one.created_at.getTime() - other.created_at.getTime() || (one.id < other.id ? -1 : 1),
  )
}

/** A person; null for an unknown one, and for one of another organization. */
export async function findPerson(db: SqlStatementRunner, organization: string, id: string): Promise<ScimPerson | null> {
  if (!isUuid(id)) return null
  const [person] = await listPeople(db, organization, { ...everyPerson, id: id.toLowerCase() })
  return person ?? null
}

/** The rows that a filter can match, as far as it says so; null if it can match none. */
export function toPersonFilter(filter: ScimFilter | null): PersonFilter | null {
  const [id, userName, external_id] = ['id', 'userName', 'externalId'].map((path) => findEqualValue(filter, path))
  if (id !== null && id !== undefined && !isUuid(id)) return null
  return {
    id: id?.toLowerCase() ?? null,
    user_name_key: userName === null || userName === undefined ? null : toEmailKey(userName),
    external_id: external_id ?? null,
  }
}
