import type { Static } from 'typebox'
import type { OrganizationDetails, organizationDetailFields } from '@swath/contract/schemas/member.ts'
import type { Call } from '../../engine/call.ts'
import { assertInvariant, validationProblem } from '../../engine/problem.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { parseAbn } from '../../platform/setting-types.ts'
import { findBillingParty } from './store.ts'
import { updateOrganizationDetails, type OrganizationDetailsChange } from './store.details.ts'

/** The fields of `organizations.update`; those that are absent stay as they are. */
export type OrganizationDetailsInput = {
  readonly [Name in keyof typeof organizationDetailFields]?: Static<(typeof organizationDetailFields)[Name]>
}

/** Throws `validation` for an Australian Business Number with a wrong checksum. */
export function toOrganizationDetailsChange({
  abn,
  name,
  ...others
}: OrganizationDetailsInput): OrganizationDetailsChange {
  const digits = typeof abn === 'string' ? parseAbn(abn) : abn
  if (typeof abn === 'string' && digits === null) {
    throw validationProblem([{ path: 'abn', message: 'is not a valid Australian Business Number' }])
  }
  return { ...others, ...(digits === undefined ? {} : { abn: digits }), ...(name ? { name: name.trim() } : {}) }
}

export const changeOrganizationDetails = (
  tx: Tx,
  { organization, clock }: Pick<Call, 'organization' | 'clock'>,
  change: OrganizationDetailsChange,
): Promise<void> => updateOrganizationDetails(tx, organization, change, clock.now())

export async function readOrganizationDetails(
  db: SqlStatementRunner,
  organization: string,
): Promise<OrganizationDetails> {
  const party = await findBillingParty(db, organization)
  assertInvariant(party, 'the caller has an organization')
  return {
    id: organization,
    name: party.name,
    country: party.country,
    abn: party.abn,
    tax_number: party.tax_number,
    billing_email: party.billing_email,
    billing_address: party.billing_address,
    purchase_order_number: party.purchase_order_number,
  }
}
