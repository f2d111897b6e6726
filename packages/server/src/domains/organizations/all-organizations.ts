import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { refreshSandboxTime } from '../../platform/sandbox/sandbox-times.ts'
import type { OrganizationTime, OrganizationTimes } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import type { RowPage } from '../../platform/database/select-page.ts'
import { actorInOrganization, type Actor } from '../../engine/actor.ts'
import { readOrganization } from './organization.ts'
import { findOperatedOrganization, type OperatedOrganization } from './store.operated.ts'
import {
  selectOrganizationPage,
  selectOrganizations,
  selectOrganizationIds,
  updateDeleted,
  type ListedOrganization,
  type OrganizationFilter,
} from './store.ts'

export type { ListedOrganization } from './store.ts'

/** The caller as the actor in the organization that an administrator names. Throws `not-found` if it does not exist. */
export async function actorFor(call: Call, organization: string): Promise<Actor & Pick<Call, 'seller'>> {
  const organizationRow = await readOrganization(call.unscoped, organization)
  if (!organizationRow) throw new Problem('not-found', `No organization has the id "${organization}".`)
  await refreshSandboxTime({ unscoped: call.unscoped, clock: call.clocks }, organizationRow.id)
  const { claim, seller } = call
  return { ...actorInOrganization(call, organizationRow.id), claim, seller }
}

/** The ids of all organizations but sandboxes, or with them, oldest first; needs the unscoped connection. */
export const listEveryOrganizationId = (
  unscoped: Queryable,
  { sandboxes = false }: { readonly sandboxes?: boolean } = {},
): Promise<string[]> => selectOrganizationIds(unscoped, sandboxes)

/** The organizations that such times are about: one, or all but sandboxes. Needs the unscoped connection. */
export const listOrganizationIdsOf = async (
  unscoped: Queryable,
  { organization }: OrganizationTimes,
): Promise<readonly string[]> => (organization === null ? listEveryOrganizationId(unscoped) : [organization])

/** All organizations but sandboxes with what administrators see: sandboxes are billed by their own clocks. */
export const listOrganizations = (unscoped: Queryable): Promise<ListedOrganization[]> => selectOrganizations(unscoped)

/** One page of the organizations that match a filter, newest first, for operators. */
export const listOrganizationPage = (
  unscoped: Queryable,
  filter: OrganizationFilter,
): Promise<RowPage<ListedOrganization>> => selectOrganizationPage(unscoped, filter)

/** An organization as operators read one; null if it does not exist. */
export const readOperatedOrganization = (
  unscoped: Queryable,
  organization: string,
): Promise<OperatedOrganization | null> => findOperatedOrganization(unscoped, organization)

/** Marks an organization as deleted if its deletion date is reached; false if it is not, or it is deleted already. */
export const markOrganizationDeleted = (tx: Tx, organization: string, now: OrganizationTime): Promise<boolean> =>
  updateDeleted(tx, organization, now)
