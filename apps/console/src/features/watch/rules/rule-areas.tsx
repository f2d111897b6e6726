import { useMemo, useState } from 'react'
import type { AlertRule } from '@swath/client/operations.ts'
import { FootprintLayer } from '../../../map/footprint-layer.tsx'
import { useFitOnce } from '../../../map/fit-geometries.ts'

/** The areas of rules that have one; pointing at an area brings its rule into view. */
export function RuleAreas({ rules }: { rules: readonly AlertRule[] }) {
  const [hovered, setHovered] = useState<string | null>(null)
  const areas = useMemo(() => toAreas(rules), [rules])
  useFitOnce(rules.map(({ id }) => id).join(), areas)
  return (
    <FootprintLayer
      id="rules"
      footprints={areas}
      hovered={hovered}
      selected={null}
      onHover={setHovered}
      onSelect={(id) => document.querySelector(`[data-rule="${id}"]`)?.scrollIntoView({ block: 'nearest' })}
    />
  )
}

const toAreas = (rules: readonly AlertRule[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: rules.flatMap(({ id, aoi }) =>
    aoi ? [{ type: 'Feature' as const, properties: { id }, geometry: aoi as unknown as GeoJSON.Geometry }] : [],
  ),
})
