import { useState, type ReactNode } from 'react'
import { AreaTools } from '../../area/area-tools.tsx'
import type { MapView } from '../../map/map-view.ts'
import { areaTexts } from '../../texts/area.ts'
import { exploreTexts } from '../../texts/explore.ts'
import styles from './explore.module.css'
import { FilterFields } from './filter-fields.tsx'
import type { ExploreFilters } from './filters.ts'
import { listSetFilters, type SceneFacts } from './hide-scenes.ts'
import { PlaceField } from './place-field.tsx'
import type { Scene } from './scenes.ts'
import layout from '../../ui/layout.module.css'

export interface FilterFormProps {
  readonly isWide: boolean
  /** The URL names an area that this browser does not keep. */
  readonly isAreaMissing: boolean
  readonly filters: ExploreFilters
  readonly facts: SceneFacts
  /** The scenes before the filters. */
  readonly scenes: readonly Scene[]
  readonly onChange: (filters: ExploreFilters) => void
  /** The map is on its way to a place. */
  readonly onGo: (target: MapView) => void
  /** Beside the filters. */
  readonly children: ReactNode
}

/**
 * The place and the filters, which are folded to leave the height to the results. On small screens all of it is folded,
 * also after the map has been moved: the results are below.
 */
export function FilterForm({ isWide, isAreaMissing, onGo, children, ...fields }: FilterFormProps) {
  const { filters, onChange } = fields
  const [isOpen, setOpen] = useState(isWide)
  const go: FilterFormProps['onGo'] = (target) => {
    onGo(target)
    setOpen(isWide)
  }
  return (
    <details className={styles['form']} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{exploreTexts.filters}</summary>
      {isAreaMissing && <p role="status">{areaTexts.unknown}</p>}
      <div className={`${layout['stack8']} ${styles['filters']}`}>
        <PlaceField onGo={go} />
        <AreaTools area={filters.area} onChange={(area) => onChange({ ...filters, area })} />
        <div className={`${layout['sidesMiddle']} ${styles['foot']}`}>
          <FoldingFields {...fields} isWide={isWide} />
          {children}
        </div>
      </div>
    </details>
  )
}

type FoldingFieldsProps = Pick<FilterFormProps, 'isWide' | 'filters' | 'facts' | 'scenes' | 'onChange'>

/** The filters below a line that names those that are set. */
function FoldingFields({ isWide, facts, ...fields }: FoldingFieldsProps) {
  const [isOpen, setOpen] = useState(!isWide)
  const set = listSetFilters(fields.filters, facts).map((name) => exploreTexts.filterNames[name])
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{set.length === 0 ? exploreTexts.noFilters : exploreTexts.setFilters(set)}</summary>
      {isOpen && <FilterFields {...fields} />}
    </details>
  )
}
