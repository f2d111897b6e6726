import { stacLandingOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { createLandingPage } from '../landing-page.ts'
import { hasNoOrganization } from '../signed-out.ts'
import { listShownCollectionNames } from '../shown-collections.ts'

export const handler = defineHandler(stacLandingOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  if (hasNoOrganization(call)) return createLandingPage(base, [])
  return createLandingPage(base, await listShownCollectionNames(call))
})
