import { organizationsProviderRemoveOperation } from '@swath/contract/operations/organizations.provider.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { emitEvent } from '../../events/emit.ts'
import { endProviderSessions } from '../../identity/federation/provider-sessions.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { createNoProviderProblem } from '../federation/providers.ts'
import { deleteProvider, lockProvider } from '../federation/store.providers.ts'

export const handler = defineHandler(organizationsProviderRemoveOperation, async (call) => {
  const { organization } = call
  return call.unscoped.transaction(async (tx) => {
    const provider = await lockProvider(tx, organization)
    if (!provider) throw createNoProviderProblem()
    const { id, issuer, mode, domains } = provider
    await deleteProvider(tx, organization)
    await endProviderSessions(tx, call, {
      organization,
      issuer: null,
      subject: null,
      sid: null,
      reason: 'provider-removed',
    })
    const data = { issuer, mode, domains: [...domains] }
    const entity = { entity_type: 'identity_provider', entity_id: id }
    await emitEvent(tx, call, { kind: 'organization.provider_removed', ...entity, data })
    await publishPrincipalChange(tx, `organization:${organization}`)
    return { provider_id: id }
  })
})
