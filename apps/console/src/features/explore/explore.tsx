import type { Area } from '@swath/client/operations.ts'
import { useMemo, useState, type ReactNode } from 'react'
import { geometryBounds } from '@swath/geo/bbox.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { FirstSteps } from '../../first-run/first-steps.tsx'
import { AreaLayer } from '../../map/area-layer.tsx'
import { fitGeometries } from '../../map/fit-geometries.ts'
import { FootprintLayer } from '../../map/footprint-layer.tsx'
import { useMap } from '../../map/map-context.tsx'
import { useFitBounds } from '../../map/use-fit-bounds.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { computeCover } from './cover.ts'
import { FilterForm, type FilterFormProps } from './filter-form.tsx'
import { toComparisonInput, toWholeInput, type ExploreFilters } from './filters.ts'
import { hideScenes, hideScenesOfAnyTime } from './hide-scenes.ts'
import styles from './explore.module.css'
import { countMonths } from './months.ts'
import { numberScenes } from './number-scenes.ts'
import { PriceComparison } from './price-comparison.tsx'
import { NoScenes, ResultHeader } from './result-header.tsx'
import { SaveSearch } from './save-search.tsx'
import { SceneDetail } from './scene-detail.tsx'
import { SceneList } from './scene-list.tsx'
import { footprintOf, hostOf, offNadirOf, sceneKey, titleOf, toFootprints, type Scene } from './scenes.ts'
import { SelectedPictures } from './selected-pictures.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { sortScenes } from './sort-scenes.ts'
import { TimeSlider } from './time-slider.tsx'
import { useExploreAddress } from './use-explore-address.ts'
import { max_scenes, useExploreSearch, type ExploreSearch } from './use-explore-search.ts'
import { useMeasurePart } from './use-measure-part.ts'
import { useOwnedScenes } from './use-owned-scenes.ts'
import { useSelection, type Selection } from './use-selection.ts'
import { useViewBounds } from './use-view-bounds.ts'

/** Search of all catalogues: where, when, and what is good enough; then look, compare and choose. */
export function Explore() {
  const map = useMap()
  const { filters, isAreaMissing, openScene, change, open } = useExploreAddress()
  const { bounds, hasMoved, take, takeTarget } = useViewBounds()
  const search = useExploreSearch(filters, bounds)
  const [hovered, setHovered] = useState<string | null>(null)
  /** What was pointed at or clicked on the map, which the list brings into view. */
  const [revealed, setRevealed] = useState<string | null>(null)
  const measurePart = useMeasurePart(filters.area)
  const scenes = useMemo(
    () =>
      sortScenes(
        hideScenes(search.scenes, filters),
        filters.sort,
        (scene) => measurePart(scene)?.covered ?? Number.NaN,
      ),
    [search.scenes, filters, measurePart],
  )
  useFitBounds(useMemo(() => filters.area && geometryBounds(filters.area), [filters.area]))
  const footprints = useMemo(() => toFootprints(scenes), [scenes])
  const owned = useOwnedScenes(search.scenes, search.state === 'done')
  const selection = useSelection(search.scenes, filters.area !== null)
  const numbered = useMemo(() => numberScenes(selection.scenes), [selection.scenes])
  // On small screens the results come first.
  const [isWide] = useState(() => matchMedia('(width >= 720px)').matches)
  const detail = openScene ? search.scenes.find((scene) => sceneKey(scene) === openScene) : undefined
  const hoverOnMap = (key: string | null): void => {
    setHovered(key)
    if (key) setRevealed(key)
  }
  const zoom = (): void => {
    if (map) fitGeometries(map, footprints)
  }

  const saveSearch = bounds && search.state === 'done' && <SaveSearch filters={filters} bounds={bounds} />

  return (
    <Screen
      title={detail ? titleOf(detail) : texts.explore.title}
      {...(detail ? { onBack: () => open(null) } : {})}
      actions={detail ? <CopySceneCall scene={detail} /> : bounds && <CopyCall operation="catalog.search_stream" input={toWholeInput(filters, bounds, max_scenes)} />} // prettier-ignore
      toolbar={
        detail ? null : (
          <FoldingForm
            isWide={isWide}
            isAreaMissing={isAreaMissing}
            filters={filters}
            onChange={change}
            onGo={takeTarget}
            hasOffNadir={search.scenes.some((scene) => offNadirOf(scene) !== null)}
          >
            {!isWide && saveSearch}
          </FoldingForm>
        )
      }
      footer={<SelectionFooter selection={selection} area={filters.area} />}
    >
      {detail ? (
        <SceneDetail
          scene={detail}
          area={filters.area}
          part={measurePart(detail)}
          isOwned={owned.has(sceneKey(detail))}
          isSelected={selection.keys.has(sceneKey(detail))}
          onToggle={() => selection.toggle(sceneKey(detail))}
        />
      ) : (
        <div className={styles['results']}>
          {hasMoved && !filters.area && (
            <Button kind="primary" onClick={take}>
              {texts.explore.searchHere}
            </Button>
          )}
          <ResultStates search={search} shown={scenes} filters={filters} onChange={change} onZoom={zoom} />
          {filters.area && (
            <PriceComparison input={toComparisonInput(filters)} area={filters.area as unknown as Area} onOpen={open} />
          )}
          {isWide && saveSearch && <div className={styles['saveBar']}>{saveSearch}</div>}
          <SceneList
            scenes={scenes}
            hovered={hovered}
            revealed={revealed}
            selected={numbered}
            owned={owned}
            measurePart={measurePart}
            onHover={setHovered}
            onToggle={selection.toggle}
            onOpen={open}
          />
        </div>
      )}
      {!detail && <SelectedPictures numbered={numbered} hovered={hovered} onHover={hoverOnMap} onOpen={open} />}
      {filters.area && <AreaLayer id="area" geometry={asGeoJson(filters.area)} colour="--accent" isDashed />}
      <FootprintLayer
        id="scenes"
        footprints={footprints}
        hovered={hovered}
        selected={selection.keys}
        onHover={hoverOnMap}
        onSelect={selection.toggle}
      />
    </Screen>
  )
}

