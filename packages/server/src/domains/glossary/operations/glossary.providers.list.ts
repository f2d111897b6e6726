import { glossaryProvidersListOperation } from '@swath/contract/operations/glossary.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listGlossaryProviders } from '../glossary.ts'
import { toSortedPage } from '../../../engine/sorted-page.ts'

export const handler = defineHandler(glossaryProvidersListOperation, async (call, input) => {
  const role = input.role?.toUpperCase()
  const providers = listGlossaryProviders(call.integrations.hosts.values()).filter(
    ({ roles }) => !role || (roles as readonly string[]).includes(role),
  )
  return toSortedPage(providers, input)
})
