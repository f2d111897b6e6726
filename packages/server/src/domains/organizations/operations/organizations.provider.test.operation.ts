import { organizationsProviderTestOperation } from '@swath/contract/operations/organizations.provider.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { testProvider } from '../federation/test-provider.ts'
import { createNoProviderProblem, toOpenIdClient } from '../federation/providers.ts'
import { findProvider } from '../federation/store.providers.ts'

export const handler = defineHandler(organizationsProviderTestOperation, async (call) => {
  const provider = await findProvider(call.db, call.organization)
  if (!provider) throw createNoProviderProblem()
  const client = toOpenIdClient(provider, call.signer)
  return { test: await testProvider(call, client) }
})
