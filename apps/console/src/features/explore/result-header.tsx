import { ApiProblem } from '@swath/client/problem.ts'
import { RefreshCw, SearchX, ZoomIn } from 'lucide-react'
import { explain } from '../../api/problem.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from './explore.module.css'
import type { ExploreFilters } from './filters.ts'
import { dropFilter, findHidingFilter } from './hide-scenes.ts'
import type { Scene } from './scenes.ts'
import { isSort } from './sort-scenes.ts'
import { max_scenes, type ExploreSearch } from './use-explore-search.ts'

export interface ResultHeaderProps {
  readonly search: ExploreSearch
  readonly shown: readonly Scene[]
  readonly filters: ExploreFilters
  readonly onChange: (filters: ExploreFilters) => void
  readonly onZoom: () => void
}

/** How many scenes there are, of which hosts none came, and the order of the list. */
export function ResultHeader({ search, shown, filters, onChange, onZoom }: ResultHeaderProps) {
  if (search.state === 'idle' || search.state === 'failed') return null
  const { zoomTo, sort, sorts, searching, found, limited, hostFailed } = texts.explore
  return (
    <div className={styles['counts']}>
      <p role="status">
        {search.state === 'running' ? searching : found(shown.length, search.scenes.length)}
        {search.isLimited && <small>{limited(max_scenes)}</small>}
      </p>
      {shown.length > 0 && (
        <>
          <Button kind="plain" icon={ZoomIn} onClick={onZoom} title={texts.explore.showAll}>
            {zoomTo}
          </Button>
          <select
            className={styles['sort']}
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
      )}
      {search.failures.map(({ title, error }) => (
        <small key={title} role="status" className={styles['missing']}>
          {hostFailed(title, error instanceof ApiProblem ? explain(error).text : texts.explore.noAnswer)}
        </small>
      ))}
      {search.failures.length > 0 && (
        <Button kind="quiet" icon={RefreshCw} onClick={search.retry}>
          {texts.explore.askHosts}
        </Button>
      )}
    </div>
  )
}

export interface NoScenesProps {
  /** What was found before the filters. */
  readonly all: readonly Scene[]
  readonly filters: ExploreFilters
  readonly onChange: (filters: ExploreFilters) => void
}

/** Says which filter hides most, and offers to remove it. */
export function NoScenes({ all, filters, onChange }: NoScenesProps) {
  const hiding = findHidingFilter(all, filters)
  const { none, widen, hidden, drop } = texts.explore
  if (!hiding)
    return (
      <EmptyState icon={SearchX} title={none}>
        <p>{filters.area ? texts.explore.widenArea : widen}</p>
        {filters.area && <Button onClick={() => onChange({ ...filters, area: null })}>{texts.explore.dropArea}</Button>}
      </EmptyState>
    )
  const name = texts.explore[hiding.name]
  return (
    <EmptyState icon={SearchX} title={hidden(hiding.count, name)}>
      <Button onClick={() => onChange(dropFilter(filters, hiding.name))}>{drop(name)}</Button>
    </EmptyState>
  )
}
