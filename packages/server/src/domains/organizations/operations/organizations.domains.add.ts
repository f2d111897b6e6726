import { limits } from '@swath/contract/limits.ts'
import { organizationsDomainsAddOperation } from '@swath/contract/operations/organizations.domains.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant, Problem, validationProblem } from '../../../engine/problem.ts'
import { isSandboxId, randomText } from '../../../platform/ids.ts'
import { emitEvent } from '../../events/emit.ts'
import { isPublicMailDomain } from '../federation/domain-names.ts'
import { parseDomain, toOrganizationDomain } from '../federation/domains.ts'
import { countDomains, findDomain, insertDomain } from '../federation/store.domains.ts'

export const handler = defineHandler(organizationsDomainsAddOperation, async (call, input) => {
  const { organization, principal, clock } = call
  const domain = parseDomain(input.domain)
  if (isPublicMailDomain(domain))
    throw validationProblem([{ path: 'domain', message: 'is one where anybody gets an address' }])
  if (isSandboxId(organization)) throw new Problem('invalid-state', 'A sandbox cannot have domains.')
  if ((await countDomains(call.db, organization)) >= limits.max_organization_domains)
    throw new Problem('invalid-state', `An organization has ${limits.max_organization_domains} domains at most.`)
  const row = await call.transaction(async (tx) => {
    const added = { domain, proof: randomText(32), created_by: principal.id, created_at: clock.now() }
    if (!(await insertDomain(tx, organization, added)))
      throw new Problem('name-taken', `The organization has the domain "${domain}" already.`)
    const data = { domain }
    await emitEvent(tx, call, { kind: 'organization.domain_added', entity_type: 'domain', entity_id: domain, data })
    return findDomain(tx, organization, domain)
  })
  assertInvariant(row, 'the domain was just written')
  return { domain: toOrganizationDomain(row) }
})
