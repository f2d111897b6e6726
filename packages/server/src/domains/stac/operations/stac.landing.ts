import { stacLandingOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { readableProjectsSql } from '../../projects/access.ts'
import { createLandingPage } from '../landing-page.ts'
import { listCollectionNames } from '../store.ts'

export const handler = defineHandler(stacLandingOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  return createLandingPage(base, await listCollectionNames(call.db, call.organization, readableProjectsSql(call)))
})
