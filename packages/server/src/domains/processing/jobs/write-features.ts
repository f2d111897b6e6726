import { join } from 'node:path'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { Problem } from '../../../engine/problem.ts'
import type { AssetToAdd } from '../../items/add-item.ts'
import { convertVector } from '../../vectors/convert-vector.ts'
import { VectorFailure } from '../../vectors/vector-failure.ts'
import { getRunFolder, type JobPlanItem, type VectorPlanAsset } from '../job-plan.ts'
import type { JobResultWriter } from './result-writer.ts'

/** The reasons why a process makes no feature. */
const reasons: Readonly<Record<VectorPlanAsset['process']['name'], string>> = {
  contours: 'no level lies between the values',
  vectorize: 'the band has no value',
}

/**
 * Computes the features of an asset and stores them, as those of an upload are. Throws `unsupported-raster` if there are none, and
 * `budget-exceeded` for more than a vector item may have.
 */
export async function writeFeatureAsset(
  { organization, run, blobs, folder, signal, createFeatures }: JobResultWriter,
  plan: JobPlanItem,
  planned: VectorPlanAsset,
): Promise<{ readonly assets: AssetToAdd[]; readonly geometry: Geometry }> {
  const path = join(folder, `${plan.id}.geojson`)
  const features = await createFeatures(planned, path)
  if (features === 0)
    throw new Problem(
      'unsupported-raster',
      `The result "${planned.key}" has no feature: ${reasons[planned.process.name]}.`,
    )
  const blob_folder = getRunFolder(organization, plan.id, run)
  const { key: asset_key } = planned
  const conversion = { blobs, path, file_name: `${asset_key}.geojson`, asset_key, folder, blob_folder, signal }
  const { asset, file } = await convertVector(conversion).catch((error: unknown) => {
    if (!(error instanceof VectorFailure) || error.kind !== 'too_large') throw error
    throw new Problem('budget-exceeded', error.message)
  })
  return { assets: [{ ...asset, title: planned.title }], geometry: file.geometry }
}
