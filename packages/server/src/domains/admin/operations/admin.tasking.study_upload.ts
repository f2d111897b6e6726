import { adminTaskingStudyUploadOperation } from '@swath/contract/operations/admin.tasking.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { toFeasibilityStudy } from '../../orders/tasking/decisions.ts'
import { answerFeasibilityStudy, rejectFeasibility } from '../../orders/tasking/offer-decisions.ts'

export const handler = defineHandler(adminTaskingStudyUploadOperation, async (call, input) => {
  const { organization_id, order_id, decide_by } = input
  const actor = await toActorInOrganization(call, organization_id)
  return call.unscoped.transaction(async (tx) => {
    if (input.options.length === 0) {
      await rejectFeasibility(tx, actor, order_id, input.reason)
      return { order_id, study: null }
    }
    const options = input.options.map((option, index) => ({
      id: `option-${index + 1}`,
      description: option.description,
      acquisitionStart: option.acquisitionStart ?? null,
      acquisitionEnd: option.acquisitionEnd ?? null,
      creditsPrice: option.creditsPrice ?? null,
    }))
    const answer = { order_id, type: 'MANUAL', options, decide_by: decide_by ? new Date(decide_by) : null } as const
    return { order_id, study: toFeasibilityStudy(await answerFeasibilityStudy(tx, actor, answer)) }
  })
})
