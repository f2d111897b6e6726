import { SearchX, ZoomIn } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { AreaLayer } from '../../map/area-layer.tsx'
import { fitGeometries } from '../../map/fit-geometries.ts'
import { FootprintLayer } from '../../map/footprint-layer.tsx'
import { useMap } from '../../map/map-context.tsx'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { FilterForm } from './filter-form.tsx'
import { toSearchInput, type ExploreFilters } from './filters.ts'
import { findHidingFilter, hideScenes } from './hide-scenes.ts'
import styles from './explore.module.css'
import { MonthHistogram } from './month-histogram.tsx'
import { countMonths } from './months.ts'
import { SceneDetail } from './scene-detail.tsx'
import { SceneList } from './scene-list.tsx'
import { sceneKey, toFootprints, type Scene } from './scenes.ts'
import { SelectionBar } from './selection-bar.tsx'
import { isSort, sortScenes } from './sort-scenes.ts'
import { useExploreAddress } from './use-explore-address.ts'
import { useOwnedScenes } from './use-owned-scenes.ts'
import { useSceneSearch, type SceneSearch } from './use-scene-search.ts'
import { useViewBounds } from './use-view-bounds.ts'

const max_scenes = 500

/** Search of all catalogues: where, when, and what is good enough; then look, compare and choose. */
export function Explore() {
  const map = useMap()
  const { filters, openScene, change, open } = useExploreAddress()
  const search = useSceneSearch()
  const [hovered, setHovered] = useState<string | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(() => new Set())
  const { bounds, hasMoved, take } = useViewBounds()
  const input = bounds && toSearchInput(filters, bounds, max_scenes)
  const inputText = input && JSON.stringify(input)

  const { start } = search
  useEffect(() => {
    if (inputText) start(JSON.parse(inputText) as Record<string, unknown>)
  }, [start, inputText])

  const scenes = useMemo(() => sortScenes(hideScenes(search.scenes, filters), filters.sort), [search.scenes, filters])
  const footprints = useMemo(() => toFootprints(scenes), [scenes])
  const owned = useOwnedScenes(search.scenes, search.state === 'done')
  const toggle = (key: string): void => setSelected((previous) => new Set(previous).symmetricDifference(new Set([key])))
  const chosen = search.scenes.filter((scene) => selected.has(sceneKey(scene)))
  // On small screens the results come first.
  const [isWide] = useState(() => matchMedia('(width >= 720px)').matches)
  const detail = openScene ? search.scenes.find((scene) => sceneKey(scene) === openScene) : undefined

  return (
    <Screen
      title={detail ? texts.explore.details : texts.explore.title}
      {...(detail ? { onBack: () => open(null) } : {})}
      actions={input && <CopyCall operation="catalog.search_stream" input={input} />}
      toolbar={
        detail ? null : (
          <details className={styles['form']} open={isWide}>
            <summary>{texts.explore.filters}</summary>
            <FilterForm filters={filters} onChange={change} />
          </details>
        )
      }
      footer={<SelectionBar scenes={chosen} area={filters.area} onClear={() => setSelected(new Set())} />}
    >
      {detail ? (
        <SceneDetail
          scene={detail}
          isSelected={selected.has(sceneKey(detail))}
          onToggle={() => toggle(sceneKey(detail))}
        />
      ) : (
        <div className={styles['results']}>
          {hasMoved && !filters.area && (
            <Button kind="primary" onClick={take}>
              {texts.explore.searchHere}
            </Button>
          )}
          {search.state === 'failed' && <ProblemNote error={search.error} onRetry={take} />}
          <MonthHistogram months={countMonths(scenes)} onChoose={(from, to) => change({ ...filters, from, to })} />
          <ResultHeader
            search={search}
            shown={scenes}
            filters={filters}
            onChange={change}
            onZoom={() => map && fitGeometries(map, footprints)}
          />
          {search.state === 'running' && search.scenes.length === 0 && <Skeleton rows={4} height_px={64} />}
          {search.state === 'done' && scenes.length === 0 && (
            <NoScenes all={search.scenes} filters={filters} onChange={change} />
          )}
          <SceneList
            scenes={scenes}
            hovered={hovered}
            selected={selected}
            owned={owned}
            onHover={setHovered}
            onToggle={toggle}
            onOpen={open}
          />
        </div>
      )}
      {filters.area && (
        <AreaLayer id="area" geometry={filters.area as unknown as GeoJSON.Geometry} colour="--accent" isDashed />
      )}
      <FootprintLayer
        id="scenes"
        footprints={footprints}
        hovered={hovered}
        selected={selected}
        onHover={setHovered}
        onSelect={toggle}
      />
    </Screen>
  )
}

interface ResultHeaderProps {
  readonly search: SceneSearch
  readonly shown: readonly Scene[]
  readonly filters: ExploreFilters
  readonly onChange: (filters: ExploreFilters) => void
  readonly onZoom: () => void
}

function ResultHeader({ search, shown, filters, onChange, onZoom }: ResultHeaderProps) {
  const count = search.scenes.length
  if (search.state === 'idle' || search.state === 'failed') return null
  return (
    <div className={styles['counts']}>
      <p role="status">
        {search.state === 'running' ? texts.explore.searching : texts.explore.found(shown.length, count)}
        {count >= max_scenes && <small>{texts.explore.limited(max_scenes)}</small>}
      </p>
      {shown.length > 0 && (
        <>
          <Button
            kind="quiet"
            icon={ZoomIn}
            onClick={onZoom}
            aria-label={texts.explore.showAll}
            title={texts.explore.showAll}
          />
          <select
            className={styles['sort']}
            aria-label={texts.explore.sort}
            value={filters.sort}
            onChange={({ target }) => isSort(target.value) && onChange({ ...filters, sort: target.value })}
          >
            {Object.entries(texts.explore.sorts).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </>
      )}
    </div>
  )
}

function NoScenes({
  all,
  filters,
  onChange,
}: {
  all: readonly Scene[]
  filters: ExploreFilters
  onChange: (filters: ExploreFilters) => void
}) {
  const hiding = findHidingFilter(all, filters)
  if (!hiding)
    return (
      <EmptyState icon={SearchX} title={texts.explore.none}>
        <p>{texts.explore.widen}</p>
      </EmptyState>
    )
  const name = texts.explore[hiding.name]
  return (
    <EmptyState icon={SearchX} title={texts.explore.hidden(hiding.count, name)}>
      <Button onClick={() => onChange({ ...filters, [hiding.name]: null })}>{texts.explore.drop(name)}</Button>
    </EmptyState>
  )
}
