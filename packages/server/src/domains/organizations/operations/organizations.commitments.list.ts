import { organizationsCommitmentsListOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { toCommitment } from '../../contracts/commitment-response.ts'
import { requireCommitment } from '../../contracts/commitments.ts'
import { listCommitments, sumDeliveredByCommitment } from '../../contracts/store.commitments.ts'

export const handler = defineHandler(organizationsCommitmentsListOperation, async (call, input) => {
  const { db, organization } = call
  const { commitment_id, include_line_items } = input
  const rows = commitment_id
    ? [await requireCommitment(db, organization, commitment_id)]
    : await listCommitments(db, organization)
  const options = {
    now: call.clock.now(),
    delivered: await sumDeliveredByCommitment(db, organization),
    with_lines: include_line_items,
  }
  const commitments = []
  for (const row of rows) commitments.push(await toCommitment(db, organization, row, options))
  return toCompleteList('commitments', commitments)
})
