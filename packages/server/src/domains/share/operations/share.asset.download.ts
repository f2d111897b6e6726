import { shareAssetDownloadOperation } from '@swath/contract/operations/share.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireAsset } from '../../items/access.ts'
import { issueDownloadUrl } from '../../items/assets/download-url.ts'
import { authorizeShareLink } from '../authorize-share-link.ts'
import { requireSharedItem } from '../shared-target.ts'
import { updateShareDownloadCount } from '../store.counters.ts'

export const handler = defineHandler(shareAssetDownloadOperation, async (call, input) => {
  const authorized = await authorizeShareLink(call, input)
  const { link, ownerCall } = authorized
  if (link.permission !== 'download') throw new Problem('forbidden', 'The link does not permit downloads.')
  const item = await requireSharedItem(authorized, input.item_id)
  const asset = await requireAsset(ownerCall, item, input.asset_id)
  const download = await issueDownloadUrl(ownerCall, item, asset, { link: link.id })
  await updateShareDownloadCount(ownerCall.db, link.organization_id, link.id, ownerCall.clock.now())
  return download
})
