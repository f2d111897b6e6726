import { organizationsProviderTestOperation } from '@swath/contract/operations/organizations.provider.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { testProvider } from '../federation/test-provider.ts'
import { toOpenIdClient } from '../federation/providers.ts'
import { findProvider } from '../federation/store.providers.ts'

export const handler = defineHandler(organizationsProviderTestOperation, async (call) => {
  const provider = await findProvider(call.db, call.organization)
  return { test: provider && (await testProvider(call, toOpenIdClient(provider, call.signer))) }
})
