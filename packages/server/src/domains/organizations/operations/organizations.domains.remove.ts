import { organizationsDomainsRemoveOperation } from '@swath/contract/operations/organizations.domains.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { emitEvent } from '../../events/emit.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { createUnknownDomainProblem, parseDomain } from '../federation/domains.ts'
import { deleteDomain, releaseDomain } from '../federation/store.domains.ts'
import { lockProvider, updateProviderDomains } from '../federation/store.providers.ts'

export const handler = defineHandler(organizationsDomainsRemoveOperation, async (call, input) => {
  const { organization, clock } = call
  const domain = parseDomain(input.domain)
  await call.unscoped.transaction(async (tx) => {
    if (!(await deleteDomain(tx, organization, domain))) throw createUnknownDomainProblem(domain)
    await releaseDomain(tx, organization, domain)
    const provider = await lockProvider(tx, organization)
    if (provider?.domains.includes(domain)) {
      const domains = provider.domains.filter((other) => other !== domain)
      await updateProviderDomains(tx, organization, { domains, now: clock.now() })
    }
    const data = { domain, reason: null }
    await emitEvent(tx, call, { kind: 'organization.domain_removed', entity_type: 'domain', entity_id: domain, data })
    await publishPrincipalChange(tx, `organization:${organization}`)
  })
  return { domain }
})
