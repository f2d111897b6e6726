import { useMemo } from 'react'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { measureFootprintCover } from '@swath/geo/polygon-clip.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { formatDate, formatPercent } from '../../ui/format.ts'
import { describeSensor } from './describe-scene.ts'
import styles from './explore.module.css'
import type { ScenePass } from './group-scenes.ts'
import { footprintOf, sceneKey } from './scenes.ts'
import layout from '../../ui/layout.module.css'

export interface PassHeaderProps {
  readonly pass: ScenePass
  readonly area: AreaGeometry | null
  /** Of the selected scenes, by their keys. */
  readonly numbers: ReadonlyMap<string, number>
  readonly tabIndex: 0 | -1
  readonly onToggle: (key: string) => void
}

/** The part of the area that the scenes of a pass cover together, in percent; null without an area. */
function usePassCover({ scenes }: ScenePass, area: AreaGeometry | null): number | null {
  return useMemo(() => {
    if (!area) return null
    const footprints = scenes.map(footprintOf).filter((footprint) => footprint !== null)
    const { covered_km2, total_km2 } = measureFootprintCover(area, footprints)
    return total_km2 === 0 ? null : (100 * covered_km2) / total_km2
  }, [scenes, area])
}

/** When, by which satellite, how many scenes and how much of the area; a press selects them all, or none. */
export function PassHeader({ pass, area, numbers, tabIndex, onToggle }: PassHeaderProps) {
  const { time, sensor, scenes } = pass
  const cover = usePassCover(pass, area)
  const keys = scenes.map(sceneKey)
  const missing = keys.filter((key) => !numbers.has(key))
  const facts = [exploreTexts.count(scenes.length), cover !== null && exploreTexts.coversShort(formatPercent(cover))]
  return (
    <button
      type="button"
      className={`${styles['pass']} ${layout['choice']}`}
      tabIndex={tabIndex}
      aria-pressed={missing.length === 0}
      title={exploreTexts.selectPass}
      onClick={() => (missing.length === 0 ? keys : missing).forEach(onToggle)}
    >
      <strong className="figures">
        {[time ? formatDate(time) : exploreTexts.undated, sensor && describeSensor(sensor)].filter(Boolean).join(' · ')}
      </strong>
      <small className="figures">{facts.filter(Boolean).join(' · ')}</small>
    </button>
  )
}
