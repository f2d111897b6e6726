import { clipCreateFromAreaOperation } from '@swath/contract/operations/clip.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { startJob } from '../../processing/start-job.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { requireProject } from '../../projects/access.ts'
import { areaClipProcess } from '../area-process.ts'
import { requireAreaMosaics } from '../areas.ts'
import { withClipFieldNames } from '../clip-job.ts'

const fieldNames = { geometry: 'aoi_geometry', title: 'aoi_name' }

export const handler = defineHandler(clipCreateFromAreaOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  const mosaics = await requireAreaMosaics(call, input.area)
  const { id: project_id } = await requireProject(call, input.project_id ?? mosaics[0]!.project_id, 'write')
  const { area, mosaic_types, aoi_geometry: geometry, aoi_name, max_credits, reuse } = input
  const inputs = { area, mosaic_types, geometry, ...(aoi_name ? { title: aoi_name } : {}) }
  const start = async (by: Call) => {
    const request = { definition: areaClipProcess(mosaics), project_id, inputs, max_credits, reuse, clip_area: area }
    const { job } = await withClipFieldNames(fieldNames, () =>
      startJob(by, { ...request, field: '', start: 'pending' }),
    )
    return { job }
  }
  return input.dry_run ? executeDryRun(call, start) : start(call)
})
