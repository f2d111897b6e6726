import { shareLinkValidate } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { openLink } from './open-link.ts'
import { sharedItems, targetOf } from './shown.ts'
import { requireView } from './view.ts'

export const validateLink = handler(shareLinkValidate, async (call, input) => {
  const opened = await openLink(call, input)
  const target = await targetOf(opened)
  await requireView(opened)
  const { permission, target_type } = opened.link
  if (target.type === 'item') {
    const [item] = await sharedItems(opened, [target.item])
    return { permission, target_type, target: { ...item } }
  }
  const { id, name, description, item_count } = target.collection
  return { permission, target_type, target: { id, name, description, item_count } }
})
