import { ApiProblem } from '@swath/client/problem.ts'
import { CalendarDays, ChevronsDown, EyeOff, RefreshCw, SearchX, ZoomIn, type LucideIcon } from 'lucide-react'
import { explain } from '../../api/problem.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from './explore.module.css'
import type { ExploreFilters } from './filters.ts'
import { dropFilter, findHidingFilter, type SceneFacts } from './hide-scenes.ts'
import type { Scene } from './scenes.ts'
import { isSort } from './sort-scenes.ts'
import type { ExploreSearch } from './use-explore-search.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

export interface ResultHeaderProps {
  readonly search: ExploreSearch
  readonly shown: readonly Scene[]
  /** The number of scenes that are shown though they do not state a filtered property. */
  readonly unstated_count: number
  readonly filters: ExploreFilters
  readonly onChange: (filters: ExploreFilters) => void
  readonly onZoom: () => void
}

/** The number of scenes, the hosts that failed, and the order of the list. */
export function ResultHeader(props: ResultHeaderProps) {
  const { search, shown, unstated_count, filters, onChange, onZoom } = props
  if (search.state === 'idle' || search.state === 'failed') return null
  const { zoomTo, searching, found, limited, hostFailed } = exploreTexts
  const isRunning = search.state === 'running'
  return (
    <div className={styles['counts']}>
      <p role="status">{isRunning ? searching : found(shown.length, search.scenes.length)}</p>
      {shown.length > 0 && (
        <>
          <Button kind="quiet" icon={ZoomIn} onClick={onZoom} title={exploreTexts.showAll}>
            {zoomTo}
          </Button>
          <OrderFields filters={filters} onChange={onChange} />
        </>
      )}
      {!isRunning && search.limited.length > 0 && (
        <Note text={limited} icon={ChevronsDown} label={exploreTexts.loadMore} onPress={search.more} />
      )}
      {!isRunning && unstated_count > 0 && (
        <Note
          text={exploreTexts.unstatedShown(unstated_count)}
          icon={EyeOff}
          label={exploreTexts.hideUnstated}
          onPress={() => onChange({ ...filters, isStated: true })}
        />
      )}
      {search.failures.map(({ title, error }) => (
        <small key={title} role="status" className={`${layout['across']} ${layout['rest']}`}>
          {hostFailed(title, error instanceof ApiProblem ? explain(error).text : exploreTexts.noAnswer)}
        </small>
      ))}
      {search.failures.length > 0 && (
        <Button kind="quiet" icon={RefreshCw} onClick={search.retry}>
          {exploreTexts.askHosts}
        </Button>
      )}
    </div>
  )
}

/** A note on the results, with a button that acts on it. */
const Note = (props: { text: string; icon: LucideIcon; label: string; onPress: () => void }) => (
  <div className={`${layout['spread']} ${layout['rest']} ${typography['muted']}`}>
    <small>{props.text}</small>
    <Button kind="quiet" icon={props.icon} onClick={props.onPress}>
      {props.label}
    </Button>
  </div>
)

/** By pass or one by one, and in which order. */
function OrderFields({ filters, onChange }: Pick<ResultHeaderProps, 'filters' | 'onChange'>) {
  const { sort, sorts, byPass, byPassHelp } = exploreTexts
  return (
    <>
      <Button
        kind={filters.isGrouped ? 'plain' : 'quiet'}
        icon={CalendarDays}
        aria-pressed={filters.isGrouped}
        title={byPassHelp}
        onClick={() => onChange({ ...filters, isGrouped: !filters.isGrouped })}
      >
        {byPass}
      </Button>
      <select
        aria-label={sort}
        value={filters.sort}
        onChange={({ target }) => isSort(target.value) && onChange({ ...filters, sort: target.value })}
      >
        {Object.entries(sorts)
          .filter(([value]) => value !== 'cover' || filters.area || filters.sort === 'cover')
          .map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
      </select>
    </>
  )
}

export interface NoScenesProps {
  /** The scenes before the filters. */
  readonly all: readonly Scene[]
  readonly filters: ExploreFilters
  readonly facts: SceneFacts
  readonly onChange: (filters: ExploreFilters) => void
}

/** Says which filter hides most, and offers to remove it. */
export function NoScenes({ all, filters, facts, onChange }: NoScenesProps) {
  const hiding = findHidingFilter(all, filters, facts)
  const { none, widen, hidden, drop } = exploreTexts
  if (!hiding)
    return (
      <EmptyState icon={SearchX} title={none}>
        <p>{filters.area ? exploreTexts.widenArea : widen}</p>
        {filters.area && <Button onClick={() => onChange({ ...filters, area: null })}>{exploreTexts.dropArea}</Button>}
      </EmptyState>
    )
  const name = exploreTexts.filterNames[hiding.name]
  return (
    <EmptyState icon={SearchX} title={hidden(hiding.count, name)}>
      <Button onClick={() => onChange(dropFilter(filters, hiding.name))}>{drop(name)}</Button>
    </EmptyState>
  )
}
