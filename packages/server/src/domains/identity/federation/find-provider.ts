import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { getEmailDomain } from '../../organizations/federation/domain-names.ts'
import { findDomainOwner, listVerifiedDomains } from '../../organizations/federation/store.domains.ts'
import { findProvider, type ProviderRow } from '../../organizations/federation/store.providers.ts'
import { findOrganization, type OrganizationRow } from '../../organizations/store.ts'

/** A provider with its organization. */
export interface OrganizationProvider {
  readonly organization: OrganizationRow
  readonly provider: ProviderRow
}

/** The provider of an organization that is not deleted; null without one. */
export async function findOrganizationProvider(
  unscoped: SqlStatementRunner,
  organization_id: string,
): Promise<OrganizationProvider | null> {
  const provider = await findProvider(unscoped, organization_id)
  const organization = provider && (await findOrganization(unscoped, organization_id))
  return organization && organization.status !== 'deleted' ? { organization, provider } : null
}

/** The provider that addresses of a domain sign in with; null for an address without one. The same for unknown addresses. */
export async function findProviderOfEmail(
  unscoped: SqlStatementRunner,
  email: string,
): Promise<OrganizationProvider | null> {
  const domain = getEmailDomain(email)
  const owner = domain === null ? null : await findDomainOwner(unscoped, domain)
  const found = owner === null ? null : await findOrganizationProvider(unscoped, owner)
  return found?.provider.domains.includes(domain!) ? found : null
}

/** True if the address is of a domain that the organization has proved and its provider is for. */
export async function isProviderAddress(
  db: SqlStatementRunner,
  { organization, provider }: OrganizationProvider,
  email: string,
): Promise<boolean> {
  const domain = getEmailDomain(email)
  if (domain === null || !provider.domains.includes(domain)) return false
  return (await listVerifiedDomains(db, organization.id)).includes(domain)
}
