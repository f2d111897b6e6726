import { clipCreateFromItemOperation } from '@swath/contract/operations/clip.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireItem } from '../../items/access.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { requireProcess } from '../../processing/registry.ts'
import { startJob } from '../../processing/start-job.ts'
import { requireProject } from '../../projects/access.ts'
import { withClipFieldNames } from '../clip-job.ts'

const fieldNames = { item: 'source_item_id', geometry: 'aoi_geometry', title: 'output_name' }

export const handler = defineHandler(clipCreateFromItemOperation, async (call, input) => {
  const item = await requireItem(call, input.source_item_id, 'read')
  const { id: project_id } = await requireProject(call, input.project_id ?? item.project_id, 'write')
  const { aoi_geometry: geometry, asset_keys, output_name, max_credits, reuse } = input
  const inputs = {
    item: item.id,
    geometry,
    ...(asset_keys ? { asset_keys: [...new Set(asset_keys)] } : {}),
    ...(output_name ? { title: output_name } : {}),
  }
  const start = async (by: Call) => {
    const request = { definition: requireProcess('clip'), project_id, inputs, max_credits, reuse }
    const { row, job } = await withClipFieldNames(fieldNames, () =>
      startJob(by, { ...request, field: '', start: 'pending' }),
    )
    const keys = row.plan.items.flatMap(({ assets }) => assets.map(({ key }) => key))
    return { job, assets_to_clip: keys.length, asset_keys: keys }
  }
  return input.dry_run ? executeDryRun(call, start) : start(call)
})
