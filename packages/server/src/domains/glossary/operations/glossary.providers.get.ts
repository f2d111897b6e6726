import { glossaryProvidersGetOperation } from '@swath/contract/operations/glossary.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { listGlossaryProviders } from '../glossary.ts'

export const handler = defineHandler(glossaryProvidersGetOperation, async (call, { provider_name }) => {
  const provider = listGlossaryProviders(call.integrations.hosts.values()).find(({ name }) => name === provider_name)
  if (!provider) throw new Problem('not-found', `There is no provider with the name "${provider_name}".`)
  return { provider }
})
