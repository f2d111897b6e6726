import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { actorIn, type Actor } from '../events/emit.ts'
import { readOrganization } from './organization.ts'
import { listAllOrganizations, listOrganizationIds, setDeleted, type ListedOrganization } from './store.ts'

export type { ListedOrganization } from './store.ts'

/** The caller as the actor in the organization that an administrator names. Throws `not-found` if it does not exist. */
export async function actIn(call: Call, organization: string): Promise<Actor & Pick<Call, 'seller'>> {
  const found = await readOrganization(call.across, organization)
  if (!found) throw new Problem('not-found', `No organization has the id "${organization}".`)
  const { claim, seller } = call
  return { ...actorIn(call, found.id), claim, seller }
}

/** The ids of all organizations, oldest first; needs the unscoped connection. */
export const everyOrganization = (across: Queryable): Promise<string[]> => listOrganizationIds(across)

/** All organizations with what administrators see. */
export const listOrganizations = (across: Queryable): Promise<ListedOrganization[]> => listAllOrganizations(across)

/** Marks an organization as deleted if its deletion date is reached; false if it is not, or it is deleted already. */
export const closeOrganization = (tx: Tx, organization: string, now: OrganizationTime): Promise<boolean> =>
  setDeleted(tx, organization, now)
