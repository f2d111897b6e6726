import { useMemo } from 'react'
import type { AlertRule } from '@swath/client/operations.ts'
import { RowAreas } from '../row-areas.tsx'

/** The areas of rules that have one; the one that is clicked brings its rule into view. */
export function RuleAreas({ rules }: { rules: readonly AlertRule[] }) {
  const areas = useMemo(() => toAreas(rules), [rules])
  const listKey = rules.map(({ id }) => id).join()
  return <RowAreas layer="rules" listKey={listKey} areas={areas} rowSelector={(id) => `[data-rule="${id}"]`} />
}

const toAreas = (rules: readonly AlertRule[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: rules.flatMap(({ id, aoi }) =>
    aoi ? [{ type: 'Feature' as const, properties: { id }, geometry: aoi as unknown as GeoJSON.Geometry }] : [],
  ),
})
