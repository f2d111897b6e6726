import { organizationsProviderSetOperation } from '@swath/contract/operations/organizations.provider.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { emitEvent } from '../../events/emit.ts'
import { readProjectMemberships } from '../../projects/project-memberships.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { readProviderSettings, requireEmergencyAccess, toNewProvider } from '../federation/provider-settings.ts'
import { toIdentityProvider } from '../federation/providers.ts'
import { lockProvider, upsertProvider } from '../federation/store.providers.ts'

export const handler = defineHandler(organizationsProviderSetOperation, async (call, input) => {
  const { organization } = call
  const settings = await readProviderSettings(call, input, (projects) =>
    readProjectMemberships(call.db, organization, projects),
  )
  const provider = await call.unscoped.transaction(async (tx) => {
    const before = await lockProvider(tx, organization)
    const row = toNewProvider(settings, { before, signer: call.signer, now: call.clock.now() })
    await requireEmergencyAccess({ organization, principal: call.principal, db: tx }, { before, row })
    await upsertProvider(tx, organization, row)
    const { id, issuer, mode, domains } = row
    const data = { issuer, mode, domains: [...domains] }
    const entity = { entity_type: 'identity_provider', entity_id: id }
    await emitEvent(tx, call, { kind: 'organization.provider_changed', ...entity, data })
    // Sessions that began with a password are looked up again: the organization may not accept them any more.
    await publishPrincipalChange(tx, `organization:${organization}`)
    return row
  })
  return { provider: toIdentityProvider(provider, call) }
})