interface FoldingFormProps extends FilterFormProps {
  readonly isWide: boolean
  readonly isAreaMissing: boolean
  readonly children: ReactNode
}

/** The filters. On small screens they are folded, also after the map has been moved: what is there is below them. */
function FoldingForm({ isWide, isAreaMissing, onGo, children, ...form }: FoldingFormProps) {
  const [isOpen, setOpen] = useState(isWide)
  const go: FilterFormProps['onGo'] = (target) => {
    onGo(target)
    setOpen(isWide)
  }
  return (
    <details className={styles['form']} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.explore.filters}</summary>
      {isAreaMissing && <p role="status">{texts.area.unknown}</p>}
      <FilterForm {...form} onGo={go} />
      {children}
    </details>
  )
}

const asGeoJson = (area: AreaGeometry): GeoJSON.Geometry => area as unknown as GeoJSON.Geometry

const CopySceneCall = ({ scene }: { scene: Scene }) => (
  <CopyCall operation="catalog.search" input={{ host_name: hostOf(scene), ids: [scene.id] }} />
)

interface ResultStatesProps {
  readonly search: ExploreSearch
  readonly shown: readonly Scene[]
  readonly filters: ExploreFilters
  readonly onChange: (filters: ExploreFilters) => void
  readonly onZoom: () => void
}

/** Everything above the list: when, how many, and why there is nothing. */
function ResultStates({ search, shown, filters, onChange, onZoom }: ResultStatesProps) {
  const buckets = useMemo(() => countMonths(hideScenesOfAnyTime(search.scenes, filters)), [search.scenes, filters])
  return (
    <>
      <FirstSteps />
      {search.state === 'failed' && <ProblemNote error={search.error} onRetry={search.retry} retriesItself />}
      <TimeSlider
        buckets={buckets}
        from={filters.from}
        to={filters.to}
        onChange={(from, to) => onChange({ ...filters, from, to })}
      />
      <ResultHeader search={search} shown={shown} filters={filters} onChange={onChange} onZoom={onZoom} />
      {(search.state === 'running' || search.state === 'idle') && search.scenes.length === 0 && (
        <Skeleton rows={4} height_px={64} />
      )}
      {search.state === 'done' && shown.length === 0 && (
        <NoScenes all={search.scenes} filters={filters} onChange={onChange} />
      )}
    </>
  )
}

/** The selection in figures, and the part of the area that it covers on the map. */
function SelectionFooter({ selection, area }: { selection: Selection; area: AreaGeometry | null }) {
  const { scenes, clear } = selection
  const footprints = useMemo(() => scenes.map(footprintOf).filter((footprint) => footprint !== null), [scenes])
  const cover = useMemo(
    () => (area && footprints.length > 0 ? computeCover(area, footprints) : null),
    [area, footprints],
  )
  return (
    <>
      <SelectionBar scenes={scenes} area={area} cover={cover} footprints={footprints} onClear={clear} />
      {cover?.geometry && <AreaLayer id="cover" geometry={asGeoJson(cover.geometry)} colour="--good" />}
    </>
  )
}
