import { organizationsCommitmentsList } from '@swath/contract/operations/organizations.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { commitmentOf } from '../billing/commitments/commitment-answers.ts'
import { listCommitments, requireCommitment, sumDelivered } from '../billing/commitments/commitments.ts'

export const listOwnCommitments = handler(organizationsCommitmentsList, async (call, input) => {
  const { db, organization } = call
  const { commitment_id, include_line_items: with_lines } = input
  const rows = commitment_id
    ? [await requireCommitment(db, organization, commitment_id)]
    : await listCommitments(db, organization)
  const options = { now: call.clock.now(), delivered: await sumDelivered(db, organization), with_lines }
  const commitments = []
  for (const row of rows) commitments.push(await commitmentOf(db, organization, row, options))
  return { commitments, ...wholeWindow(commitments) }
})
