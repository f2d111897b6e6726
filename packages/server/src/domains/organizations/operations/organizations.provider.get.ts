import { organizationsProviderGetOperation } from '@swath/contract/operations/organizations.provider.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toIdentityProvider } from '../federation/providers.ts'
import { findProvider } from '../federation/store.providers.ts'

export const handler = defineHandler(organizationsProviderGetOperation, async (call) => {
  const provider = await findProvider(call.db, call.organization)
  return { provider: provider && toIdentityProvider(provider, call) }
})
