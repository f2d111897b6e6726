import { limits } from '@swath/contract/limits.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { OrganizationClocks } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { insertMember, isMember } from '../../organizations/store.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import {
  countUserOrganizations,
  insertUserOrganization,
  lockUser,
  updateDefaultOrganization,
  updateSessionsWithoutOrganization,
} from './store.memberships.ts'

export interface JoiningMember {
  readonly organization: string
  readonly user: string
  readonly role: OrganizationRole
  /** By default the time of the organization, which a new sandbox does not have yet. */
  readonly created_at?: Date
  /** True if the user must not be in another organization: nobody is added to a second one without accepting an invitation. */
  readonly isFirst?: boolean
}

/** `full`: the user is in as many organizations as one may be in. */
export type JoinOutcome = 'joined' | 'disabled' | 'elsewhere' | 'member' | 'full'

/**
 * Makes a user a member of an organization, in an unscoped transaction: the membership, the directory, and the sessions that
 * began before the user was in one. The first organization of a user becomes the default one.
 */
export async function joinOrganization(
  tx: Tx,
  clocks: Pick<OrganizationClocks, 'forOrganization' | 'process'>,
  { organization: organization_id, user: user_id, role, isFirst = false, created_at }: JoiningMember,
): Promise<JoinOutcome> {
  const joined_at = clocks.process.now()
  const user = await lockUser(tx, user_id)
  if (!user || user.disabled_at !== null) return 'disabled'
  // A new user of the organization names it already.
  if (isFirst && user.organization_id !== null && user.organization_id !== organization_id) return 'elsewhere'
  if (await isMember(tx, organization_id, user_id)) return isFirst ? 'elsewhere' : 'member'
  if ((await countUserOrganizations(tx, user_id)) >= limits.max_user_organizations) return 'full'
  const { email, name } = user
  await insertMember(tx, {
    organization_id,
    user_id,
    email,
    name,
    role,
    created_at: created_at ?? clocks.forOrganization(organization_id).now(),
  })
  // The previous version, which may run beside this one, has written the default organization only.
  if (user.organization_id !== null)
    await insertUserOrganization(tx, { user_id, organization_id: user.organization_id, joined_at })
  await insertUserOrganization(tx, { user_id, organization_id, joined_at })
  if (user.organization_id === null) {
    await updateDefaultOrganization(tx, user_id, organization_id, joined_at)
    await updateSessionsWithoutOrganization(tx, user_id, organization_id)
  }
  await publishPrincipalChange(tx, `user:${user_id}`)
  return 'joined'
}
