import type { AlertRule } from '@swath/client/operations.ts'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { formatArea } from '../../../ui/format.ts'

/** The scope of a rule in words: the project, the collection and the size of the area. */
export function useRulePlace({ project_id, collection_id, aoi }: AlertRule): string {
  const projects = useOperation('projects.list', {}, { enabled: project_id !== null })
  const collections = useOperation('collections.list', { project_id: project_id! }, { enabled: project_id !== null && collection_id !== null }) // prettier-ignore
  const project = project_id === null ? texts.alerts.facts.everywhere : projects.data?.projects.find(({ id }) => id === project_id)?.name // prettier-ignore
  const collection = collections.data?.collections.find(({ id }) => id === collection_id)?.name
  const area = aoi && formatArea(geometryArea_km2(aoi as unknown as AreaGeometry))
  return [project, collection, area].filter(Boolean).join(' · ')
}
