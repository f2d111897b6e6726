import type { Scope } from '@swath/contract/scopes.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { withOrganizationNames } from '../../organizations/organization-names.ts'
import type { OAuthProgram } from '../clients/oauth-client.ts'
import type { IdentityFormField } from '../page-texts/page.ts'
import { fill, verbatim, type PageText } from '../page-texts/page-text.ts'
import type { EligibleOrganization } from './consents.ts'

/** Who vouches for a program: nobody, unless an organization has registered it. */
export async function describeProgram(unscoped: SqlStatementRunner, program: OAuthProgram): Promise<PageText> {
  if (!isUuid(program.id))
    return fill('The program is described by `{host}`. Nobody here has checked it.', {
      host: new URL(program.id).host,
    })
  if (program.organization === null) return 'The program has registered itself. Nobody here has checked its name.'
  const [named] = await withOrganizationNames(unscoped, [{ organization_id: program.organization }])
  return fill('The program belongs to the organization {organization}.', {
    organization: named?.organization_name ?? program.organization,
  })
}

/** What the program will be able to do, one line each. */
export const describeScopes = (scopes: readonly string[]): readonly PageText[] =>
  scopes.map((scope) => ({ scope: scope as Scope }))

/** The choice of the organization, for a user who is in several. */
export function organizationFields(organizations: readonly EligibleOrganization[]): readonly IdentityFormField[] {
  const [first] = organizations
  if (!first || organizations.length === 1) return []
  const options = organizations.map(({ id, name }) => ({ value: id, label: verbatim(name) }))
  return [
    { name: 'organization', label: 'Organization', type: 'choice', autocomplete: 'off', value: first.id, options },
  ]
}

/** The chosen organization; null for one that was not to choose. */
export function readOrganization(
  form: URLSearchParams,
  organizations: readonly EligibleOrganization[],
): EligibleOrganization | null {
  const [first = null] = organizations
  if (organizations.length <= 1) return first
  return organizations.find(({ id }) => id === form.get('organization')) ?? null
}
