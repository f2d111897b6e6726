import { shareLinkListOperation } from '@swath/contract/operations/share.link.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { requireProject, listReadableProjectIds } from '../../projects/access.ts'
import { toShareLinksDetails } from '../share-link.ts'
import { requireReadableShareTarget } from '../target.ts'
import { listShareLinks } from '../store.ts'

export const handler = defineHandler(shareLinkListOperation, async (call, input) => {
  const { project_id, target_type = null, target_id = null } = input
  if (target_id !== null) await requireReadableShareTarget(call, target_type, target_id)
  const filter = {
    organization: call.organization,
    projects:
      project_id === undefined
        ? await listReadableProjectIds(call)
        : [(await requireProject(call, project_id, 'read', { allowArchived: true })).id],
    target_type,
    target_id,
    active: input.active ?? null,
    now: call.clock.now(),
  }
  const { rows, total } = await listShareLinks(call.db, filter, input)
  return toListPage('links', { rows: await toShareLinksDetails(call, rows), total }, input)
})
