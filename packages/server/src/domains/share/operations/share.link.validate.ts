import { shareLinkValidateOperation } from '@swath/contract/operations/share.link.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { authorizeShareLink } from '../authorize-share-link.ts'
import { toSharedItems, getSharedTarget } from '../shared-target.ts'
import { consumeShareView } from '../view-cap.ts'

export const handler = defineHandler(shareLinkValidateOperation, async (call, input) => {
  const authorized = await authorizeShareLink(call, input)
  const target = await getSharedTarget(authorized)
  await consumeShareView(authorized)
  const { permission, target_type } = authorized.link
  if (target.type === 'item') {
    const [item] = await toSharedItems(authorized, [target.item])
    return { permission, target_type, target: { ...item } }
  }
  const { id, name, description, item_count } = target.collection
  return { permission, target_type, target: { id, name, description, item_count } }
})
