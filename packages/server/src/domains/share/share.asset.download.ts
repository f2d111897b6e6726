import { shareAssetDownload } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { requireAsset } from '../items/access.ts'
import { mintDownload } from '../items/download-asset.ts'
import { openLink } from './open-link.ts'
import { itemBehind } from './shown.ts'
import { countDownload } from './store.visits.ts'

export const downloadSharedAsset = handler(shareAssetDownload, async (call, input) => {
  const opened = await openLink(call, input)
  const { link, inside } = opened
  if (link.permission !== 'download') throw new Problem('forbidden', 'The link does not permit downloads.')
  const item = await itemBehind(opened, input.item_id)
  const minted = await mintDownload(inside, item, await requireAsset(inside, item, input.asset_id), link.id)
  await countDownload(inside.db, link.organization_id, link.id, inside.clock.now())
  return minted
})
