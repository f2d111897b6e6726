import { useMemo } from 'react'
import { FirstSteps } from '../../first-run/first-steps.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CalendarStrip } from './dates/calendar-strip.tsx'
import { filtersToSearch, type ExploreFilters } from './filters.ts'
import { countDays } from './group-scenes.ts'
import { hideScenesOfAnyTime } from './hide-scenes.ts'
import { countMonths } from './dates/months.ts'
import { NoScenes, ResultHeader } from './result-header.tsx'
import { TimeSlider } from './dates/time-slider.tsx'
import type { ExploreSearch } from './use-explore-search.ts'
import type { Results } from './use-results.ts'

export interface ResultStatesProps {
  readonly search: ExploreSearch
  readonly results: Results
  readonly filters: ExploreFilters
  readonly onChange: (filters: ExploreFilters) => void
  readonly onZoom: () => void
}

/** Everything above the list: when, how many, and why there is nothing. */
export function ResultStates({ search, results, filters, onChange, onZoom }: ResultStatesProps) {
  const { scenes: shown, facts, listUnstated } = results
  const unstated_count = useMemo(
    () => (filters.isStated ? 0 : shown.filter((scene) => listUnstated(scene).length > 0).length),
    [shown, listUnstated, filters.isStated],
  )
  const ofAnyTime = useMemo(() => hideScenesOfAnyTime(search.scenes, filters, facts), [search.scenes, filters, facts])
  // A user who narrows a search wants to see its results.
  const isUnfiltered = Object.keys(filtersToSearch(filters)).length === 0
  const dates = {
    from: filters.from,
    to: filters.to,
    onChange: (from: string | null, to: string | null) => onChange({ ...filters, from, to }),
  }
  return (
    <>
      {isUnfiltered && <FirstSteps />}
      {search.state === 'failed' && <ProblemNote error={search.error} onRetry={search.retry} retriesItself />}
      {filters.isGrouped ? (
        <CalendarStrip days={countDays(ofAnyTime)} {...dates} />
      ) : (
        <TimeSlider buckets={countMonths(ofAnyTime)} {...dates} />
      )}
      <ResultHeader
        search={search}
        shown={shown}
        unstated_count={unstated_count}
        filters={filters}
        onChange={onChange}
        onZoom={onZoom}
      />
      {(search.state === 'running' || search.state === 'idle') && search.scenes.length === 0 && (
        <Skeleton rows={4} height_px={48} />
      )}
      {search.state === 'done' && shown.length === 0 && (
        <NoScenes all={search.scenes} filters={filters} facts={facts} onChange={onChange} />
      )}
    </>
  )
}
