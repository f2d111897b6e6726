import type { Actor } from '../../../engine/actor.ts'
import type { OrganizationClocks } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { ProviderClaims } from '../../../platform/integrations/openid/openid-types.ts'
import { findMembership } from '../../organizations/store.ts'
import { createUser, findUserByEmail } from '../../users/users.ts'
import { admitMember } from '../memberships/admit-member.ts'
import { findScimUserOfAccount, lockScimUserOfAccount } from '../scim/store.scim-users.ts'
import { findUserAuth, listUserOrganizationIds, type UserAuthRow } from '../store.ts'
import { applyMappedRights } from './apply-rights.ts'
import { recordDirectoryChange } from './directory-audit.ts'
import { isProviderAddress, type OrganizationProvider } from './find-provider.ts'
import { chooseMappedRole, readClaimValues } from './mapped-rights.ts'
import { findIdentityUser, hasIdentity, insertIdentity, updateIdentityUse } from './store.identities.ts'

/** Somebody whom the provider of an organization has signed in, and who acts for it. */
export interface ProviderArrival extends OrganizationProvider {
  readonly claims: ProviderClaims
  readonly actor: Actor
  readonly clocks: OrganizationClocks
  /** The IP address of the browser. */
  readonly address: string
}

/** The account of who arrives; the account whose password is to be entered first; or why there is none. */
export type ProviderAccount =
  | { readonly user: string }
  | { readonly account: UserAuthRow }
  | { readonly refusal: ProviderRefusal }

export type ProviderRefusal = keyof typeof providerRefusals

/** For the page. Each is about the organization of the provider alone. */
export const providerRefusals = {
  deactivated: 'Your access was ended. Ask who manages the members of the organization.',
  address: 'The provider named no confirmed address of a domain of the organization.',
  taken: 'Your address belongs to another person of the provider. Ask who manages the members of the organization.',
  unknown: 'You are not a member of the organization. Ask who manages its members to add you.',
  full: 'Your account is in too many organizations.',
} as const

/**
 * Finds or creates the account of who arrives, in an unscoped transaction, and gives it the membership, the role and the projects that
 * follow from the claims. A subject that is linked decides alone; without one, the confirmed address does, once.
 */
export async function findProviderAccount(tx: Tx, arrival: ProviderArrival): Promise<ProviderAccount> {
  const { organization, claims } = arrival
  const linked = await findIdentityUser(tx, organization.id, claims)
  if (linked !== null) return admit(tx, arrival, linked)
  const { email } = claims
  if (email === null || !(await isConfirmed(tx, arrival, email))) return { refusal: 'address' }
  const found = await findUserByEmail(tx, email)
  if (!found) return createAccount(tx, arrival, email)
  const account = await findUserAuth(tx, found.id)
  if (!account || account.disabled_at !== null) return { refusal: 'deactivated' }
  if (await hasIdentity(tx, organization.id, { issuer: claims.issuer, user_id: account.id }))
    return { refusal: 'taken' }
  if (!(await isInviting(tx, arrival, account.id))) return { refusal: 'unknown' }
  if (await belongsToOrganization(tx, organization.id, account)) return linkProviderAccount(tx, arrival, account.id)
  return { account }
}

/** Links the subject to an account, and admits it. Refuses a subject or an account that was linked meanwhile. */
export async function linkProviderAccount(tx: Tx, arrival: ProviderArrival, user_id: string): Promise<ProviderAccount> {
  const { organization, claims, actor } = arrival
  const { issuer, subject, amr, acr } = claims
  const identity = { issuer, subject, amr, acr, user_id, now: actor.clock.now() }
  if (!(await insertIdentity(tx, organization.id, identity))) return { refusal: 'taken' }
  return admit(tx, arrival, user_id)
}

/** Whether the provider, or the proof of the domain where that is set, confirms the address. */
async function isConfirmed(
  tx: Tx,
  { organization, provider, claims }: ProviderArrival,
  email: string,
): Promise<boolean> {
  const { email_verified } = claims
  const isTrusted = email_verified === true || (email_verified === null && provider.email_trust === 'domain')
  return isTrusted && (await isProviderAddress(tx, { organization, provider }, email))
}

/**
 * True for an account that is of this organization alone: a provider speaks for nobody else. An owner, who could be acted on by an admin
 * with a provider of their own, and an operator confirm with their password, as does whoever is elsewhere or nowhere.
 */
async function belongsToOrganization(tx: Tx, organization: string, account: UserAuthRow): Promise<boolean> {
  if (account.is_administrator || account.is_clip_user) return false
  const member = await findMembership(tx, organization, account.id)
  if (!member || member.role === 'owner') return false
  const organizations = await listUserOrganizationIds(tx, account.id)
  return organizations.every((id) => id === organization)
}

/** True if who arrives may become a member, or is one. */
async function isInviting(tx: Tx, { organization, provider }: ProviderArrival, user: string): Promise<boolean> {
  if (provider.just_in_time) return true
  if (await findMembership(tx, organization.id, user)) return true
  return (await findScimUserOfAccount(tx, organization.id, user))?.active ?? false
}

async function createAccount(tx: Tx, arrival: ProviderArrival, email: string): Promise<ProviderAccount> {
  const { provider, claims, clocks } = arrival
  if (!provider.just_in_time) return { refusal: 'unknown' }
  const name = claims.name?.trim().slice(0, 255) || null
  const input = { email, name, password_hash: null, password_temporary: false, organization: null }
  const created = await createUser(tx, input, clocks.process.now())
  // Another sign-in has created it meanwhile.
  if (!created) return { refusal: 'taken' }
  return linkProviderAccount(tx, arrival, created.id)
}

/** Lets a linked user in: a member again, with the role of the claims. */
async function admit(tx: Tx, arrival: ProviderArrival, user: string): Promise<ProviderAccount> {
  const { organization, provider, claims, actor } = arrival
  const scimUser = await lockScimUserOfAccount(tx, organization.id, user)
  if (scimUser && !scimUser.active) return { refusal: 'deactivated' }
  const account = await findUserAuth(tx, user)
  if (!account || account.disabled_at !== null) return { refusal: 'deactivated' }
  if (!(await findMembership(tx, organization.id, user))) {
    if (!(await isInviting(tx, arrival, user))) return { refusal: 'unknown' }
    const refusal = await join(tx, arrival, user)
    if (refusal) return { refusal }
  }
  const { roles_claim } = provider
  if (roles_claim !== null) {
    const values = readClaimValues(claims.all, roles_claim)
    if (await applyMappedRights(tx, actor, { provider, user, values })) await recordChange(tx, arrival, user)
  }
  await updateIdentityUse(tx, organization.id, { ...claims, now: actor.clock.now() })
  return { user }
}

async function join(tx: Tx, arrival: ProviderArrival, user: string): Promise<ProviderRefusal | null> {
  const { provider, claims, actor, clocks } = arrival
  const values = provider.roles_claim === null ? [] : readClaimValues(claims.all, provider.roles_claim)
  const role = chooseMappedRole(provider, values)
  const { outcome } = await admitMember(tx, { actor, clocks }, { user, role })
  if (outcome === 'full') return 'full'
  if (outcome !== 'joined') return outcome === 'member' ? null : 'deactivated'
  await recordChange(tx, arrival, user)
  return null
}

const recordChange = (tx: Tx, { actor, address }: ProviderArrival, user: string): Promise<void> =>
  recordDirectoryChange(tx, actor, { target_type: 'user', target_id: user, address })
